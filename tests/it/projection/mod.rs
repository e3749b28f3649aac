//! Model-based projection against enumeration: the result holds in the model, and wherever it holds
//! the eliminated variables have values that satisfy the literals.

mod arith;
mod sorts;
