//! Which predicates are graphs of functions: those whose clauses define one argument by the others,
//! by recursion over a datatype. Other predicates are relations that are decided by recursion, or
//! nothing is known of them.
//!
//! A guess is checked: all clauses of the predicate hold if it means what was guessed. So a
//! predicate that has two values for the same arguments is none of a function.

use super::super::cases::{Opened, cases};
use super::definition::{Definition, MOST_CASES, first_column};
use super::ground::implies;
use super::meaning::{Meaning, Said, question, sorts};
use super::prover::{Prover, SHORT};
use super::rows::Row;
use super::templates::templates;
use crate::chc::{PredId, System};
use crate::term::{FuncId, Sort, Term, Terms};
use rustc_hash::FxHashSet;

/// The search for the meanings of a system's predicates.
pub(super) struct Functions<'a, 't> {
    t: &'t Terms,
    system: &'a System,
    prover: &'a mut Prover<'t>,
    meanings: Vec<Option<Meaning>>,
    /// By predicate: the cases of its clauses.
    cases: Vec<Vec<Opened>>,
}

/// The meanings of the predicates of a system.
pub(super) fn meanings<'t>(t: &'t Terms, system: &System, prover: &mut Prover<'t>) -> Vec<Meaning> {
    let mut search = Functions {
        t,
        system,
        prover,
        meanings: vec![None; system.preds.len()],
        cases: system
            .pred_ids()
            .map(|pred| cases_of(t, system, pred))
            .collect(),
    };
    for part in parts(system) {
        search.find(&part);
        for &pred in &part {
            if let Some(meaning) = &search.meanings[pred.index()] {
                let formula = || meaning.formula(t, &meaning.params);
                log::debug!(
                    "{} means {}",
                    system.pred_name(t, pred),
                    t.display(formula())
                );
            }
        }
    }
    let found = search.meanings.into_iter();
    found
        .map(|meaning| meaning.expect("all have one"))
        .collect()
}

impl Functions<'_, '_> {
    /// Finds the meanings of predicates that are defined together.
    fn find(&mut self, part: &[PredId]) {
        let t = self.t;
        let mut best: Option<(usize, Vec<Meaning>)> = None;
        for outputs in self.outputs(part) {
            if best.as_ref().is_some_and(|(gaps, _)| *gaps == 0) || self.prover.is_over() {
                break;
            }
            if let Some((gaps, found)) = self.defined(part, &outputs)
                && best.as_ref().is_none_or(|(least, _)| gaps < *least)
                && self.fits(part, &found)
            {
                best = Some((gaps, found));
            }
        }
        if let [pred] = part {
            let defined = best.as_ref().map(|(_, found)| &found[0]);
            for simple in templates(t, sorts(t, self.system, *pred), defined) {
                let says_enough = defined.is_none_or(|defined| implies(t, &simple, defined));
                if says_enough && self.fits(part, std::slice::from_ref(&simple)) {
                    best = Some((0, vec![simple]));
                    break;
                }
            }
        }
        for (at, pred) in part.iter().enumerate() {
            let found = best.as_ref().map(|(_, found)| found[at].clone());
            let unknown = || Meaning::unknown(t, sorts(t, self.system, *pred));
            self.meanings[pred.index()] = Some(found.unwrap_or_else(unknown));
        }
    }

    /// The guesses which arguments are outputs: the last ones, the first ones, others, none.
    fn outputs(&self, part: &[PredId]) -> Vec<Vec<Option<usize>>> {
        let count = |pred: PredId| sorts(self.t, self.system, pred).len();
        let most = part.iter().map(|&pred| count(pred)).max().unwrap_or(0);
        let same = |place: &dyn Fn(usize) -> Option<usize>| -> Vec<Option<usize>> {
            part.iter().map(|&pred| place(count(pred))).collect()
        };
        let mut guesses = vec![
            same(&|count| count.checked_sub(1)),
            same(&|count| (count > 0).then_some(0)),
        ];
        guesses.extend((1..most).map(|place| same(&|count| (place + 1 < count).then_some(place))));
        guesses.push(same(&|_| None));
        guesses.dedup();
        guesses
    }

