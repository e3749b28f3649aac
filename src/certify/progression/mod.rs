//! Values that change by the same amount in each iteration of a loop, and what terms over them are.
//!
//! A term over arithmetic progressions is one itself, as long as the operators are linear. A
//! comparison of two of them is decided for all iterations at once: what is linear in the number of
//! the iteration and lies on one side of 0 in the first and in the last iteration, does so between
//! them. What is not decided has no progression. That makes a check incomplete, never wrong.
//!
//! Bit-vectors are residues of progressions of integers modulo 2ʷ. Where their unsigned or signed
//! value counts, the progression must lie in one copy of the range of these values.

#[cfg(test)]
mod tests;

use crate::chc::Change;
use crate::number::Rational;
use crate::term::{
    BitVec, BvOp, CtorId, Evaluator, Op, Sort, SortKind, Term, TermMap, Terms, Unspecified, Value,
};
use std::iter::zip;

/// The value of a term in each iteration of a loop.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Progression {
    /// It is always this one.
    Same(Value),
    /// A number, or a bit-vector as the residue of an integer.
    Linear(Line),
    /// A value of a datatype with this constructor and these fields.
    Fields(CtorId, Vec<Progression>),
}

/// `start + by·i` in iteration i, counted from 0.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Line {
    start: Rational,
    by: Rational,
}

impl Line {
    fn constant(start: Rational) -> Line {
        Line {
            start,
            by: Rational::zero(),
        }
    }

    fn at(&self, iteration: &Rational) -> Rational {
        &self.start + &(&self.by * iteration)
    }

    fn scaled(&self, factor: &Rational) -> Line {
        Line {
            start: &self.start * factor,
            by: &self.by * factor,
        }
    }

    fn plus(&self, other: &Line) -> Line {
        Line {
            start: &self.start + &other.start,
            by: &self.by + &other.by,
        }
    }

    fn shifted(&self, by: &Rational) -> Line {
        self.plus(&Line::constant(by.clone()))
    }

    fn minus(&self, other: &Line) -> Line {
        self.plus(&other.scaled(&Rational::from(-1)))
    }
}

