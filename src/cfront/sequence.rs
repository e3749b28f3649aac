//! Changes of a variable that are not in order with other changes or reads of it, as in `i = i++`:
//! such expressions have no meaning (C11, 6.5, paragraph 2).
//!
//! What an expression does is collected from its parts. Parts whose order C leaves open must not
//! change what another one changes or reads. An assignment comes after the values of its parts, but
//! not after the changes that these may still have to make.
//!
//! Only variables and their members are compared. Two pointers to one variable are not recognised,
//! and elements of arrays are left out.

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, Expression, MemberExpression,
    MemberOperator, TranslationUnit, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};
use lang_c::visit::Visit;

/// An expression without a meaning: where it begins in the text, and why.
pub(crate) type Unsequenced = (usize, String);

/// The expressions without a meaning in a program, in its order. Of one that has several reasons,
/// the first one.
pub(crate) fn unsequenced(unit: &TranslationUnit) -> Vec<Unsequenced> {
    let mut search = Search { found: Vec::new() };
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
}

impl Effects {
    /// Those of this and then those of another, whatever is between.
    fn add(&mut self, other: Effects) {
        self.reads.extend(other.reads);
        self.changes.extend(other.changes);
        self.late.extend(other.late);
        self.fault = self.fault.take().or(other.fault);
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
        self.add(other);
        self.fault = self.fault.take().or(fault);
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
    found: Vec<Unsequenced>,
}

impl<'e> Visit<'e> for Search {
    /// An expression that is no part of another one.
    fn visit_expression(&mut self, e: &'e Expression, span: &'e Span) {
        if let Some(fault) = self.effects(e).fault {
            self.found.push((span.start, fault));
        }
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
            UnaryOperator::PostIncrement
            | UnaryOperator::PostDecrement
            | UnaryOperator::PreIncrement
            | UnaryOperator::PreDecrement => {
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
            BinaryOperator::AssignMultiply
            | BinaryOperator::AssignDivide
            | BinaryOperator::AssignModulo
            | BinaryOperator::AssignPlus
            | BinaryOperator::AssignMinus
            | BinaryOperator::AssignShiftLeft
            | BinaryOperator::AssignShiftRight
            | BinaryOperator::AssignBitwiseAnd
            | BinaryOperator::AssignBitwiseXor
            | BinaryOperator::AssignBitwiseOr => {
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
        parts.before(Effects::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfront::parse::parse_expression;

    /// Why an expression has no meaning.
    fn fault(text: &str) -> Option<String> {
        let e = parse_expression(text, &[]).expect("it is an expression");
        let mut search = Search { found: Vec::new() };
        search.visit_expression(&e.node, &e.span);
        search.found.pop().map(|(_, why)| why)
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
