//! Evaluation of functions that are defined by recursion, which need not have a value.

use horn::term::{FuncId, Op, Term, TermMap, Terms};

/// Steps of an evaluation, and applications within applications.
pub(super) const STEPS: usize = 4000;
const DEPTH: usize = 150;
/// Why a term has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoValue {
    /// It is its own value's part.
    Circle,
    /// It was not found out.
    TooLong,
}

/// The evaluation of terms without variables.
pub(super) struct Evaluation<'t> {
    t: &'t Terms,
    known: TermMap<Result<Term, NoValue>>,
    /// Applications under way.
    open: Vec<Term>,
    pub(super) steps: usize,
}

impl Evaluation<'_> {
    pub(super) fn new(t: &Terms) -> Evaluation<'_> {
        Evaluation {
            t,
            known: TermMap::default(),
            open: Vec::new(),
            steps: STEPS,
        }
    }

    pub(super) fn value(&mut self, term: Term) -> Result<Term, NoValue> {
        if let Some(&known) = self.known.get(&term) {
            return known;
        }
        self.steps = self.steps.checked_sub(1).ok_or(NoValue::TooLong)?;
        let (t, args) = (self.t, self.t.args(term));
        let found = match t.op(term) {
            Op::Ite => {
                let condition = self.value(args[0])?;
                // All of a body counts.
                let values = [self.value(args[1])?, self.value(args[2])?];
                Ok(values[usize::from(condition == Term::FALSE)])
            }
            op => {
                let values = args.iter().map(|&arg| self.value(arg));
                let values: Vec<Term> = values.collect::<Result<_, _>>()?;
                match op {
                    Op::Apply(func) => self.applied(func, &values),
                    Op::Eq => Ok(t.bool(values[0] == values[1])),
                    _ if args.is_empty() => Ok(term),
                    _ => Ok(t.rebuild(term, &values)),
                }
            }
        };
        if found != Err(NoValue::TooLong) {
            self.known.insert(term, found);
        }
        found
    }

    fn applied(&mut self, func: FuncId, values: &[Term]) -> Result<Term, NoValue> {
        let t = self.t;
        let applied = t.apply(func, values);
        if self.open.contains(&applied) {
            return Err(NoValue::Circle);
        }
        if self.open.len() >= DEPTH {
            return Err(NoValue::TooLong);
        }
        self.open.push(applied);
        let cases = t.definition_cases(func, values);
        let built = |(ctor, _): &&(_, Term)| t.op(values[0]) == Op::Construct(*ctor);
        let body = cases
            .iter()
            .find(built)
            .expect("all constructors have one")
            .1;
        let found = self.value(body);
        self.open.pop();
        found
    }
}