    /// The definitions with these outputs, and how many gaps they have.
    fn defined(&self, part: &[PredId], outputs: &[Option<usize>]) -> Option<(usize, Vec<Meaning>)> {
        let t = self.t;
        let pairs = part.iter().zip(outputs);
        let drafts: Vec<Draft> = pairs
            .map(|(&pred, &output)| self.draft(pred, output))
            .collect();
        let mut meanings = self.meanings.clone();
        for draft in &drafts {
            meanings[draft.pred.index()].clone_from(&draft.meaning);
        }
        let mut gaps = 0;
        let mut made: FxHashSet<FuncId> = FxHashSet::default();
        for draft in &drafts {
            let (more, funcs) = self.complete(draft, &mut meanings)?;
            gaps += more;
            made.extend(funcs);
        }
        let cases = made.iter().flat_map(|&func| t.func(func).cases());
        let bodies: Vec<Term> = cases.map(|case| case.body).collect();
        made.extend(t.defined_functions(bodies));
        if !t.terminate(&made) {
            return None;
        }
        let found = part.iter().map(|pred| meanings[pred.index()].clone());
        Some((gaps, found.collect::<Option<_>>()?))
    }

    /// The rows of a predicate's clauses, and a function for them if they distinguish constructors.
    fn draft(&self, pred: PredId, output: Option<usize>) -> Draft {
        let t = self.t;
        let sorts = sorts(t, self.system, pred);
        let meaning = Meaning::of(t, sorts, |_| Said::Formula(Term::TRUE));
        let columns = inputs(&meaning.params, output);
        let cases = &self.cases[pred.index()];
        let mut rows: Vec<Row> = cases.iter().map(|case| Row::new(case, output)).collect();
        for row in &mut rows {
            row.take_plain_patterns(t, &columns);
        }
        let first = first_column(t, &rows);
        let func = first.map(|first| self.declared(pred, output, &columns, first));
        let meaning = func.as_ref().map(|(func, args)| {
            let value = t.apply(*func, args);
            let said = output.map_or(Said::Formula(value), |at| Said::Value(at, value));
            Meaning { said, ..meaning }
        });
        let func = first.zip(func.map(|(func, _)| func));
        Draft {
            pred,
            output,
            func,
            columns,
            rows,
            meaning,
        }
    }

    /// Defines the function of a draft, or says what the predicate means without one. The number of
    /// gaps, and the functions made.
    fn complete(
        &self,
        draft: &Draft,
        meanings: &mut [Option<Meaning>],
    ) -> Option<(usize, Vec<FuncId>)> {
        let t = self.t;
        let sorts = sorts(t, self.system, draft.pred);
        let known = meanings.to_vec();
        let mut definition = Definition {
            t,
            name: self.system.pred_name(t, draft.pred),
            meanings: &known,
            result: draft.output.map_or(Sort::BOOL, |place| sorts[place]),
            is_relation: draft.output.is_none(),
            made: Vec::new(),
            gaps: 0,
            room: MOST_CASES,
        };
        match draft.func {
            Some((first, func)) => {
                if !definition.define(func, &draft.columns, &draft.rows, first) {
                    return None;
                }
            }
            None => {
                let value = definition.value(&draft.columns, draft.rows.clone())?;
                let meaning = explicit(t, sorts, draft.output, &draft.columns, value);
                meanings[draft.pred.index()] = Some(meaning);
            }
        }
        Some((definition.gaps, definition.made))
    }

    /// A new function of the inputs, and the arguments that it is applied to.
    fn declared(
        &self,
        pred: PredId,
        output: Option<usize>,
        columns: &[Term],
        first: usize,
    ) -> (FuncId, Vec<Term>) {
        let t = self.t;
        let others = columns.iter().enumerate();
        let others = others.filter(|(place, _)| *place != first).map(|(_, &x)| x);
        let args: Vec<Term> = [columns[first]].into_iter().chain(others).collect();
        let params: Vec<Sort> = args.iter().map(|&arg| t.sort_of(arg)).collect();
        let sorts = sorts(t, self.system, pred);
        let result = output.map_or(Sort::BOOL, |place| sorts[place]);
        let name = t.fresh_symbol(self.system.pred_name(t, pred));
        (t.declare(name, &params, result), args)
    }

