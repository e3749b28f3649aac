//! Models back as invariants at loop heads, in C syntax.
//!
//! Conjuncts that C cannot say (arrays, variables of callers, values that a function was called
//! with) are left out, which makes the invariant weaker, never wrong.

use super::encode::PredInfo;
use super::express::{Expressions, plain};
use super::ir::{CfaNode, FuncId, ObjectId, ObjectKind};
use super::memory::PartId;
use super::source::Place;
use super::types::CType;
use super::{CProgram, Encoded};
use crate::chc::{Model, PredId};
use crate::term::Term;
use rustc_hash::{FxHashMap, FxHashSet};

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
    /// The same for people: short, and over mathematical numbers.
    pub text: String,
}

/// A point, its function, whether a loop begins there, and its formulas, exactly and for people.
type Found = (Place, String, bool, Vec<(String, String)>);

impl Encoded<'_> {
    /// The invariants that a model of the system says of the program's cutpoints, in the order of
    /// places. A point that is in the encoding several times, for several calls of its function,
    /// has the disjunction.
    pub fn invariants(&self, model: &Model) -> Vec<Invariant> {
        let mut found: Vec<Found> = Vec::new();
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
            // The loops of models are none of the program's.
            let in_model = self.program.program.function(point.func).library;
            if in_model || interpretation.body == Term::FALSE {
                continue;
            }
            let names: FxHashMap<Term, String> = (interpretation.params.iter().skip(*given))
                .zip(parts)
                .filter_map(|(&param, &part)| Some((param, self.c_name(point, part)?)))
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
        let invariant = |(place, function, at_loop, formulas): Found| {
            let (formulas, texts) = formulas.into_iter().unzip();
            Invariant {
                place,
                function,
                at_loop,
                formula: disjunction(formulas),
                text: disjunction(texts),
            }
        };
        found.into_iter().map(invariant).collect()
    }

    /// The name of a variable at a point, where it has one.
    fn c_name(&self, point: &CfaNode, part: PartId) -> Option<String> {
        let CProgram {
            program, memory, ..
        } = self.program;
        let info = &memory.parts[part.0];
        let cell = info.cells.first().filter(|_| info.visible)?;
        // Addresses are the encoding's own, and so are the numbers of floating-point values.
        let ty = &memory.points_to.leaves[cell.object.0][cell.leaf].ty;
        if ty.is_pointer() || matches!(ty, CType::Float(_)) {
            return None;
        }
        let object = program.object(cell.object);
        let is_meant = match &point.scope {
            Some(scope) => match scope.inner.get(&object.name) {
                Some(&meant) => meant == Some(cell.object),
                None => cell.object.0 < scope.declared && program.globals.contains(&cell.object),
            },
            None => self.is_only(cell.object, point.func),
        };
        is_meant.then(|| info.name.to_string())
    }

    /// Is this a variable of the function or of the program, and the only one of its name there?
    /// For points that are no places of the text.
    fn is_only(&self, object: ObjectId, func: FuncId) -> bool {
        let program = &self.program.program;
        let seen = |kind: ObjectKind| {
            matches!(kind, ObjectKind::Static) || kind == ObjectKind::Local(func)
        };
        let own = program.object(object);
        let mut others = program.objects.iter().enumerate();
        seen(own.kind)
            && others
                .all(|(at, other)| at == object.0 || other.name != own.name || !seen(other.kind))
    }

    /// A formula in C, exactly and for people: the conjuncts that C can say.
    fn c_formula(&self, body: Term, names: &FxHashMap<Term, String>) -> (String, String) {
        let mut expressions = Expressions::new(self.t, names);
        let conjuncts = self.t.conjuncts(body).into_iter();
        let mut told: FxHashSet<String> = FxHashSet::default();
        let (conjuncts, texts): (Vec<String>, Vec<String>) = conjuncts
            .filter_map(|f| {
                let exact = expressions.write(f)?;
                let text = plain(self.t, names, f).unwrap_or_else(|| exact.clone());
                // Different formulas may say the same in C.
                told.insert(text.clone()).then_some((exact, text))
            })
            .unzip();
        if conjuncts.is_empty() {
            return ("1".to_owned(), "1".to_owned());
        }
        if let [text] = &texts[..] {
            return (conjuncts.join(" && "), text.clone());
        }
        let texts = texts.into_iter().map(|text| match text.contains("||") {
            true => format!("({text})"),
            false => text,
        });
        (
            conjuncts.join(" && "),
            texts.collect::<Vec<_>>().join(" && "),
        )
    }
}

/// One of several formulas holds.
fn disjunction(formulas: Vec<String>) -> String {
    match &formulas[..] {
        [one] => one.clone(),
        several if several.iter().any(|f| f == "1") => "1".to_owned(),
        several => {
            let each: Vec<String> = several.iter().map(|f| format!("({f})")).collect();
            each.join(" || ")
        }
    }
}