impl Progression {
    /// That of a value which changes in this way; `None` if the change does not fit it.
    pub(super) fn of(value: &Value, change: &Change) -> Option<Progression> {
        Some(match (value, change) {
            (_, Change::None) => Progression::Same(value.clone()),
            (Value::Number(start), Change::By(by)) => Progression::Linear(Line {
                start: start.clone(),
                by: by.clone(),
            }),
            (Value::BitVec(start), Change::By(by)) if by.is_integer() => {
                Progression::Linear(Line {
                    start: start.to_nat(),
                    by: by.clone(),
                })
            }
            (Value::Datatype(data), Change::Fields(changes))
                if data.fields().len() == changes.len() =>
            {
                let fields = zip(data.fields(), changes).map(|(x, by)| Progression::of(x, by));
                Progression::Fields(data.ctor(), fields.collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }

    /// Is it a progression of values of that sort?
    pub(super) fn is_of(&self, t: &Terms, sort: Sort) -> bool {
        match (self, t.sort_kind(sort)) {
            (Progression::Same(value), _) => value.is_of(t, sort),
            (Progression::Linear(line), SortKind::Int | SortKind::BitVec(_)) => {
                line.start.is_integer() && line.by.is_integer()
            }
            (Progression::Linear(_), SortKind::Real) => true,
            (Progression::Fields(ctor, fields), SortKind::Datatype(id)) => {
                let decl = t.ctor(*ctor);
                decl.datatype == *id
                    && decl.fields.len() == fields.len()
                    && zip(&decl.fields, fields)
                        .all(|(&selector, field)| field.is_of(t, t.selector(selector).sort))
            }
            _ => false,
        }
    }

    /// The value of that sort in an iteration, counted from 0.
    pub(super) fn value(&self, t: &Terms, sort: Sort, iteration: &Rational) -> Option<Value> {
        Some(match self {
            Progression::Same(value) => value.clone(),
            Progression::Linear(line) => number(t, sort, line.at(iteration)),
            Progression::Fields(ctor, fields) => {
                let selectors = &t.ctor(*ctor).fields;
                let values = zip(selectors, fields)
                    .map(|(&selector, field)| field.value(t, t.selector(selector).sort, iteration));
                Value::datatype(t, *ctor, values.collect::<Option<_>>()?)
            }
        })
    }

    /// Has it the same value of that sort as another one, in each iteration? That it has not is
    /// not said.
    pub(super) fn is_same(&self, t: &Terms, sort: Sort, other: &Progression) -> bool {
        match (self, other) {
            (Progression::Fields(x, fields), Progression::Fields(y, others)) => {
                let selectors = &t.ctor(*x).fields;
                let mut all = zip(selectors, zip(fields, others));
                x == y && all.all(|(&selector, (x, y))| x.is_same(t, t.selector(selector).sort, y))
            }
            (Progression::Same(x), Progression::Same(y)) => x == y,
            _ => match (self.line(), other.line()) {
                (Some(x), Some(y)) => is_zero(t, sort, &x.minus(&y)),
                _ => false,
            },
        }
    }

    /// In each iteration, the value of the iteration before, and what comes before the first.
    pub(super) fn before(&self) -> Progression {
        match self {
            Progression::Same(_) => self.clone(),
            Progression::Linear(line) => Progression::Linear(line.shifted(&-&line.by)),
            Progression::Fields(ctor, fields) => {
                Progression::Fields(*ctor, fields.iter().map(Progression::before).collect())
            }
        }
    }

    /// Has it the same value of that sort as another one in each iteration? `None` if that is not
    /// decided, as where it depends on the iteration.
    fn equals(&self, t: &Terms, sort: Sort, other: &Progression, last: &Rational) -> Option<bool> {
        match (self, other) {
            (Progression::Same(x), Progression::Same(y)) => {
                (x == y || !t.has_open_equality(sort)).then(|| x == y)
            }
            (Progression::Fields(x, fields), Progression::Fields(y, others)) => {
                if x != y {
                    return Some(false);
                }
                let selectors = &t.ctor(*x).fields;
                let all = zip(selectors, zip(fields, others))
                    .map(|(&selector, (x, y))| x.equals(t, t.selector(selector).sort, y, last));
                conjunction(all)
            }
            (Progression::Fields(ctor, fields), Progression::Same(Value::Datatype(data)))
            | (Progression::Same(Value::Datatype(data)), Progression::Fields(ctor, fields)) => {
                if data.ctor() != *ctor {
                    return Some(false);
                }
                let selectors = &t.ctor(*ctor).fields;
                let all = zip(selectors, zip(fields, data.fields())).map(|(&selector, (x, y))| {
                    let same = Progression::Same(y.clone());
                    x.equals(t, t.selector(selector).sort, &same, last)
                });
                conjunction(all)
            }
            _ => {
                let difference = self.line()?.minus(&other.line()?);
                if is_zero(t, sort, &difference) {
                    return Some(true);
                }
                let (first, last) = (difference.start.clone(), difference.at(last));
                let meets = match t.bitvec_width(sort) {
                    // A multiple of 2ʷ lies between them, or is one of them.
                    Some(width) => {
                        let size = power(width);
                        (&first / &size).floor() != (&last / &size).floor()
                            || first.is_divisible_by(&size)
                            || last.is_divisible_by(&size)
                    }
                    None => {
                        !(first.is_positive() && last.is_positive()
                            || first.is_negative() && last.is_negative())
                    }
                };
                (!meets).then_some(false)
            }
        }
    }

    /// The line, if it is a number or a bit-vector.
    fn line(&self) -> Option<Line> {
        match self {
            Progression::Linear(line) => Some(line.clone()),
            Progression::Same(Value::Number(number)) => Some(Line::constant(number.clone())),
            Progression::Same(Value::BitVec(bits)) => Some(Line::constant(bits.to_nat())),
            _ => None,
        }
    }

    fn constant(&self) -> Option<Rational> {
        match self {
            Progression::Same(Value::Number(number)) => Some(number.clone()),
            Progression::Same(Value::BitVec(bits)) => Some(bits.to_nat()),
            _ => None,
        }
    }

    fn truth(&self) -> Option<bool> {
        match self {
            Progression::Same(value) => value.as_bool(),
            _ => None,
        }
    }
}

/// Is a line 0, or for bit-vectors a multiple of 2ʷ, in each iteration, however many there are?
fn is_zero(t: &Terms, sort: Sort, line: &Line) -> bool {
    match t.bitvec_width(sort) {
        Some(width) => {
            let size = power(width);
            line.start.is_divisible_by(&size) && line.by.is_divisible_by(&size)
        }
        None => line.start.is_zero() && line.by.is_zero(),
    }
}

/// A number as a value of a sort; an integer, if the sort is one of bit-vectors.
fn number(t: &Terms, sort: Sort, number: Rational) -> Value {
    match t.bitvec_width(sort) {
        Some(width) => Value::BitVec(BitVec::from_int(&number.numer(), width)),
        None => Value::Number(number),
    }
}

/// The number of bit-vectors of a width.
fn power(width: u32) -> Rational {
    Rational::from(2).pow(width)
}

/// Are all true? One that is false decides it.
fn conjunction(all: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut result = Some(true);
    for one in all {
        match one {
            Some(false) => return Some(false),
            Some(true) => {}
            None => result = None,
        }
    }
    result
}

/// What terms over variables with progressions are.
pub(super) struct Progressions<'t> {
    terms: &'t Terms,
    /// The number of the last iteration.
    last: Rational,
    vars: TermMap<Progression>,
    /// The progressions of terms that are known; `None` where there is none.
    known: TermMap<Option<Progression>>,
    /// The variables that are always the same, for terms over them.
    constant: Evaluator<'t>,
}

impl<'t> Progressions<'t> {
    /// For variables with these progressions, in iterations 0 to `last`, an integer.
    pub(super) fn new(terms: &'t Terms, last: Rational, vars: TermMap<Progression>) -> Self {
        let constant = vars.iter().filter_map(|(&var, progression)| {
            let Progression::Same(value) = progression else {
                return None;
            };
            Some((var, value.clone()))
        });
        Progressions {
            terms,
            last,
            constant: Evaluator::with(terms, Unspecified::Refuse, constant.collect::<Vec<_>>()),
            vars,
            known: TermMap::default(),
        }
    }

    /// The progression of a term; `None` if it has none, or none that is found.
    pub(super) fn of(&mut self, term: Term) -> Option<Progression> {
        for part in self.terms.post_order([term]) {
            if !self.known.contains_key(&part) {
                let found = self.of_part(part);
                self.known.insert(part, found);
            }
        }
        self.known[&term].clone()
    }

    /// That of a term whose parts are known.
    fn of_part(&mut self, term: Term) -> Option<Progression> {
        if let Some(known) = self.vars.get(&term) {
            return Some(known.clone());
        }
        if let Ok(value) = self.constant.eval(term) {
            return Some(Progression::Same(value));
        }
        let t = self.terms;
        let args: Vec<Option<&Progression>> = t
            .args(term)
            .iter()
            .map(|arg| self.known[arg].as_ref())
            .collect();
        let truth = |at: usize| args[at].and_then(Progression::truth);
        let all = || args.iter().copied().collect::<Option<Vec<&Progression>>>();
        match t.op(term) {
            Op::Not => truth_of(!truth(0)?),
            Op::And => truth_of(conjunction((0..args.len()).map(truth))?),
            Op::Or => {
                let denied = (0..args.len()).map(|at| truth(at).map(|x| !x));
                truth_of(!conjunction(denied)?)
            }
            Op::Ite => match truth(0) {
                Some(true) => args[1].cloned(),
                Some(false) => args[2].cloned(),
                None => None,
            },
            Op::Construct(ctor) => {
                let fields = all()?.into_iter().cloned();
                Some(Progression::Fields(ctor, fields.collect()))
            }
            Op::Is(ctor) => match args[0]? {
                Progression::Fields(own, _) => truth_of(*own == ctor),
                _ => None,
            },
            Op::Field(selector) => match (args[0]?, t.selector(selector)) {
                (Progression::Fields(own, fields), decl) if *own == decl.ctor => {
                    Some(fields[decl.index as usize].clone())
                }
                _ => None,
            },
            Op::Eq => {
                let sort = t.sort_of(t.args(term)[0]);
                truth_of(args[0]?.equals(t, sort, args[1]?, &self.last)?)
            }
            Op::Bv(op) => self.of_bits(term, op, &all()?),
            op => self.of_number(term, op, &all()?),
        }
    }

    /// That of an arithmetic term.
    fn of_number(&self, term: Term, op: Op, args: &[&Progression]) -> Option<Progression> {
        let line = |at: usize| args[at].line();
        let all = || -> Option<Vec<Line>> { args.iter().map(|arg| arg.line()).collect() };
        let line = match op {
            Op::Add => sum(&all()?),
            Op::Mul => product(&all()?)?,
            Op::Div => line(0)?.scaled(&Rational::one().checked_div(&args[1].constant()?)?),
            Op::IDiv => self.quotient(&line(0)?, &args[1].constant()?)?,
            Op::Mod => {
                let (line, divisor) = (line(0)?, args[1].constant()?);
                line.minus(&self.quotient(&line, &divisor)?.scaled(&divisor))
            }
            Op::Abs => match (line(0)?, Line::constant(Rational::zero())) {
                (line, zero) if self.is_at_most(&zero, &line)? => line,
                (line, _) => line.scaled(&Rational::from(-1)),
            },
            Op::ToReal => line(0)?,
            Op::ToInt | Op::IsInt => {
                let line = line(0)?;
                if !line.start.is_integer() || !line.by.is_integer() {
                    return None;
                }
                if op == Op::IsInt {
                    return truth_of(true);
                }
                line
            }
            Op::Le => return truth_of(self.is_at_most(&line(0)?, &line(1)?)?),
            Op::Lt => return truth_of(!self.is_at_most(&line(1)?, &line(0)?)?),
            _ => return None,
        };
        Some(self.linear(term, line))
    }

    /// That of a term over bit-vectors.
    fn of_bits(&self, term: Term, op: BvOp, args: &[&Progression]) -> Option<Progression> {
        let t = self.terms;
        let width = |at: usize| t.bitvec_width(t.sort_of(t.args(term)[at]));
        let line = |at: usize| args[at].line();
        let unsigned = |at: usize| self.in_copy(&line(at)?, &Rational::zero(), width(at)?);
        let signed = |at: usize| {
            let width = width(at)?;
            self.in_copy(&line(at)?, &power(width.checked_sub(1)?), width)
        };
        // The place by which a vector is shifted; one that is the width or more is the width.
        let place = |width: u32| -> Option<u32> {
            let place = args[1].constant()?.to_i64();
            let place = place.and_then(|place| u32::try_from(place).ok());
            Some(place.map_or(width, |place| place.min(width)))
        };
        let all = || -> Option<Vec<Line>> { args.iter().map(|arg| arg.line()).collect() };
        let line = match op {
            BvOp::Not => line(0)?
                .scaled(&Rational::from(-1))
                .shifted(&Rational::from(-1)),
            BvOp::Neg => line(0)?.scaled(&Rational::from(-1)),
            BvOp::Add => sum(&all()?),
            BvOp::Mul => product(&all()?)?,
            BvOp::Concat => line(0)?.scaled(&power(width(1)?)).plus(&unsigned(1)?),
            BvOp::Extract { lo: 0, .. } => line(0)?,
            BvOp::Extract { lo, .. } => self.quotient(&unsigned(0)?, &power(lo))?,
            BvOp::ZeroExtend(_) | BvOp::ToNat => unsigned(0)?,
            BvOp::SignExtend(_) => signed(0)?,
            BvOp::FromInt(_) => line(0)?,
            BvOp::Shl => line(0)?.scaled(&power(place(width(0)?)?)),
            BvOp::Lshr => self.quotient(&unsigned(0)?, &power(place(width(0)?)?))?,
            BvOp::Ashr => self.quotient(&signed(0)?, &power(place(width(0)?)?))?,
            BvOp::Udiv => self.quotient(&unsigned(0)?, &args[1].constant()?)?,
            BvOp::Urem => {
                let (line, divisor) = (unsigned(0)?, args[1].constant()?);
                line.minus(&self.quotient(&line, &divisor)?.scaled(&divisor))
            }
            BvOp::Ule => return truth_of(self.is_at_most(&unsigned(0)?, &unsigned(1)?)?),
            BvOp::Ult => return truth_of(!self.is_at_most(&unsigned(1)?, &unsigned(0)?)?),
            BvOp::Sle => return truth_of(self.is_at_most(&signed(0)?, &signed(1)?)?),
            BvOp::Slt => return truth_of(!self.is_at_most(&signed(1)?, &signed(0)?)?),
            _ => return None,
        };
        Some(self.linear(term, line))
    }

    /// The progression of a term that is this line. That of a bit-vector gets the least numbers.
    fn linear(&self, term: Term, mut line: Line) -> Progression {
        let (t, sort) = (self.terms, self.terms.sort_of(term));
        if let Some(width) = t.bitvec_width(sort) {
            let by = BitVec::from_int(&line.by.numer(), width).signed();
            line = Line {
                start: BitVec::from_int(&line.start.numer(), width).to_nat(),
                by: Rational::from_big_parts(by, 1.into()),
            };
        }
        match line.by.is_zero() {
            true => Progression::Same(number(t, sort, line.start)),
            false => Progression::Linear(line),
        }
    }

    /// Is one line at most another in each iteration? `None` if that depends on the iteration.
    fn is_at_most(&self, x: &Line, y: &Line) -> Option<bool> {
        let difference = x.minus(y);
        let (first, last) = (&difference.start, difference.at(&self.last));
        match (first.is_positive(), last.is_positive()) {
            (false, false) => Some(true),
            (true, true) => Some(false),
            _ => None,
        }
    }

    /// The quotient of integers as SMT-LIB defines it, by a divisor that is not 0.
    fn quotient(&self, line: &Line, divisor: &Rational) -> Option<Line> {
        if divisor.is_zero() || !line.start.is_integer() || !line.by.is_integer() {
            return None;
        }
        let first = line.start.div_euclid(divisor);
        if line.by.is_divisible_by(divisor) {
            return Some(Line {
                start: first,
                by: &line.by / divisor,
            });
        }
        (first == line.at(&self.last).div_euclid(divisor)).then(|| Line::constant(first))
    }

    /// The line moved by a multiple of 2ʷ, so that it is at least `-below` and less than
    /// `2ʷ - below` in each iteration; `None` if there is no such multiple.
    fn in_copy(&self, line: &Line, below: &Rational, width: u32) -> Option<Line> {
        let size = power(width);
        let copy = |x: &Rational| (&(x + below) / &size).floor();
        let first = copy(&line.start);
        (first == copy(&line.at(&self.last))).then(|| line.shifted(&-(&first * &size)))
    }
}

fn truth_of(truth: bool) -> Option<Progression> {
    Some(Progression::Same(Value::Bool(truth)))
}

fn sum(lines: &[Line]) -> Line {
    let zero = Line::constant(Rational::zero());
    lines.iter().fold(zero, |sum, line| sum.plus(line))
}

/// The product of lines of which at most one grows.
fn product(lines: &[Line]) -> Option<Line> {
    let one = Line::constant(Rational::one());
    lines.iter().try_fold(one, |product, line| {
        match (product.by.is_zero(), line.by.is_zero()) {
            (_, true) => Some(product.scaled(&line.start)),
            (true, _) => Some(line.scaled(&product.start)),
            _ => None,
        }
    })
}
