//! Scripts as property-directed reachability makes them: a transition relation over states before
//! and after, lemmas about the states before under activation literals, cubes of states after as
//! assumptions.

use super::formulas::Formulas;
use super::generate::Profile;
use super::script::Command;
use horn::term::{Sort, Term, Terms};

/// A relation, then questions and what is learned from them. Names of states after end with a
/// prime.
pub(crate) fn script(t: &Terms, profile: &Profile, before: &mut Formulas<'_, '_>) -> Vec<Command> {
    let mut commands = Vec::new();
    let rules = relation(t, before, &mut commands);
    let levels: Vec<Term> = (0..before.random.between(1, 4))
        .map(|i| t.var(&format!("level{i}"), Sort::BOOL))
        .collect();
    let mut after_random = before.random.fork();
    let mut after = Formulas::new(t, profile, before.universe, &mut after_random, "'");
    let questions = before.random.between(4, 25);
    for _ in 0..questions {
        let size = before.random.between(1, 5);
        let cube: Vec<Term> = (0..size).map(|_| after.literal()).collect();
        let from = before.random.below(levels.len());
        let mut assumptions: Vec<Term> = levels[from..].to_vec();
        if before.random.percent(50) {
            assumptions.push(before.random.pick(&rules));
        }
        if before.random.percent(20) {
            // As an engine that takes a scope for each cube.
            commands.push(Command::Push);
            commands.extend(cube.iter().map(|&literal| Command::Assert(literal)));
            commands.push(Command::Check(assumptions));
            commands.push(Command::Pop);
        } else {
            assumptions.extend(&cube);
            commands.push(Command::Check(assumptions));
        }
        learn(t, before, &levels, &mut commands);
    }
    commands
}

/// Rules, each under a literal, of which one is taken: guards, and states after given by
/// states before.
fn relation(t: &Terms, before: &mut Formulas<'_, '_>, commands: &mut Vec<Command>) -> Vec<Term> {
    let count = before.random.between(1, 4);
    let rules: Vec<Term> = (0..count)
        .map(|i| t.var(&format!("rule{i}"), Sort::BOOL))
        .collect();
    let vars: Vec<Term> = before.variables();
    for &rule in &rules {
        let mut parts: Vec<Term> = (0..before.random.between(0, 3))
            .map(|_| before.literal())
            .collect();
        for &var in &vars {
            let sort = t.sort_of(var);
            let name = t.name(t.as_var(var).expect("a variable"));
            let next = t.var(&format!("{name}'"), sort);
            let value = match before.random.weighted(&[40, 40, 10, 10]) {
                0 => var,
                1 => before.step_of(var),
                2 => before.term(sort, 1),
                _ => continue,
            };
            parts.push(t.eq(next, value));
        }
        commands.push(Command::Assert(t.implies(rule, t.and(parts))));
    }
    commands.push(Command::Assert(t.or(rules.iter().copied())));
    rules
}

/// A lemma at a level or for good, or nothing.
fn learn(t: &Terms, before: &mut Formulas<'_, '_>, levels: &[Term], commands: &mut Vec<Command>) {
    if before.random.percent(40) {
        return;
    }
    let size = before.random.between(1, 4);
    let clause = t.or((0..size).map(|_| before.literal()).collect::<Vec<_>>());
    let lemma = if before.random.percent(15) {
        clause
    } else {
        t.implies(before.random.pick(levels), clause)
    };
    commands.push(Command::Assert(lemma));
}
