//! The blackboard: invariants that engines find are there for all others, also while these run.
//!
//! An engine *publishes* formulas about the predicates of a system. A *checker* admits the ones
//! that are inductive together with the contents of the board. Engines *poll* the board for what is
//! new since they last looked. This is how k-induction gets continuously refined invariants
//! \[BDW18\].
//!
//! A [`Blackboard`] belongs to one thread and one system. Boards of several threads about the same
//! system share an [`Exchange`]. It has a store of terms to itself, through which invariants are
//! imported from one thread's store into another's.
//!
//! Costs: a poll without news reads one atomic number. Publishing while an engine runs costs
//! nothing where no other thread reads, see [`Blackboard::publish`]. Engines leave what they have
//! found at the end of their turn ([`Blackboard::offer`]), and whoever gave them the turn has it
//! admitted ([`Blackboard::admit`]). The ticks of admission are counted by the limit of the thread
//! that publishes. They are at most a tenth of that thread's ticks since the last admission, but no
//! less than 20 ms of work at the end of a turn.
//!
//! A reduction may hand its board on to the inner engine if the new system has the same predicates
//! and derives the same facts. Invariants are always checked against the board's system. A
//! reduction to other predicates has no board inside.
//!
//! Invariant: the contents of a board are inductive together. So is every beginning of them, since
//! each admission relies only on what was there before.
//!
//! DIVERGENCE: \[BDW18\] generates auxiliary invariants by one analysis that runs beside
//! k-induction. Here any engine may publish, and nothing is believed unchecked.

use crate::chc::{Atom, Interpretation, Model, PredId, System};
use crate::smt::{Backend, Limit, SatResult};
use crate::term::{Import, Term, Terms};
use crate::transform::Tools;
use crate::work;
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Admits invariants: which conjuncts of the last model are inductive for the system, if what the
/// first model says is known? `None` if there are none, or if that is not decided within the limit
/// of the tools.
pub type Checker = fn(&Tools<'_>, &System, &Model, Model) -> Option<Model>;

/// Admission costs at most one tick in ten. The value was not tuned.
const SHARE: u64 = 10;
/// The least budget of an admission at the end of a turn, in ticks. While an engine runs, an
/// admission with less budget waits. The value was not tuned.
const LEAST: u64 = work::milliseconds(20);
/// The largest budget of an admission, in ticks. The value was not tuned.
const MOST: u64 = work::milliseconds(500);
/// Ticks of the solver that checks the contents in debug builds. The value was not tuned.
const DEBUG_BUDGET: u64 = 10_000_000;

/// An invariant of one predicate.
#[derive(Clone, Copy, Debug)]
struct KnownInvariant {
    pred: PredId,
    /// A formula over the board's parameters of the predicate.
    formula: Term,
    /// The engine that found it.
    engine: &'static str,
}

impl KnownInvariant {
    /// Does it say this, whoever found it?
    fn says(&self, pred: PredId, formula: Term) -> bool {
        (self.pred, self.formula) == (pred, formula)
    }
}

/// The position of a reader: what it has seen of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cursor(usize);

/// What is known of a system, as one thread sees it.
pub struct Blackboard<'t> {
    terms: &'t Terms,
    system: &'t System,
    checker: Checker,
    /// The variables of the invariants of each predicate, by its index. They are the same terms on
    /// all boards of an exchange.
    params: Vec<Vec<Term>>,
    /// What was admitted, oldest first.
    known: RefCell<Vec<KnownInvariant>>,
    /// What was offered and not checked.
    offered: RefCell<Vec<KnownInvariant>>,
    /// The meter's reading after the last admission.
    admitted_at: Cell<u64>,
    /// The other threads, if there are any.
    exchange: Option<Link>,
}

/// The connection of one board to its exchange.
struct Link {
    exchange: Arc<Exchange>,
    /// The first entries of the exchange are known here: this number of them.
    taken: Cell<usize>,
    /// Tells the board's own entries from those of others.
    board: usize,
}

/// What boards of several threads share.
pub struct Exchange {
    /// The number of entries, so that a look at it needs no lock.
    len: AtomicUsize,
    /// The number of boards that were made.
    boards: AtomicUsize,
    entries: Mutex<Entries>,
    params: Vec<Vec<Term>>,
    checker: Checker,
}

/// The entries of an exchange.
struct Entries {
    terms: Terms,
    /// Each with the number of the board that it comes from, oldest first.
    known: Vec<(usize, KnownInvariant)>,
}

