//! What the core decides.

use crate::smt::Failure;
use crate::term::{BvOp, Op, Term, TermSet, Terms};
use std::cell::RefCell;

/// The subterms that are known to be supported, so that shared subterms are visited once.
#[derive(Debug, Default)]
pub struct Support {
    known: RefCell<TermSet>,
}

impl Support {
    /// Does the core decide formulas with these subterms? Else says which one is too much.
    pub fn check(&self, t: &Terms, formula: Term) -> Result<(), Failure> {
        let mut known = self.known.borrow_mut();
        // Operands first. What is known is not looked into.
        let mut stack = vec![(formula, false)];
        while let Some((term, operands_are_known)) = stack.pop() {
            if known.contains(&term) {
                continue;
            }
            if operands_are_known {
                check_head(t, term)?;
                known.insert(term);
                continue;
            }
            stack.push((term, true));
            let operands = t.args(term).iter().rev();
            stack.extend(operands.map(|&operand| (operand, false)));
        }
        Ok(())
    }
}

/// Does the core decide this formula? Else says which of its subterms is too much.
pub fn supports(t: &Terms, formula: Term) -> Result<(), Failure> {
    Support::default().check(t, formula)
}

/// Products and quotients of bit-vectors have circuits of quadratic size, and the natural number of
/// one has coefficients of quadratic size. Wider ones than this are left to external solvers.
const QUADRATIC_WIDTH: u32 = 1 << 10;
/// Terms of more bits are left to external solvers.
const LINEAR_WIDTH: u32 = 1 << 16;

/// Is the circuit of an operator on bit-vectors small enough to be built?
fn is_circuit_small(t: &Terms, op: BvOp, term: Term) -> bool {
    let width = |x: Term| t.bitvec_width(t.sort_of(x)).unwrap_or(0);
    let args = t.args(term);
    let widest = args.iter().chain([&term]).map(|&x| width(x)).max();
    let limit = match op {
        BvOp::Mul | BvOp::Udiv | BvOp::Urem | BvOp::Sdiv | BvOp::Srem | BvOp::Smod => {
            QUADRATIC_WIDTH
        }
        BvOp::ToNat | BvOp::FromInt(_) => QUADRATIC_WIDTH,
        _ => LINEAR_WIDTH,
    };
    widest.unwrap_or(0) <= limit
}

/// Does the core know the operation at the head of a term? Else says which term is too much. Terms
/// of every sort are known.
pub(super) fn check_head(t: &Terms, term: Term) -> Result<(), Failure> {
    let args = t.args(term);
    let is_known = match t.op(term) {
        Op::Var(_) | Op::Apply(_) | Op::Ite | Op::Eq => true,
        Op::True | Op::False | Op::Not | Op::And | Op::Or => true,
        Op::Number(_) | Op::Add | Op::Le | Op::Lt | Op::Abs => true,
        Op::ToReal | Op::ToInt | Op::IsInt => true,
        // Products of numerals that are too long to be computed are terms.
        Op::Mul => args.iter().skip(1).all(|&x| t.as_number(x).is_none()),
        Op::IDiv | Op::Mod | Op::Div => true,
        Op::Select | Op::Store | Op::ConstArray => true,
        Op::Construct(_) | Op::Field(_) | Op::Is(_) => true,
        Op::BitVec(_) => true,
        Op::Bv(op) => is_circuit_small(t, op, term),
        _ => false,
    };
    if is_known {
        return Ok(());
    }
    let what = format!("{:.100}", t.display(term).to_string());
    Err(Failure::Unsupported(format!(
        "{what} (by the embedded core)"
    )))
}
