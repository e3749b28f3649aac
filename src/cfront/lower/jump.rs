//! Labels as values: `&&label`, and `goto *e`.

use super::value::ExprValue;
use super::{Lowered, Lowerer};
use crate::cfront::ir::{Binary, Expr, ExprKind, FuncId, Instr};
use crate::cfront::types::CType;
use lang_c::ast::Expression;
use lang_c::span::Node;
use std::rc::Rc;

impl Lowerer<'_> {
    /// The address of a label of the function under way: that of a function without calls.
    pub(super) fn label_value(&mut self, label: &str) -> ExprValue {
        let func = match self.frame.func {
            // Initial values of statics are given at the start.
            FuncId(0) => self.start.func,
            func => func,
        };
        let key = (func, label.to_owned());
        let address = match self.label_values.get(&key) {
            Some(&address) => address,
            None => {
                let address = self.new_function(format!("&&{label}").into(), CType::Void);
                self.label_values.insert(key, address);
                address
            }
        };
        self.scalar(
            ExprKind::Function(address),
            CType::Pointer(Rc::new(CType::Void)),
        )
    }

    /// `goto *e`: the ways from here are known at the end of the function.
    pub(super) fn computed_goto(&mut self, target: &Node<Expression>) -> Lowered<ExprValue> {
        let value = self.value(target)?;
        let ExprValue::Scalar(target, _) = self.kept(value)? else {
            return self.fail("this is no address of a label");
        };
        self.leave_scopes(0);
        if !self.probing {
            self.frame.jumps.push((self.frame.at, target));
        }
        self.frame.at = self.node();
        Ok(ExprValue::Void)
    }

    /// The ways of all computed jumps of the function under way. A jump to what is no label of it
    /// has no meaning.
    pub(super) fn settle_jumps(&mut self) {
        let jumps = std::mem::take(&mut self.frame.jumps);
        if jumps.is_empty() {
            return;
        }
        let own = self
            .label_values
            .iter()
            .filter(|((func, _), _)| *func == self.frame.func);
        let mut labels: Vec<(FuncId, String)> = own
            .map(|((_, name), &address)| (address, name.clone()))
            .collect();
        labels.sort_unstable();
        for (address, name) in labels {
            let node = self.label(&name);
            for (from, target) in &jumps {
                let address = Expr {
                    kind: ExprKind::Function(address),
                    ty: target.ty,
                };
                let is_here = self.arithmetic(Binary::Eq, target.clone(), address);
                self.connect(*from, node, Instr::Assume(is_here, true));
            }
        }
    }
}
