//! Changes of a variable that are not in order with other changes or reads of it, as in `i = i++`:
//! such expressions have no meaning (C11, 6.5, paragraph 2).
//!
//! What an expression does is collected from its parts. Parts whose order C leaves open must not
//! change what another one changes or reads. An assignment comes after the values of its parts, but
//! not after the changes that these may still have to make.
//!
//! Only variables and their members are compared. Two pointers to one variable are not recognised,
//! and elements of arrays are left out.
//!
//! Calls are in some order with all else, which C leaves open as well. An expression that depends
//! on it has a meaning, though not one alone.

use super::touched::{Touched, called, is_compound_assignment, is_step, touched};
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, Expression, MemberExpression,
    MemberOperator, TranslationUnit, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;
use std::collections::{BTreeMap, BTreeSet};

/// What depends on an order that C leaves open.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenOrder<P> {
    /// Where expressions have no meaning, and why. Of one that has several reasons, the first one.
    pub(crate) undefined: Vec<(P, String)>,
    /// Where it matters which call is first, and why; likewise.
    pub(crate) calls: Vec<(P, String)>,
}

impl<P> OpenOrder<P> {
    /// The same at places that are given in another way.
    pub(crate) fn map<Q>(self, place: impl Fn(P) -> Q) -> OpenOrder<Q> {
        let map = |list: Vec<(P, String)>| list.into_iter().map(|(at, why)| (place(at), why));
        OpenOrder {
            undefined: map(self.undefined).collect(),
            calls: map(self.calls).collect(),
        }
    }
}

/// The expressions of a program that depend on an order, in the program's order; where they begin
/// in the text.
pub(crate) fn open_order(unit: &TranslationUnit) -> OpenOrder<usize> {
    let mut search = Search {
        functions: touched(unit),
        found: OpenOrder::default(),
    };
    search.visit_translation_unit(unit);
    search.found
}

/// What an expression does to variables, each by its name or as `variable.member`.
#[derive(Default)]
struct Effects {
    reads: Vec<String>,
    changes: Vec<String>,
    /// The changes that may come after the value of the expression.
    late: Vec<String>,
    /// Why the expression has no meaning.
    fault: Option<String>,
    /// What the functions do that it calls.
    called: Touched,
    /// Why it matters which call is first.
    order: Option<String>,
}

impl Effects {
    /// Those of this and then those of another, whatever is between.
    fn add(&mut self, other: Effects) {
        self.reads.extend(other.reads);
        self.changes.extend(other.changes);
        self.late.extend(other.late);
        self.fault = self.fault.take().or(other.fault);
        self.called.add(&other.called);
        self.order = self.order.take().or(other.order);
    }

    /// A variable that calls of this change and that the other one changes or reads.
    fn disturbs<'s>(&'s self, other: &Effects) -> Option<&'s String> {
        let mut changes = self.called.changes.iter();
        changes.find(|name| {
            let is_called = |names: &BTreeSet<String>| names.contains(*name);
            let is_named =
                |names: &[String]| first_common(std::slice::from_ref(name), names).is_some();
            is_called(&other.called.changes)
                || is_called(&other.called.reads)
                || is_named(&other.changes)
                || is_named(&other.reads)
        })
    }

    /// Those of two parts whose order is open.
    fn beside(mut self, other: Effects) -> Effects {
        let twice = first_common(&self.changes, &other.changes);
        let read = first_common(&self.changes, &other.reads);
        let read = read.or_else(|| first_common(&other.changes, &self.reads));
        let fault = match (twice, read) {
            (Some(name), _) => Some(changed_twice(name)),
            (None, Some(name)) => Some(format!(
                "`{name}` is changed and read, and C leaves open which is first"
            )),
            (None, None) => None,
        };
        let disturbed = self.disturbs(&other).or_else(|| other.disturbs(&self));
        let order = disturbed.map(|name| {
            format!("a call changes `{name}`, and C leaves open whether before another use of it")
        });
        self.add(other);
        self.fault = self.fault.take().or(fault);
        self.order = self.order.take().or(order);
        self
    }

    /// Those of this part, and then those of another, with a sequence point between.
    fn before(mut self, other: Effects) -> Effects {
        self.late.clear();
        self.add(other);
        self
    }

    /// These, and then a change of a place.
    fn then_change(mut self, place: Option<String>) -> Effects {
        let Some(name) = place else {
            return self;
        };
        if let Some(name) = first_common(std::slice::from_ref(&name), &self.late) {
            let fault = changed_twice(name);
            self.fault.get_or_insert(fault);
        }
        self.changes.push(name.clone());
        self.late.push(name);
        self
    }
}

fn changed_twice(name: &str) -> String {
    format!("`{name}` is changed twice, and C leaves open which is first")
}

