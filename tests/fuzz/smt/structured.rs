//! Profiles with arrays, datatypes, and functions over both.

use super::generate::{PLAIN, Profile, Shape};

/// What these profiles have in common.
const STRUCTURED: Profile = Profile {
    bools: 2,
    ints: 3,
    depth: 2,
    ..PLAIN
};

/// The profiles, by turns.
pub(crate) const PROFILES: [Profile; 8] = [
    Profile {
        name: "arrays",
        declarations: ARRAYS,
        ..STRUCTURED
    },
    Profile {
        name: "arrays-finite",
        // Few numbers, so that there are fewer values than places.
        bound: Some(2),
        declarations: ARRAYS_FINITE,
        ..STRUCTURED
    },
    Profile {
        name: "datatypes",
        declarations: DATATYPES,
        ..STRUCTURED
    },
    Profile {
        name: "arrays-datatypes",
        declarations: ARRAYS_DATATYPES,
        ..STRUCTURED
    },
    Profile {
        name: "nested",
        declarations: NESTED,
        ..STRUCTURED
    },
    Profile {
        name: "uf-mixed",
        declarations: FUNCTIONS,
        ..STRUCTURED
    },
    Profile {
        name: "pdr-arrays",
        depth: 1,
        shape: Shape::Pdr,
        declarations: ARRAYS,
        ..STRUCTURED
    },
    Profile {
        name: "pdr-datatypes",
        depth: 1,
        shape: Shape::Pdr,
        declarations: STATES,
        ..STRUCTURED
    },
];

/// Rows and matrices.
const ARRAYS: &str = "
(declare-const a0 (Array Int Int))
(declare-const a1 (Array Int Int))
(declare-const a2 (Array Int Int))
(declare-const m0 (Array Int (Array Int Int)))
(declare-const m1 (Array Int (Array Int Int)))
";

/// Finitely many indices, elements, or both.
const ARRAYS_FINITE: &str = "
(declare-datatype Colour ((red) (green) (blue)))
(declare-const c0 Colour)
(declare-const c1 Colour)
(declare-const s0 (Array Int Bool))
(declare-const s1 (Array Int Bool))
(declare-const t0 (Array Bool Int))
(declare-const t1 (Array Bool Int))
(declare-const u0 (Array Colour Int))
(declare-const u1 (Array Colour Int))
(declare-const v0 (Array Colour Bool))
(declare-const v1 (Array Colour Bool))
(declare-const w0 (Array Bool Colour))
";

/// Two finite datatypes, a record, lists, and trees whose children are in lists.
const DATATYPES: &str = "
(declare-datatype Colour ((red) (green) (blue)))
(declare-datatype Choice ((nothing) (just (it Colour))))
(declare-datatype Pair ((pair (number Int) (flag Bool))))
(declare-datatype List ((nil) (cons (head Int) (tail List))))
(declare-datatypes ((Tree 0) (Forest 0)) (
  ((leaf) (node (label Int) (children Forest)))
  ((empty) (plant (tree Tree) (others Forest)))))
(declare-const c0 Colour)
(declare-const c1 Colour)
(declare-const o0 Choice)
(declare-const o1 Choice)
(declare-const p0 Pair)
(declare-const p1 Pair)
(declare-const l0 List)
(declare-const l1 List)
(declare-const l2 List)
(declare-const x0 Tree)
(declare-const x1 Tree)
(declare-const y0 Forest)
";

/// Arrays with their lengths, arrays of these with a number, and an array whose indices have
/// arrays: the state of a contract as the Solidity compiler has it.
const ARRAYS_DATATYPES: &str = "
(declare-datatype Row ((row (cells (Array Int Int)) (length Int))))
(declare-datatype Contract ((contract (balance Int) (rows (Array Int Row)))))
(declare-const a0 (Array Int Int))
(declare-const r0 Row)
(declare-const r1 Row)
(declare-const m0 (Array Int Row))
(declare-const k0 (Array Row Int))
(declare-const s0 Contract)
(declare-const s1 Contract)
";

/// Trees whose children are in an array.
const NESTED: &str = "
(declare-datatype Rope ((end (weight Int)) (split (strands (Array Int Rope)))))
(declare-const a0 (Array Int Rope))
(declare-const x0 Rope)
(declare-const x1 Rope)
";

/// Functions to and from arrays and lists, and an array that is indexed by arrays.
const FUNCTIONS: &str = "
(declare-datatype List ((nil) (cons (head Int) (tail List))))
(declare-fun sum ((Array Int Int)) Int)
(declare-fun fill (Int) (Array Int Int))
(declare-fun size (List) Int)
(declare-fun sorted (List) List)
(declare-fun holds ((Array Int Int) List) Bool)
(declare-const a0 (Array Int Int))
(declare-const a1 (Array Int Int))
(declare-const k0 (Array (Array Int Int) Int))
(declare-const l0 List)
(declare-const l1 List)
";

/// The state of a program: a phase, an array with its length, an array that is indexed by these,
/// and lists.
const STATES: &str = "
(declare-datatype Phase ((start) (loop) (done)))
(declare-datatype Row ((row (cells (Array Int Int)) (length Int))))
(declare-datatype List ((nil) (cons (head Int) (tail List))))
(declare-const c0 Phase)
(declare-const r0 Row)
(declare-const k0 (Array Row Int))
(declare-const l0 List)
(declare-const l1 List)
";
