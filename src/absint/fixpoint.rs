//! The least states that the clauses allow, from below.

use super::bounds::Thresholds;
use super::state::{Columns, Known, Precision, State};
use crate::chc::{Atom, Clause, ClauseId, PredGraph, PredId, System};
use crate::smt::native::supports;
use crate::smt::{Backend, Failure, Limit, Outcome, Solver};
use crate::term::{Substitution, Term, Terms, Value};

/// What holds of everything derived, by predicate; `params` names the parameters of each.
///
/// # Errors
/// The limit, when it is reached before the states hold of everything.
pub fn analyze(
    t: &Terms,
    system: &System,
    params: impl Fn(PredId) -> Vec<Term>,
    precision: Precision,
    backend: &Backend,
    limit: &Limit,
) -> Result<Vec<Known>, Failure> {
    let known = system.pred_ids().map(|p| Known {
        params: params(p),
        state: None,
    });
    let known: Vec<Known> = known.collect();
    let columns = known.iter().map(|k| Columns::new(t, &k.params, precision));
    let mut analysis = Analysis {
        t,
        system,
        backend,
        limit,
        thresholds: Thresholds::of(t, system),
        columns: columns.collect(),
        known,
    };
    analysis.run()?;
    Ok(analysis.known)
}

struct Analysis<'a> {
    t: &'a Terms,
    system: &'a System,
    backend: &'a Backend,
    limit: &'a Limit,
    thresholds: Thresholds,
    /// By predicate.
    columns: Vec<Columns>,
    known: Vec<Known>,
}

impl Analysis<'_> {
    /// Closes clause after clause, and again those whose premises have grown.
    fn run(&mut self) -> Result<(), Failure> {
        let graph = PredGraph::new(self.system);
        let mut open: Vec<ClauseId> = self.system.clause_ids().collect();
        let mut is_open = vec![true; self.system.clauses.len()];
        open.reverse();
        while let Some(id) = open.pop() {
            is_open[id.index()] = false;
            let clause = self.system.clause(id);
            let Some(head) = &clause.head else { continue };
            if !self.close(clause, head)? {
                continue;
            }
            for &user in graph.users(head.pred) {
                if user != id && !std::mem::replace(&mut is_open[user.index()], true) {
                    open.push(user);
                }
            }
        }
        Ok(())
    }

    /// Adds to the head's state what the clause derives from its premises' states. Answers whether the state grew.
    fn close(&mut self, clause: &Clause, head: &Atom) -> Result<bool, Failure> {
        let is_reachable = |atom: &Atom| self.known[atom.pred.index()].is_derivable();
        if !clause.body.iter().all(is_reachable) {
            return Ok(false);
        }
        let t = self.t;
        let mut solver = self.backend.solver(t, "absint");
        solver.set_limit(self.limit.clone());
        let conjuncts = t.conjuncts(clause.constraint);
        // Without what no core decides more is derived, which is sound.
        for conjunct in conjuncts.into_iter().filter(|&c| supports(t, c).is_ok()) {
            solver.assert(conjunct);
        }
        let mut grew = self.forget_unasked(head);
        loop {
            self.limit.check()?;
            solver.push();
            for atom in &clause.body {
                for literal in self.literals(atom) {
                    solver.assert(literal);
                }
            }
            let literals = self.literals(head);
            solver.assert(t.not(t.and(literals)));
            // ⋀ state(body) ∧ constraint ∧ ¬state(head)
            let about = format_args!("states of predicate {} by a clause", head.pred.0);
            match solver.check(about, &[]) {
                Outcome::Unsat => return Ok(grew),
                Outcome::Sat => {}
                Outcome::Unknown(why) => return Err(why),
            }
            let values = self.head_values(&mut *solver, head)?;
            self.add(head.pred, &values);
            grew = true;
            solver.pop();
        }
    }

    /// What is known of the arguments of an atom, as far as solvers can be told.
    fn literals(&self, atom: &Atom) -> Vec<Term> {
        let t = self.t;
        let known = &self.known[atom.pred.index()];
        let pairs = known.params.iter().copied().zip(atom.args.iter().copied());
        let mut substitution = Substitution::new(t, pairs);
        let literals = known.literals(t).into_iter();
        let mut literals: Vec<Term> = literals.map(|l| substitution.apply(l)).collect();
        literals.retain(|&l| supports(t, l).is_ok());
        literals
    }

    /// Forgets what the state of a head says of arguments that no core decides: no question would find what contradicts it.
    /// Answers whether the state grew.
    fn forget_unasked(&mut self, head: &Atom) -> bool {
        let Some(state) = &mut self.known[head.pred.index()].state else {
            return false;
        };
        let before = state.clone();
        let columns = &self.columns[head.pred.index()];
        for (i, &arg) in head.args.iter().enumerate() {
            if let Some(column) = columns.column(i)
                && supports(self.t, arg).is_err()
            {
                state.forget(column);
            }
        }
        *state != before
    }

    /// The values of an atom's arguments in the solver's model; `None` of what it cannot be asked.
    fn head_values(
        &self,
        solver: &mut dyn Solver,
        head: &Atom,
    ) -> Result<Vec<Option<Value>>, Failure> {
        let columns = &self.columns[head.pred.index()];
        let askable = |&(i, &arg): &(usize, &Term)| {
            columns.column(i).is_some() && supports(self.t, arg).is_ok()
        };
        let args = head.args.iter().enumerate();
        let (places, asked): (Vec<usize>, Vec<Term>) = args.filter(askable).unzip();
        let mut values = vec![None; head.args.len()];
        for (place, value) in places.into_iter().zip(solver.values(&asked)?) {
            values[place] = Some(value);
        }
        Ok(values)
    }

    /// Adds a point to the state of a predicate.
    fn add(&mut self, pred: PredId, values: &[Option<Value>]) {
        let (t, columns) = (self.t, &self.columns[pred.index()]);
        let point = columns.point(values);
        let known = &mut self.known[pred.index()];
        let state = known
            .state
            .get_or_insert_with(|| State::of_point(t, columns, &point));
        state.add(&point, &self.thresholds);
        let unknown = (0..values.len()).filter(|&i| values[i].is_none());
        for column in unknown.filter_map(|i| columns.column(i)) {
            state.forget(column);
        }
    }
}