impl Exchange {
    /// The board of a thread whose store is a copy of the one that the exchange was made with.
    pub fn board<'t>(self: &Arc<Self>, terms: &'t Terms, system: &'t System) -> Blackboard<'t> {
        Blackboard {
            exchange: Some(Link {
                exchange: Arc::clone(self),
                taken: Cell::new(0),
                board: self.boards.fetch_add(1, Ordering::Relaxed),
            }),
            params: self.params.clone(),
            ..Blackboard::new(terms, system, self.checker)
        }
    }
}

impl<'t> Blackboard<'t> {
    /// An empty board for one thread, on which the checker admits.
    pub fn new(terms: &'t Terms, system: &'t System, checker: Checker) -> Self {
        let trivial = Model::trivial(terms, system).interpretations;
        Blackboard {
            terms,
            system,
            checker,
            params: trivial.into_iter().map(|said| said.params).collect(),
            known: RefCell::default(),
            offered: RefCell::default(),
            admitted_at: Cell::new(0),
            exchange: None,
        }
    }

    /// An empty exchange with this empty board's parameters. Stores of threads must be copied from
    /// the board's store after this.
    pub fn exchange(&self) -> Arc<Exchange> {
        Arc::new(Exchange {
            len: AtomicUsize::new(0),
            boards: AtomicUsize::new(0),
            entries: Mutex::new(Entries {
                terms: self.terms.clone(),
                known: Vec::new(),
            }),
            params: self.params.clone(),
            checker: self.checker,
        })
    }

    /// Publishes what an engine has found, while it runs. Nothing happens if no other thread reads
    /// the board, or before the engine has worked ten times as long as an admission takes at least.
    /// So `found` is called rarely.
    pub fn publish(
        &self,
        tools: &Tools<'_>,
        engine: &'static str,
        found: impl FnOnce() -> Option<Model>,
    ) {
        if self.exchange.is_none() || self.budget(&tools.limit) < LEAST {
            return;
        }
        if let Some(found) = found() {
            self.offer(engine, &found);
            self.admit(tools);
        }
    }

    /// Leaves what an engine has found for the next [`Blackboard::admit`]. What the model says of a
    /// predicate need not hold, nor be inductive.
    pub fn offer(&self, engine: &'static str, found: &Model) {
        let known = self.known.borrow();
        let mut offered = self.offered.borrow_mut();
        for (pred, formula) in self.conjuncts(found) {
            if !known.iter().chain(&*offered).any(|k| k.says(pred, formula)) {
                offered.push(KnownInvariant {
                    pred,
                    formula,
                    engine,
                });
            }
        }
    }

    /// Has the checker admit what was offered, as far as it is inductive together with what is
    /// known. What is refused, or not decided within the budget, is dropped.
    pub fn admit(&self, tools: &Tools<'_>) {
        let offered = self.offered.take();
        let Some(&KnownInvariant { engine, .. }) = offered.first() else {
            return;
        };
        self.receive();
        let limit = tools.limit.part(self.budget(&tools.limit).max(LEAST));
        let tools = Tools::new(tools.terms, tools.backend, limit);
        let found = self.model_of(offered.iter().copied());
        let known = self.model_of(self.known.borrow().iter().copied());
        let admitted = (self.checker)(&tools, self.system, &known, found);
        self.admitted_at.set(tools.limit.ticks());
        let admitted = admitted.map_or(Vec::new(), |model| self.conjuncts(&model));
        let finder = |pred: PredId, formula: Term| {
            let offer = offered.iter().find(|offer| offer.says(pred, formula));
            // A builder may have simplified a conjunction of offers.
            offer.map_or(engine, |offer| offer.engine)
        };
        let new = admitted.into_iter().map(|(pred, formula)| KnownInvariant {
            pred,
            formula,
            engine: finder(pred, formula),
        });
        let new: Vec<KnownInvariant> = new.collect();
        log::info!(
            "{engine}: {} of {} invariants are admitted",
            new.len(),
            offered.len()
        );
        self.add(&new);
        debug_assert!(self.contents_are_inductive(tools.backend));
    }

    /// What is new since the cursor's reader looked last; `None` if nothing is.
    pub fn poll(&self, cursor: &mut Cursor) -> Option<Model> {
        self.poll_others(cursor, "")
    }

    /// As [`Blackboard::poll`], up to the last finding of an engine other than this one. That may
    /// rely on findings of this engine before it, which are part of the answer.
    pub fn poll_others(&self, cursor: &mut Cursor, engine: &str) -> Option<Model> {
        self.receive();
        let known = self.known.borrow();
        let last = known.iter().rposition(|known| known.engine != engine)?;
        let new = known.get(cursor.0..=last).filter(|new| !new.is_empty())?;
        cursor.0 = last + 1;
        Some(self.model_of(new.iter().copied()))
    }