/// The first of some places that is another one, a part of another one, or has another one as a
/// part.
fn first_common<'n>(places: &'n [String], others: &[String]) -> Option<&'n str> {
    let is_part = |part: &str, whole: &str| {
        let rest = part.strip_prefix(whole);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let mut places = places.iter().map(String::as_str);
    places.find(|place| {
        let mut others = others.iter();
        others.any(|other| is_part(place, other) || is_part(other, place))
    })
}

/// The place that an expression denotes, if it is a variable or a member of one.
fn place(e: &Expression) -> Option<String> {
    match e {
        Expression::Identifier(name) => Some(name.node.name.clone()),
        Expression::Member(member) => {
            let whole = place(&member.node.expression.node)?;
            let sign = match member.node.operator.node {
                MemberOperator::Direct => ".",
                MemberOperator::Indirect => "->",
            };
            Some(format!("{whole}{sign}{}", member.node.identifier.node.name))
        }
        _ => None,
    }
}

struct Search {
    /// What a call of each function changes and reads.
    functions: BTreeMap<String, Touched>,
    found: OpenOrder<usize>,
}

impl<'e> Visit<'e> for Search {
    /// An expression that is no part of another one.
    fn visit_expression(&mut self, e: &'e Expression, span: &'e Span) {
        let Effects { fault, order, .. } = self.effects(e);
        self.found
            .undefined
            .extend(fault.map(|why| (span.start, why)));
        self.found.calls.extend(order.map(|why| (span.start, why)));
    }
}

