//! Statements.

use super::literal::string_bytes;
use super::watch::Outcome;
use super::{Cases, Lowered, Lowerer, NotLowered};
use crate::cfront::ir::{Binary, Expr, ExprKind, Instr, Lvalue, NodeId};
use crate::cfront::types::{CType, IntType};
use lang_c::ast::{
    AsmStatement, BlockItem, Expression, ForInitializer, ForStatement, GnuAsmOperand, IfStatement,
    Label, LabeledStatement, Statement, StringLiteral, SwitchStatement,
};
use lang_c::span::Node;

impl Lowerer<'_> {
    pub(super) fn statement(&mut self, s: &Node<Statement>) -> Lowered<()> {
        self.see(s.span);
        let start = s.span.start;
        if !matches!(s.node, Statement::Labeled(_)) {
            self.before_statement(start)?;
        }
        match &s.node {
            Statement::Labeled(labeled) => self.labeled(&labeled.node, start),
            Statement::Compound(items) => self.block(items),
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(e)) => self.evaluated(e),
            Statement::If(s) => self.scoped(|lowerer| lowerer.if_statement(&s.node, start)),
            Statement::Switch(s) => self.scoped(|lowerer| lowerer.switch(&s.node, start)),
            Statement::While(s) => {
                let s = &s.node;
                self.scoped(|lowerer| lowerer.while_loop(&s.expression, &s.statement, start))
            }
            Statement::DoWhile(s) => {
                let s = &s.node;
                self.scoped(|lowerer| lowerer.do_loop(&s.statement, &s.expression, start))
            }
            Statement::For(s) => self.scoped(|lowerer| lowerer.for_loop(&s.node, start)),
            Statement::Goto(name) => {
                let target = self.label(&name.node.name.clone());
                self.leave_scopes(0);
                self.jump(target);
                Ok(())
            }
            Statement::Continue => match self.frame.continues.last().copied() {
                Some((target, scopes)) => {
                    self.leave_scopes(scopes);
                    self.jump(target);
                    Ok(())
                }
                None => self.fail("`continue` outside of a loop"),
            },
            Statement::Break => match self.frame.breaks.last().copied() {
                Some((target, scopes)) => {
                    self.leave_scopes(scopes);
                    self.jump(target);
                    Ok(())
                }
                None => self.fail("`break` outside of a loop and `switch`"),
            },
            Statement::Return(value) => self.return_statement(value.as_deref()),
            Statement::Asm(asm) => self.assembly(&asm.node),
        }
    }

    /// Does something in a new scope: types can be declared in any expression of a statement.
    fn scoped(&mut self, action: impl FnOnce(&mut Self) -> Lowered<()>) -> Lowered<()> {
        self.enter();
        let done = action(self);
        self.leave();
        done
    }

    /// `asm` without instructions, whose outputs are inputs as well, only keeps the compiler from
    /// moving what is around it.
    fn assembly(&mut self, asm: &AsmStatement) -> Lowered<()> {
        let is_empty =
            |template: &StringLiteral| string_bytes(template).iter().all(u8::is_ascii_whitespace);
        let is_barrier = match asm {
            AsmStatement::GnuBasic(template) => is_empty(&template.node),
            AsmStatement::GnuExtended(asm) => {
                let is_kept = |output: &Node<GnuAsmOperand>| {
                    string_bytes(&output.node.constraints.node).first() == Some(&b'+')
                };
                is_empty(&asm.template.node) && asm.outputs.iter().all(is_kept)
            }
        };
        if !is_barrier {
            return super::unsupported("`asm`");
        }
        if let AsmStatement::GnuExtended(asm) = asm {
            for operand in asm.outputs.iter().chain(&asm.inputs) {
                self.evaluated(&operand.node.variable_name)?;
            }
        }
        Ok(())
    }

    /// An expression whose value is not used.
    pub(super) fn evaluated(&mut self, e: &Node<Expression>) -> Lowered<()> {
        let value = self.value(e)?;
        self.drop_value(&value);
        Ok(())
    }

    /// Statements one after the other, in the scope that there is.
    pub(super) fn block_items(&mut self, items: &[Node<BlockItem>]) -> Lowered<()> {
        for item in items {
            self.see(item.span);
            match &item.node {
                BlockItem::Declaration(d) => {
                    self.before_statement(item.span.start)?;
                    self.declaration(d, false)?;
                }
                BlockItem::StaticAssert(a) => self.static_assertion(a)?,
                BlockItem::Statement(s) => self.statement(s)?,
            }
        }
        Ok(())
    }

    /// A statement with a label: what is not supported there ends the path there.
    fn inner(&mut self, s: &Node<Statement>) -> Lowered<()> {
        let done = self.recover(|lowerer| lowerer.statement(s));
        done.map_err(NotLowered::Error)
    }

    /// The statement that a branching or a loop is over, which is a block (C11, 6.8.4 and 6.8.5).
    fn substatement(&mut self, s: &Node<Statement>) -> Lowered<()> {
        let done = self.recover(|lowerer| lowerer.scoped(|lowerer| lowerer.statement(s)));
        done.map_err(NotLowered::Error)
    }

    /// A condition of a branching with its keyword at one of these places: where it is not
    /// supported, both ways are left to labels.
    fn test(
        &mut self,
        e: &Node<Expression>,
        yes: NodeId,
        no: NodeId,
        keywords: &[usize],
    ) -> Lowered<()> {
        let (yes, no) = self.branches(keywords, yes, no)?;
        let done = self.recover(|lowerer| lowerer.branch(e, yes, no));
        done.map_err(NotLowered::Error)
    }

    pub(super) fn label(&mut self, name: &str) -> NodeId {
        if let Some(&node) = self.frame.labels.get(name) {
            return node;
        }
        let node = self.node();
        if self.probing {
            // The point is taken back.
            return node;
        }
        self.frame.labels.insert(name.to_owned(), node);
        node
    }

    fn labeled(&mut self, s: &LabeledStatement, start: usize) -> Lowered<()> {
        let here = match &s.label.node {
            Label::Identifier(_) => {
                self.labeled_point(s, start)?;
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
        self.before_statement(start)?;
        let Some(cases) = self.frame.switches.last_mut() else {
            return self.fail("a case outside of a `switch`");
        };
        match here {
            Some((low, high)) => cases.cases.push((low, high, node)),
            None => cases.default = Some(node),
        }
        self.inner(&s.statement)
    }

    /// The point that a name is the label of, here.
    pub(super) fn labeled_point(&mut self, s: &LabeledStatement, start: usize) -> Lowered<()> {
        let Label::Identifier(name) = &s.label.node else {
            return Ok(());
        };
        let name = &name.node.name;
        let node = self.label(name);
        if !self.probing {
            self.frame.cfa.nodes[node.0].place = self.place.clone();
            if !self.frame.defined.insert(name.clone()) {
                return self.fail(format!("the label `{name}` is defined twice"));
            }
        }
        self.connect(self.frame.at, node, Instr::Skip);
        self.frame.at = node;
        self.before_statement(start)?;
        if name == "ERROR" && self.spec.label && !self.probing {
            self.errors.push(s.statement.span.start);
            self.error_here("label ERROR", &[s.statement.span.start])?;
        }
        Ok(())
    }

    fn case_value(&mut self, e: &Node<Expression>) -> Lowered<i128> {
        match self.constant(e)? {
            Some(value) => Ok(value),
            None => self.fail("the value of this case is not constant"),
        }
    }

    fn if_statement(&mut self, s: &IfStatement, start: usize) -> Lowered<()> {
        let (yes, no, join) = (self.node(), self.node(), self.node());
        self.test(&s.condition, yes, no, &[start])?;
        self.frame.at = yes;
        self.substatement(&s.then_statement)?;
        self.connect(self.frame.at, join, Instr::Skip);
        self.frame.at = no;
        if let Some(otherwise) = &s.else_statement {
            self.substatement(otherwise)?;
        }
        self.connect(self.frame.at, join, Instr::Skip);
        self.frame.at = join;
        Ok(())
    }

    /// The head of the loop that begins at `start`, here.
    fn loop_head(&mut self, start: usize) -> Lowered<NodeId> {
        let head = self.node();
        if self.models.inside() {
            self.connect(self.frame.at, head, Instr::Skip);
            self.frame.at = head;
            return Ok(head);
        }
        let place = self.source.place(start);
        let scope = self.scope();
        let node = &mut self.frame.cfa.nodes[head.0];
        (node.loop_head, node.place, node.scope) = (true, place, Some(scope.into()));
        self.connect(self.frame.at, head, Instr::Skip);
        self.frame.at = head;
        self.at_loop_head(start)?;
        Ok(head)
    }

    fn loop_body(&mut self, s: &Node<Statement>, after: NodeId, next: NodeId) -> Lowered<()> {
        self.frame.breaks.push((after, self.scopes.len()));
        self.frame.continues.push((next, self.scopes.len()));
        let done = self.substatement(s);
        self.frame.breaks.pop();
        self.frame.continues.pop();
        done
    }

    fn while_loop(
        &mut self,
        condition: &Node<Expression>,
        body: &Node<Statement>,
        start: usize,
    ) -> Lowered<()> {
        let head = self.loop_head(start)?;
        let (inside, after) = (self.node(), self.node());
        self.test(condition, inside, after, &[start])?;
        self.frame.at = inside;
        self.loop_body(body, after, head)?;
        self.connect(self.frame.at, head, Instr::Skip);
        self.frame.at = after;
        Ok(())
    }

    fn do_loop(
        &mut self,
        body: &Node<Statement>,
        condition: &Node<Expression>,
        start: usize,
    ) -> Lowered<()> {
        let head = self.loop_head(start)?;
        let (next, after) = (self.node(), self.node());
        self.loop_body(body, after, next)?;
        self.connect(self.frame.at, next, Instr::Skip);
        self.frame.at = next;
        // The branching is known by `do` as well as by `while`.
        let before = self.source.text.get(..condition.span.start).unwrap_or("");
        let keyword = before.rfind("while").unwrap_or(start);
        self.test(condition, head, after, &[start, keyword])?;
        self.frame.at = after;
        Ok(())
    }

    fn for_loop(&mut self, s: &ForStatement, start: usize) -> Lowered<()> {
        match &s.initializer.node {
            ForInitializer::Empty => {}
            ForInitializer::StaticAssert(a) => self.static_assertion(a)?,
            ForInitializer::Expression(e) => self.evaluated(e)?,
            ForInitializer::Declaration(d) => self.declaration(d, false)?,
        }
        let head = self.loop_head(start)?;
        let (inside, next, after) = (self.node(), self.node(), self.node());
        match &s.condition {
            Some(condition) => self.test(condition, inside, after, &[start])?,
            None => {
                let inside = self.way(&[start], Outcome::Truth(true), inside)?;
                self.connect(self.frame.at, inside, Instr::Skip);
            }
        }
        self.frame.at = inside;
        self.loop_body(&s.statement, after, next)?;
        self.connect(self.frame.at, next, Instr::Skip);
        self.frame.at = next;
        if let Some(step) = &s.step {
            self.evaluated(step)?;
        }
        self.connect(self.frame.at, head, Instr::Skip);
        self.frame.at = after;
        Ok(())
    }

    fn switch(&mut self, s: &SwitchStatement, start: usize) -> Lowered<()> {
        let (value, ty) = self.integer(&s.expression)?;
        let ty = ty.promoted();
        let subject = self.temporary(CType::Int(ty));
        let value = super::expr::convert(value, ty);
        self.step(Instr::Assign(subject.clone(), value));
        let head = self.frame.at;
        let after = self.node();
        self.frame.switches.push(Cases::default());
        self.frame.breaks.push((after, self.scopes.len()));
        self.frame.at = self.node();
        let done = self.substatement(&s.statement);
        self.frame.breaks.pop();
        let cases = self.frame.switches.pop().expect("pushed above");
        done?;
        self.connect(self.frame.at, after, Instr::Skip);
        self.frame.at = head;
        let mut all = Vec::new();
        for (low, high, target) in cases.cases {
            // A waypoint may speak of one value of a range.
            let single = self.cases_within(start, low, high).into_iter();
            all.extend(single.map(|value| (value, value, target)));
            all.push((low, high, target));
        }
        for (low, high, target) in all {
            let target = self.way(&[start], Outcome::Case(low), target)?;
            let test = self.in_range(&subject, ty, low, high);
            let other = self.node();
            self.connect(self.frame.at, target, Instr::Assume(test.clone(), true));
            self.connect(self.frame.at, other, Instr::Assume(test, false));
            self.frame.at = other;
        }
        let other = cases.default.unwrap_or(after);
        let other = self.way(&[start], Outcome::Default, other)?;
        self.connect(self.frame.at, other, Instr::Skip);
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