    /// Do the clauses of the predicates hold with these meanings?
    fn fits(&mut self, part: &[PredId], found: &[Meaning]) -> bool {
        let t = self.t;
        let unknown = |pred: PredId| Meaning::unknown(t, sorts(t, self.system, pred));
        let known = self.system.pred_ids().zip(&self.meanings);
        let mut meanings: Vec<Meaning> = known
            .map(|(pred, meaning)| meaning.clone().unwrap_or_else(|| unknown(pred)))
            .collect();
        for (pred, meaning) in part.iter().zip(found) {
            meanings[pred.index()] = meaning.clone();
        }
        part.iter().all(|&pred| {
            self.cases[pred.index()].iter().all(|case| {
                let (premises, conclusion) = question(t, case, &meanings);
                self.prover.follows(&premises, &[], conclusion, SHORT)
            })
        })
    }
}

/// The cases of the clauses whose head is a predicate.
fn cases_of(t: &Terms, system: &System, pred: PredId) -> Vec<Opened> {
    let clauses = system.clauses.iter();
    let own = clauses.filter(|clause| clause.head.as_ref().is_some_and(|h| h.pred == pred));
    own.flat_map(|clause| cases(t, clause)).collect()
}

/// A definition to be.
struct Draft {
    pred: PredId,
    output: Option<usize>,
    /// The column whose constructors are distinguished first, and the function.
    func: Option<(usize, FuncId)>,
    columns: Vec<Term>,
    rows: Vec<Row>,
    /// What the predicate means if the function is defined.
    meaning: Option<Meaning>,
}

/// The arguments that are no output.
fn inputs(params: &[Term], output: Option<usize>) -> Vec<Term> {
    let params = params.iter().enumerate();
    params
        .filter(|(place, _)| Some(*place) != output)
        .map(|(_, &param)| param)
        .collect()
}

/// The meaning that a value over the columns gives.
fn explicit(
    t: &Terms,
    sorts: &[Sort],
    output: Option<usize>,
    columns: &[Term],
    value: Term,
) -> Meaning {
    Meaning::of(t, sorts, |params| {
        let inputs = inputs(params, output);
        let value = t.substitute(value, columns.iter().copied().zip(inputs));
        output.map_or(Said::Formula(value), |place| Said::Value(place, value))
    })
}

/// The predicates in groups whose members depend on each other, what others depend on first.
fn parts(system: &System) -> Vec<Vec<PredId>> {
    let count = system.preds.len();
    let mut uses = vec![FxHashSet::<PredId>::default(); count];
    for clause in &system.clauses {
        if let Some(head) = &clause.head {
            uses[head.pred.index()].extend(clause.body.iter().map(|atom| atom.pred));
        }
    }
    loop {
        let mut changed = false;
        for at in 0..count {
            let further: Vec<PredId> = (uses[at].iter())
                .flat_map(|pred| uses[pred.index()].iter().copied())
                .filter(|pred| !uses[at].contains(pred))
                .collect();
            changed |= !further.is_empty();
            uses[at].extend(further);
        }
        if !changed {
            break;
        }
    }
    let mut groups: Vec<Vec<PredId>> = Vec::new();
    for pred in system.pred_ids() {
        if !groups.iter().any(|group| group.contains(&pred)) {
            let related = |&other: &PredId| {
                other == pred
                    || uses[pred.index()].contains(&other) && uses[other.index()].contains(&pred)
            };
            groups.push(system.pred_ids().filter(related).collect());
        }
    }
    // What a predicate uses, with itself, is more than what a predicate uses that it depends on.
    groups.sort_by_key(|group| {
        let used = &uses[group[0].index()];
        used.len() + usize::from(!used.contains(&group[0]))
    });
    groups
}
