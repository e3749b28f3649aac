//! Certificates: checked, written, and the gate that no answer passes without one.

mod cases;
mod check;
mod counter;
mod gate;
mod iterations;
mod quantified;
mod text;