impl<'e> Search {
    fn of(&mut self, e: &'e Node<Expression>) -> Effects {
        self.effects(&e.node)
    }

    /// What the evaluation of an expression does.
    fn effects(&mut self, e: &'e Expression) -> Effects {
        match e {
            Expression::Identifier(_) | Expression::Member(_) => {
                let mut effects = self.denoting(e);
                effects.reads.extend(place(e));
                effects
            }
            Expression::UnaryOperator(op) => self.unary(&op.node),
            Expression::BinaryOperator(op) => self.binary(&op.node),
            Expression::Call(call) => self.call(&call.node),
            Expression::Cast(cast) => self.of(&cast.node.expression),
            Expression::Conditional(choice) => {
                let mut either = self.of(&choice.node.then_expression);
                either.add(self.of(&choice.node.else_expression));
                self.of(&choice.node.condition).before(either)
            }
            Expression::Comma(parts) => (parts.iter()).fold(Effects::default(), |before, part| {
                before.before(self.of(part))
            }),
            // The expressions in it are whole ones.
            Expression::Statement(statement) => {
                self.visit_statement(&statement.node, &statement.span);
                Effects::default()
            }
            Expression::CompoundLiteral(literal) => {
                for part in &literal.node.initializer_list {
                    self.visit_initializer_list_item(&part.node, &part.span);
                }
                Effects::default()
            }
            // What is not evaluated, and a selection by types, whose types are not known here.
            Expression::Constant(_)
            | Expression::StringLiteral(_)
            | Expression::SizeOfTy(_)
            | Expression::SizeOfVal(_)
            | Expression::AlignOf(_)
            | Expression::OffsetOf(_)
            | Expression::VaArg(_)
            | Expression::GenericSelection(_) => Effects::default(),
        }
    }

    /// What finding the place does that an expression denotes.
    fn denoting(&mut self, e: &'e Expression) -> Effects {
        match e {
            Expression::Identifier(_) => Effects::default(),
            Expression::Member(member) => self.denoting_member(&member.node),
            Expression::UnaryOperator(op)
                if op.node.operator.node == UnaryOperator::Indirection =>
            {
                self.of(&op.node.operand)
            }
            other => self.effects(other),
        }
    }

    fn denoting_member(&mut self, member: &'e MemberExpression) -> Effects {
        match member.operator.node {
            MemberOperator::Direct => self.denoting(&member.expression.node),
            MemberOperator::Indirect => self.of(&member.expression),
        }
    }

    fn unary(&mut self, op: &'e UnaryOperatorExpression) -> Effects {
        let operand = &op.operand;
        match op.operator.node {
            ref step if is_step(step) => {
                let mut effects = self.denoting(&operand.node);
                effects.reads.extend(place(&operand.node));
                effects.then_change(place(&operand.node))
            }
            UnaryOperator::Address => self.denoting(&operand.node),
            _ => self.of(operand),
        }
    }

    fn binary(&mut self, op: &'e BinaryOperatorExpression) -> Effects {
        let (lhs, rhs) = (&op.lhs, &op.rhs);
        match op.operator.node {
            BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => {
                self.of(lhs).before(self.of(rhs))
            }
            BinaryOperator::Assign => {
                let parts = self.denoting(&lhs.node).beside(self.of(rhs));
                parts.then_change(place(&lhs.node))
            }
            ref compound if is_compound_assignment(compound) => {
                let mut old = self.denoting(&lhs.node);
                old.reads.extend(place(&lhs.node));
                old.beside(self.of(rhs)).then_change(place(&lhs.node))
            }
            _ => self.of(lhs).beside(self.of(rhs)),
        }
    }

    /// The arguments are complete before the function runs.
    fn call(&mut self, call: &'e CallExpression) -> Effects {
        let callee = self.of(&call.callee);
        let arguments = call.arguments.iter();
        let parts = arguments.fold(callee, |others, argument| others.beside(self.of(argument)));
        let function = called(call).and_then(|name| self.functions.get(name));
        parts.before(Effects {
            called: function.cloned().unwrap_or_default(),
            ..Effects::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfront::parse::parse_expression;

    /// Why an expression has no meaning.
    fn fault(text: &str) -> Option<String> {
        let e = parse_expression(text, &[]).expect("it is an expression");
        let mut search = Search {
            functions: BTreeMap::new(),
            found: OpenOrder::default(),
        };
        search.visit_expression(&e.node, &e.span);
        search.found.undefined.pop().map(|(_, why)| why)
    }

    #[test]
    fn changes_in_no_order() {
        for (text, name) in [
            ("i = i++", "i"),
            ("i = ++i + 1", "i"),
            ("i = i++ + i", "i"),
            ("i++ + i", "i"),
            ("i + i--", "i"),
            ("a[i] = i++", "i"),
            ("a[i++] = i", "i"),
            ("a[i] = i = 3", "i"),
            ("f(i, i++)", "i"),
            ("f(i++, i++)", "i"),
            ("i += i++", "i"),
            ("(i = 1) + (i = 2)", "i"),
            ("(i = 3, 4) + i", "i"),
            ("*p++ = *p", "p"),
            ("s.x = s.x++", "s.x"),
            ("(s = t).x + s.x", "s"),
            ("p->x = p->x++", "p->x"),
            // The place of the assignment is found before or after the change of `p`.
            ("p->next = p = q", "p"),
            ("i = k ? i++ : 2", "i"),
            ("k && (j = j++)", "j"),
            ("(int) (i++ - i)", "i"),
            ("f(k)[i] = ({ i = i++; 3; })", "i"),
            ("*&i = f(j = j--)", "j"),
        ] {
            let why = fault(text).unwrap_or_default();
            assert!(
                why.starts_with(&format!("`{name}` is changed ")),
                "{text}: {why}"
            );
        }
        assert_eq!(
            fault("i = i++").as_deref(),
            Some("`i` is changed twice, and C leaves open which is first")
        );
        assert_eq!(
            fault("i + i++").as_deref(),
            Some("`i` is changed and read, and C leaves open which is first")
        );
    }

    #[test]
    fn calls_in_no_order() {
        const HEAD: &str = "int c, d, *p; int next(void) { return ++c; } \
            int get(void) { return c; } int via(void) { int d = 0; d++; return next() + d; } \
            int own(void) { static int n; return n++; } int pure(int x) { return x + d; }";
        for (expression, name) in [
            ("next() + next()", Some("c")),
            ("pure(next()) - get()", Some("c")),
            ("pure(1) + via() * c", Some("c")),
            ("f(own(), own())", Some("own.n")),
            ("c += next()", Some("c")),
            ("p[c] = next()", Some("c")),
            ("c = next()", None),
            ("get() + get()", None),
            ("pure(next()) + d", None),
            ("next() && next()", None),
            ("next(), c", None),
            ("via() + d", None),
            ("c ? next() : get()", None),
        ] {
            let text = format!("{HEAD} int main(void) {{ {expression}; }}");
            let unit = lang_c::driver::parse_preprocessed(&lang_c::driver::Config::default(), text);
            let found = open_order(&unit.expect("it is a program").unit);
            let why = found.calls.first().map(|(_, why)| why.as_str());
            let expected = name.map(|name| format!("a call changes `{name}`"));
            assert_eq!(why.is_some(), expected.is_some(), "{expression}");
            if let (Some(why), Some(expected)) = (why, expected) {
                assert!(why.starts_with(&expected), "{expression}: {why}");
            }
            assert!(found.undefined.is_empty(), "{expression}");
        }
    }

    #[test]
    fn changes_in_order() {
        for text in [
            "i = i + 1",
            "i = (i++, 5)",
            "i = f(i++)",
            "i++ && i++",
            "i++ || --i",
            "i++ ? i : --i",
            "i++, i++",
            "p = p->next = q",
            "x = y = x",
            "a[i++] = a[j++]",
            "s.x = s.y++",
            "s.x++ + s.xy",
            "sizeof(i++) + i++",
            "*p = *q++",
            "&i + i++",
            "f(g(i++), k)",
            "a[i]++ + a[j]++",
            "i = ({ i++; })",
        ] {
            assert_eq!(fault(text), None, "{text}");
        }
    }
}
