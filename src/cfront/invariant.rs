//! Models back as invariants at loop heads, in C syntax.
//!
//! A formula over mathematical integers is written such that C computes the same: with sums and products in `long long`. Conjuncts that
//! C cannot say (arrays, variables of callers, values that a function was called with) are left out, which makes the invariant weaker, never
//! wrong.

use super::encode::PredInfo;
use super::ir::ObjectKind;
use super::memory::PartId;
use super::source::Place;
use super::{CProgram, Encoded};
use crate::chc::{Model, PredId};
use crate::term::{Op, Term, TermMap};
use rustc_hash::FxHashMap;

/// An invariant of a point of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// The point.
    pub place: Place,
    /// The function whose text it is in.
    pub function: String,
    /// Does a loop statement begin there?
    pub at_loop: bool,
    /// A C expression; `1` where C cannot say more.
    pub formula: String,
}

/// Formulas of more text than this are not written as C.
const LONGEST: usize = 20_000;

impl Encoded<'_> {
    /// The invariants that a model of the system says of the program's cutpoints, in the order of places. A point that is in the
    /// encoding several times, for several calls of its function, has the disjunction.
    pub fn invariants(&self, model: &Model) -> Vec<Invariant> {
        let mut found: Vec<(Place, String, bool, Vec<String>)> = Vec::new();
        for (at, info) in self.encoding.preds.iter().enumerate() {
            let PredInfo::Point {
                root,
                node,
                given,
                parts,
            } = info
            else {
                continue;
            };
            let point = &self.encoding.flow.roots[*root].cfa.nodes[*node];
            let interpretation = model.get(PredId(u32::try_from(at).expect("few predicates")));
            if interpretation.body == Term::FALSE {
                continue;
            }
            let names: FxHashMap<Term, String> = (interpretation.params.iter().skip(*given))
                .zip(parts)
                .filter_map(|(&param, &part)| Some((param, self.c_name(point.func, part)?)))
                .collect();
            let formula = self.c_formula(interpretation.body, &names);
            let function = self.program.program.function(point.func).name.to_string();
            match found
                .iter_mut()
                .find(|f| f.0 == point.place && f.1 == function)
            {
                Some(known) => {
                    known.2 |= point.loop_head;
                    if !known.3.contains(&formula) {
                        known.3.push(formula);
                    }
                }
                None => found.push((
                    point.place.clone(),
                    function,
                    point.loop_head,
                    vec![formula],
                )),
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        let invariant =
            |(place, function, at_loop, formulas): (Place, String, bool, Vec<String>)| {
                let formula = match &formulas[..] {
                    [one] => one.clone(),
                    several if several.iter().any(|f| f == "1") => "1".to_owned(),
                    several => {
                        let each: Vec<String> = several.iter().map(|f| format!("({f})")).collect();
                        each.join(" || ")
                    }
                };
                Invariant {
                    place,
                    function,
                    at_loop,
                    formula,
                }
            };
        found.into_iter().map(invariant).collect()
    }

    /// The name of a variable in the text of a function, where it has one.
    fn c_name(&self, func: super::ir::FuncId, part: PartId) -> Option<String> {
        let CProgram {
            program, memory, ..
        } = self.program;
        let info = &memory.parts[part.0];
        let cell = info.cells.first().filter(|_| info.visible)?;
        // Addresses are the encoding's own.
        if memory.points_to.leaves[cell.object.0][cell.leaf]
            .ty
            .is_pointer()
        {
            return None;
        }
        let object = program.object(cell.object);
        let seen = match object.kind {
            ObjectKind::Static => true,
            ObjectKind::Local(f) => f == func,
            ObjectKind::Heap(_) => false,
        };
        // Another variable of that name may be the one that is meant there.
        let hidden = program.objects.iter().enumerate().any(|(at, other)| {
            at != cell.object.0
                && other.name == object.name
                && (other.kind == ObjectKind::Local(func) || other.kind == ObjectKind::Static)
        });
        (seen && !hidden).then(|| info.name.to_string())
    }

    /// A formula in C: the conjuncts that C can say.
    fn c_formula(&self, body: Term, names: &FxHashMap<Term, String>) -> String {
        let mut written = Writer {
            encoded: self,
            names,
            known: TermMap::default(),
        };
        let conjuncts = self.t.conjuncts(body).into_iter();
        let conjuncts: Vec<String> = conjuncts.filter_map(|f| written.formula(f)).collect();
        if conjuncts.is_empty() {
            return "1".to_owned();
        }
        conjuncts.join(" && ")
    }
}

struct Writer<'a, 'p> {
    encoded: &'a Encoded<'p>,
    names: &'a FxHashMap<Term, String>,
    known: TermMap<Option<String>>,
}

impl Writer<'_, '_> {
    /// A conjunct, with brackets where it needs them; `None` where C cannot say it.
    fn formula(&mut self, formula: Term) -> Option<String> {
        let t = self.encoded.t;
        for term in t.post_order([formula]) {
            let text = self.term(term);
            self.known.insert(term, text);
        }
        self.known.get(&formula).cloned().flatten()
    }

    /// A term whose parts are written.
    fn term(&self, term: Term) -> Option<String> {
        let t = self.encoded.t;
        let mut args = Vec::new();
        for arg in t.args(term) {
            args.push(self.known.get(arg)?.as_deref()?);
        }
        let text = match (t.op(term), &args[..]) {
            (Op::True, _) => "1".to_owned(),
            (Op::False, _) => "0".to_owned(),
            (Op::Var(_), _) => self.names.get(&term)?.clone(),
            (Op::Number(id), _) => number(&t.number_value(id).to_integer()?)?,
            (Op::Not, [a]) => format!("!({a})"),
            (Op::And, args) => format!("({})", args.join(" && ")),
            (Op::Or, args) => format!("({})", args.join(" || ")),
            (Op::Eq, [a, b]) => format!("({a} == {b})"),
            (Op::Le, [a, b]) => format!("({a} <= {b})"),
            (Op::Lt, [a, b]) => format!("({a} < {b})"),
            (Op::Ite, [c, a, b]) => format!("({c} ? {a} : {b})"),
            (Op::Add, [first, rest @ ..]) => {
                format!("((long long)({first}) + {})", rest.join(" + "))
            }
            (Op::Mul, [a, b]) => format!("((long long)({a}) * {b})"),
            // The remainder of SMT-LIB is never negative.
            (Op::Mod, [a, b]) if self.is_positive(t.args(term)[1]) => {
                format!("((({a}) % {b} + {b}) % {b})")
            }
            (Op::IDiv, [a, b]) if self.is_positive(t.args(term)[1]) => {
                format!("((({a}) - ((({a}) % {b} + {b}) % {b})) / {b})")
            }
            _ => return None,
        };
        (text.len() <= LONGEST).then_some(text)
    }

    fn is_positive(&self, term: Term) -> bool {
        let number = self.encoded.t.as_number(term);
        number.is_some_and(|number| number.is_positive())
    }
}

/// A number that `long long` holds.
fn number(value: &num_bigint::BigInt) -> Option<String> {
    let value = i64::try_from(value).ok()?;
    if i32::try_from(value).is_ok() && value > i64::from(i32::MIN) {
        return Some(if value < 0 {
            format!("({value})")
        } else {
            value.to_string()
        });
    }
    (value > i64::MIN).then(|| format!("({value}LL)"))
}
