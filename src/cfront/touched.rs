//! What calls of functions change and read that lives longer than a call: variables of the file,
//! and variables of functions that are `static`.
//!
//! Only what is named is seen, in the function or in functions that it calls by their names: not
//! what pointers are used to reach.

use super::lower::declared_name;
use lang_c::ast::{
    BinaryOperator, CallExpression, Declaration, DeclarationSpecifier, Declarator, Expression,
    ExternalDeclaration, FunctionDefinition, MemberOperator, StorageClassSpecifier,
    TranslationUnit, UnaryOperator,
};
use lang_c::span::Span;
use lang_c::visit::{self, Visit};
use std::collections::{BTreeMap, BTreeSet};

/// The variables that something changes and reads, by their names; one of a function `f` that is
/// `static` is `f.variable`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Touched {
    pub(super) changes: BTreeSet<String>,
    pub(super) reads: BTreeSet<String>,
}

impl Touched {
    /// Adds what something else changes and reads.
    pub(super) fn add(&mut self, other: &Touched) {
        self.changes.extend(other.changes.iter().cloned());
        self.reads.extend(other.reads.iter().cloned());
    }
}

/// What a call of each function of a program changes and reads.
pub(super) fn touched(unit: &TranslationUnit) -> BTreeMap<String, Touched> {
    let mut of_file: BTreeSet<&str> = BTreeSet::new();
    let mut functions: Vec<&FunctionDefinition> = Vec::new();
    for item in &unit.0 {
        match &item.node {
            ExternalDeclaration::Declaration(d) => {
                let declarators = d.node.declarators.iter();
                of_file.extend(declarators.filter_map(|d| declared_name(&d.node.declarator.node)));
            }
            ExternalDeclaration::FunctionDefinition(f) => functions.push(&f.node),
            ExternalDeclaration::StaticAssert(_) => {}
        }
    }
    let mut all: BTreeMap<String, Touched> = BTreeMap::new();
    let mut calls: Vec<(String, BTreeSet<&str>)> = Vec::new();
    for function in functions {
        let Some(name) = declared_name(&function.declarator.node) else {
            continue;
        };
        let mut body = Body::default();
        body.visit_function_definition(function, &function.statement.span);
        let lasting = |variable: &&str| -> Option<String> {
            match body.statics.contains(variable) {
                true => Some(format!("{name}.{variable}")),
                false if body.locals.contains(variable) => None,
                false => of_file.contains(variable).then(|| (*variable).to_owned()),
            }
        };
        let own = Touched {
            changes: body.changes.iter().filter_map(lasting).collect(),
            reads: body.reads.iter().filter_map(lasting).collect(),
        };
        all.insert(name.to_owned(), own);
        calls.push((name.to_owned(), body.calls));
    }
    // What is called may call others.
    loop {
        let before = all.clone();
        for (name, called) in &calls {
            for touched in called.iter().filter_map(|called| before.get(*called)) {
                all.get_mut(name).expect("it was added").add(touched);
            }
        }
        if all == before {
            return all;
        }
    }
}

/// The name of the function that a call names.
pub(super) fn called(call: &CallExpression) -> Option<&str> {
    match &call.callee.node {
        Expression::Identifier(name) => Some(&name.node.name),
        _ => None,
    }
}

/// What the text of a function names.
#[derive(Default)]
struct Body<'a> {
    /// The variables and parameters that it declares.
    locals: BTreeSet<&'a str>,
    statics: BTreeSet<&'a str>,
    changes: BTreeSet<&'a str>,
    reads: BTreeSet<&'a str>,
    calls: BTreeSet<&'a str>,
}

impl<'a> Visit<'a> for Body<'a> {
    fn visit_declaration(&mut self, declaration: &'a Declaration, span: &'a Span) {
        let is_static = declaration.specifiers.iter().any(|specifier| {
            matches!(&specifier.node, DeclarationSpecifier::StorageClass(class)
                if class.node == StorageClassSpecifier::Static)
        });
        if is_static {
            let declarators = declaration.declarators.iter();
            let names = declarators.filter_map(|d| declared_name(&d.node.declarator.node));
            self.statics.extend(names);
        }
        visit::visit_declaration(self, declaration, span);
    }

    fn visit_declarator(&mut self, declarator: &'a Declarator, span: &'a Span) {
        self.locals.extend(declared_name(declarator));
        visit::visit_declarator(self, declarator, span);
    }

    fn visit_expression(&mut self, e: &'a Expression, span: &'a Span) {
        match e {
            Expression::Identifier(name) => {
                self.reads.insert(&name.node.name);
            }
            Expression::UnaryOperator(op) if is_step(&op.node.operator.node) => {
                self.changes.extend(variable(&op.node.operand.node));
            }
            Expression::BinaryOperator(op)
                if op.node.operator.node == BinaryOperator::Assign
                    || is_compound_assignment(&op.node.operator.node) =>
            {
                self.changes.extend(variable(&op.node.lhs.node));
            }
            Expression::Call(call) => self.calls.extend(called(&call.node)),
            _ => {}
        }
        visit::visit_expression(self, e, span);
    }
}

/// The variable that a place is, or is a part of.
fn variable(place: &Expression) -> Option<&str> {
    match place {
        Expression::Identifier(name) => Some(&name.node.name),
        Expression::Member(member) if member.node.operator.node == MemberOperator::Direct => {
            variable(&member.node.expression.node)
        }
        Expression::BinaryOperator(op) if op.node.operator.node == BinaryOperator::Index => {
            variable(&op.node.lhs.node)
        }
        _ => None,
    }
}

/// Is it `++` or `--`, before or behind its operand?
pub(super) fn is_step(op: &UnaryOperator) -> bool {
    matches!(
        op,
        UnaryOperator::PostIncrement
            | UnaryOperator::PostDecrement
            | UnaryOperator::PreIncrement
            | UnaryOperator::PreDecrement
    )
}

/// Is it an assignment that reads the old value, as `+=` does?
pub(super) fn is_compound_assignment(op: &BinaryOperator) -> bool {
    matches!(
        op,
        BinaryOperator::AssignMultiply
            | BinaryOperator::AssignDivide
            | BinaryOperator::AssignModulo
            | BinaryOperator::AssignPlus
            | BinaryOperator::AssignMinus
            | BinaryOperator::AssignShiftLeft
            | BinaryOperator::AssignShiftRight
            | BinaryOperator::AssignBitwiseAnd
            | BinaryOperator::AssignBitwiseXor
            | BinaryOperator::AssignBitwiseOr
    )
}