    /// All that is known; `None` if nothing is.
    pub fn contents(&self) -> Option<Model> {
        self.poll(&mut Cursor::default())
    }

    /// Are the contents inductive together? A query that a separate solver does not decide counts
    /// as true.
    pub fn contents_are_inductive(&self, backend: &Backend) -> bool {
        let t = self.terms;
        let said = self.model_of(self.known.borrow().iter().copied());
        let instance = |atom: &Atom| said.get(atom.pred).at(t, &atom.args);
        let mut solver = backend.for_client("debug").solver(t, "board");
        solver.set_limit(Limit::none().part(DEBUG_BUDGET));
        let mut rules = self.system.clauses.iter().filter(|c| !c.is_query());
        rules.all(|clause| {
            let head = clause.head.as_ref().map_or(Term::FALSE, instance);
            let body = clause.body.iter().map(instance);
            let step = body.chain([clause.constraint, t.not(head)]);
            // ⋀ I(bodyᵢ) ∧ φ ∧ ¬I(head)
            let about = format_args!("the board's contents are not inductive");
            solver.check(about, &step.collect::<Vec<_>>()) != SatResult::Sat
        })
    }

    /// The ticks that an admission may cost now.
    fn budget(&self, limit: &Limit) -> u64 {
        let worked = limit.ticks().saturating_sub(self.admitted_at.get());
        (worked / SHARE).min(MOST)
    }

    /// Adds what was admitted here, and shares it with the other threads.
    fn add(&self, new: &[KnownInvariant]) {
        self.known.borrow_mut().extend(new);
        let Some(link) = &self.exchange else {
            return;
        };
        // An exchange whose lock a failing thread held may be incomplete, and is not used again.
        let Ok(mut entries) = link.exchange.entries.lock() else {
            return;
        };
        let Entries { terms, known } = &mut *entries;
        let mut import = Import::new(self.terms, terms);
        for &own in new {
            let formula = import.term(own.formula);
            known.push((link.board, KnownInvariant { formula, ..own }));
        }
        link.exchange.len.store(known.len(), Ordering::Release);
    }

    /// Takes what other threads have shared since the last time.
    ///
    /// Each entry of the exchange relies on entries before it only. So what is known here stays
    /// inductive if entries are taken in their order.
    fn receive(&self) {
        let Some(link) = &self.exchange else {
            return;
        };
        if link.exchange.len.load(Ordering::Acquire) == link.taken.get() {
            return;
        }
        let Ok(entries) = link.exchange.entries.lock() else {
            return;
        };
        let mut import = Import::new(&entries.terms, self.terms);
        let mut own = self.known.borrow_mut();
        for &(board, other) in &entries.known[link.taken.get()..] {
            if board != link.board {
                let formula = import.term(other.formula);
                own.push(KnownInvariant { formula, ..other });
            }
        }
        link.taken.set(entries.known.len());
    }

    /// What an interpretation says, over the board's parameters.
    fn over_params(&self, pred: PredId, said: &Interpretation) -> Term {
        let params = self.params[pred.index()].iter().copied();
        let renaming = said.params.iter().copied().zip(params);
        self.terms.substitute(said.body, renaming)
    }

    /// The conjuncts of a model, over the board's parameters.
    fn conjuncts(&self, model: &Model) -> Vec<(PredId, Term)> {
        let interpretations = (0..).map(PredId).zip(&model.interpretations);
        let conjuncts = interpretations.flat_map(|(pred, said)| {
            let conjuncts = self.terms.conjuncts(self.over_params(pred, said));
            let conjuncts = conjuncts.into_iter().filter(|&c| c != Term::TRUE);
            conjuncts.map(move |formula| (pred, formula))
        });
        conjuncts.collect()
    }

    /// The conjunction of the formulas, as a model.
    fn model_of(&self, known: impl Iterator<Item = KnownInvariant>) -> Model {
        let mut bodies = vec![Vec::new(); self.params.len()];
        for KnownInvariant { pred, formula, .. } in known {
            bodies[pred.index()].push(formula);
        }
        let interpretations = self.params.iter().zip(bodies);
        let interpretation = |(params, body): (&Vec<Term>, Vec<Term>)| Interpretation {
            params: params.clone(),
            body: self.terms.and(body),
        };
        Model {
            interpretations: interpretations.map(interpretation).collect(),
        }
    }
}
