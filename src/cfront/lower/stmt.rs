//! Statements.

use super::{Cases, Lowered, Lowerer, NotLowered};
use crate::cfront::ir::{Binary, Expr, ExprKind, Instr, Lvalue, NodeId};
use crate::cfront::types::{CType, IntType};
use lang_c::ast::{
    BlockItem, Expression, ForInitializer, ForStatement, IfStatement, Label, LabeledStatement,
    Statement, SwitchStatement,
};
use lang_c::span::Node;

impl Lowerer<'_> {
    pub(super) fn statement(&mut self, s: &Node<Statement>) -> Lowered<()> {
        self.see(s.span);
        match &s.node {
            Statement::Labeled(labeled) => self.labeled(&labeled.node),
            Statement::Compound(items) => self.block(items),
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(e)) => self.value(e).map(drop),
            Statement::If(s) => self.if_statement(&s.node),
            Statement::Switch(s) => self.switch(&s.node),
            Statement::While(s) => self.while_loop(&s.node.expression, &s.node.statement),
            Statement::DoWhile(s) => self.do_loop(&s.node.statement, &s.node.expression),
            Statement::For(s) => {
                self.enter();
                let done = self.for_loop(&s.node);
                self.leave();
                done
            }
            Statement::Goto(name) => {
                let target = self.label(&name.node.name.clone());
                self.jump(target);
                Ok(())
            }
            Statement::Continue => match self.frame.continues.last().copied() {
                Some(target) => {
                    self.jump(target);
                    Ok(())
                }
                None => self.fail("`continue` outside of a loop"),
            },
            Statement::Break => match self.frame.breaks.last().copied() {
                Some(target) => {
                    self.jump(target);
                    Ok(())
                }
                None => self.fail("`break` outside of a loop and `switch`"),
            },
            Statement::Return(value) => self.return_statement(value.as_deref()),
            Statement::Asm(_) => super::unsupported("`asm`"),
        }
    }

    /// Statements one after the other, in the scope that there is.
    pub(super) fn block_items(&mut self, items: &[Node<BlockItem>]) -> Lowered<()> {
        for item in items {
            self.see(item.span);
            match &item.node {
                BlockItem::Declaration(d) => self.declaration(d, false)?,
                BlockItem::StaticAssert(_) => {}
                BlockItem::Statement(s) => self.statement(s)?,
            }
        }
        Ok(())
    }

    /// A statement within another: what is not supported there ends the path there.
    fn inner(&mut self, s: &Node<Statement>) -> Lowered<()> {
        let done = self.statement(s);
        self.recover(done).map_err(NotLowered::Error)
    }

    /// A condition: where it is not supported, both ways are left to labels.
    fn test(&mut self, e: &Node<Expression>, yes: NodeId, no: NodeId) -> Lowered<()> {
        let done = self.branch(e, yes, no);
        self.recover(done).map_err(NotLowered::Error)
    }

    fn label(&mut self, name: &str) -> NodeId {
        if let Some(&node) = self.frame.labels.get(name) {
            return node;
        }
        let node = self.node();
        self.frame.labels.insert(name.to_owned(), node);
        node
    }

    fn labeled(&mut self, s: &LabeledStatement) -> Lowered<()> {
        let here = match &s.label.node {
            Label::Identifier(name) => {
                let name = &name.node.name;
                let node = self.label(name);
                let place = self.place.clone();
                self.frame.cfa.nodes[node.0].place = place;
                if !self.frame.defined.insert(name.clone()) {
                    return self.fail(format!("the label `{name}` is defined twice"));
                }
                self.connect(self.frame.at, node, Instr::Skip);
                self.frame.at = node;
                if name == "ERROR" && self.spec.label {
                    self.errors.push(s.statement.span.start);
                    self.end_path(Some(Instr::Error("label ERROR".into())));
                }
                return self.inner(&s.statement);
            }
            Label::Case(e) => {
                let value = self.case_value(e)?;
                Some((value, value))
            }
            Label::CaseRange(range) => {
                let low = self.case_value(&range.node.low)?;
                Some((low, self.case_value(&range.node.high)?))
            }
            Label::Default => None,
        };
        let node = self.node();
        self.connect(self.frame.at, node, Instr::Skip);
        self.frame.at = node;
        let Some(cases) = self.frame.switches.last_mut() else {
            return self.fail("a case outside of a `switch`");
        };
        match here {
            Some((low, high)) => cases.cases.push((low, high, node)),
            None => cases.default = Some(node),
        }
        self.inner(&s.statement)
    }

    fn case_value(&mut self, e: &Node<Expression>) -> Lowered<i128> {
        match self.constant(e)? {
            Some(value) => Ok(value),
            None => self.fail("the value of this case is not constant"),
        }
    }

    fn if_statement(&mut self, s: &IfStatement) -> Lowered<()> {
        let (yes, no, join) = (self.node(), self.node(), self.node());
        self.test(&s.condition, yes, no)?;
        self.frame.at = yes;
        self.inner(&s.then_statement)?;
        self.connect(self.frame.at, join, Instr::Skip);
        self.frame.at = no;
        if let Some(otherwise) = &s.else_statement {
            self.inner(otherwise)?;
        }
        self.connect(self.frame.at, join, Instr::Skip);
        self.frame.at = join;
        Ok(())
    }

    /// The head of a loop, here.
    fn loop_head(&mut self) -> NodeId {
        let head = self.node();
        self.frame.cfa.nodes[head.0].loop_head = true;
        self.connect(self.frame.at, head, Instr::Skip);
        self.frame.at = head;
        head
    }

    fn loop_body(&mut self, s: &Node<Statement>, after: NodeId, next: NodeId) -> Lowered<()> {
        self.frame.breaks.push(after);
        self.frame.continues.push(next);
        let done = self.inner(s);
        self.frame.breaks.pop();
        self.frame.continues.pop();
        done
    }

    fn while_loop(&mut self, condition: &Node<Expression>, body: &Node<Statement>) -> Lowered<()> {
        let head = self.loop_head();
        let (inside, after) = (self.node(), self.node());
        self.test(condition, inside, after)?;
        self.frame.at = inside;
        self.loop_body(body, after, head)?;
        self.connect(self.frame.at, head, Instr::Skip);
        self.frame.at = after;
        Ok(())
    }

    fn do_loop(&mut self, body: &Node<Statement>, condition: &Node<Expression>) -> Lowered<()> {
        let head = self.loop_head();
        let (next, after) = (self.node(), self.node());
        self.loop_body(body, after, next)?;
        self.connect(self.frame.at, next, Instr::Skip);
        self.frame.at = next;
        self.test(condition, head, after)?;
        self.frame.at = after;
        Ok(())
    }

    fn for_loop(&mut self, s: &ForStatement) -> Lowered<()> {
        match &s.initializer.node {
            ForInitializer::Empty | ForInitializer::StaticAssert(_) => {}
            ForInitializer::Expression(e) => drop(self.value(e)?),
            ForInitializer::Declaration(d) => self.declaration(d, false)?,
        }
        let head = self.loop_head();
        let (inside, next, after) = (self.node(), self.node(), self.node());
        match &s.condition {
            Some(condition) => self.test(condition, inside, after)?,
            None => self.connect(head, inside, Instr::Skip),
        }
        self.frame.at = inside;
        self.loop_body(&s.statement, after, next)?;
        self.connect(self.frame.at, next, Instr::Skip);
        self.frame.at = next;
        if let Some(step) = &s.step {
            self.value(step)?;
        }
        self.connect(self.frame.at, head, Instr::Skip);
        self.frame.at = after;
        Ok(())
    }

    fn switch(&mut self, s: &SwitchStatement) -> Lowered<()> {
        let (value, ty) = self.integer(&s.expression)?;
        let ty = ty.promoted();
        let subject = self.temporary(CType::Int(ty));
        let value = super::expr::convert(value, ty);
        self.step(Instr::Assign(subject.clone(), value));
        let head = self.frame.at;
        let after = self.node();
        self.frame.switches.push(Cases::default());
        self.frame.breaks.push(after);
        self.frame.at = self.node();
        let done = self.inner(&s.statement);
        self.frame.breaks.pop();
        let cases = self.frame.switches.pop().expect("pushed above");
        done?;
        self.connect(self.frame.at, after, Instr::Skip);
        self.frame.at = head;
        for (low, high, target) in cases.cases {
            let test = self.in_range(&subject, ty, low, high);
            let other = self.node();
            self.connect(self.frame.at, target, Instr::Assume(test.clone(), true));
            self.connect(self.frame.at, other, Instr::Assume(test, false));
            self.frame.at = other;
        }
        self.connect(self.frame.at, cases.default.unwrap_or(after), Instr::Skip);
        self.frame.at = after;
        Ok(())
    }

    fn in_range(&self, subject: &Lvalue, ty: IntType, low: i128, high: i128) -> Expr {
        let value = Expr {
            kind: ExprKind::Load(Box::new(subject.clone())),
            ty,
        };
        let (low, high) = (Expr::constant(low, ty), Expr::constant(high, ty));
        if low == high {
            return self.arithmetic(Binary::Eq, value, low);
        }
        let above = self.arithmetic(Binary::Le, low, value.clone());
        let below = self.arithmetic(Binary::Le, value, high);
        Expr {
            kind: ExprKind::Both(Box::new(above), Box::new(below)),
            ty: IntType::INT,
        }
    }

    fn return_statement(&mut self, value: Option<&Node<Expression>>) -> Lowered<()> {
        if let Some(e) = value {
            let value = self.value(e)?;
            if let Some(result) = self.functions[self.frame.func.0].result {
                let ty = self.functions[self.frame.func.0].result_ty.clone();
                self.assign(&Lvalue::of(result, ty), value)?;
            }
        }
        let exit = NodeId(self.frame.cfa.exit);
        self.jump(exit);
        Ok(())
    }
}
