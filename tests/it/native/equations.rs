//! Random contradictions of equations, in parts: each has interpolants, whatever the parts share.

use super::partitions::{has_right_interpolants, problem};
use fastrand::Rng;
use horn::smtlib::{SmtReader, SmtStep, Source};
use horn::term::{Term, Terms};
use std::fmt::Write as _;

/// What terms are made of, beside elements of an uninterpreted sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Profile {
    Elements,
    Lists,
    Numbers,
    Words,
}

const FUNCTIONS: &str = "(declare-sort U 0)\
    (declare-datatypes ((L 0)) (((nil) (cons (head U) (tail L)))))\
    (declare-fun f (U) U)(declare-fun g (U U) U)(declare-fun p (U) Bool)\
    (declare-fun h (Int) U)(declare-fun k (U) Int)\
    (declare-fun e ((_ BitVec 2)) U)(declare-fun b (U) (_ BitVec 2))";

/// Makes the formulas of one problem, as text.
struct Maker {
    random: Rng,
    profile: Profile,
    /// By part and sort: the constants that it may have.
    visible: Vec<[Vec<String>; 4]>,
}

/// Sorts, by their number.
const SORTS: [&str; 4] = ["U", "L", "Int", "(_ BitVec 2)"];
const ELEMENT: usize = 0;
const LIST: usize = 1;
const NUMBER: usize = 2;
const WORD: usize = 3;

impl Maker {
    /// With its declarations.
    fn new(mut random: Rng, profile: Profile, parts: usize) -> (Self, String) {
        let mut visible: Vec<[Vec<String>; 4]> = vec![Default::default(); parts];
        let mut declarations = FUNCTIONS.to_owned();
        for (sort, name) in SORTS.into_iter().enumerate() {
            for number in 0..4 {
                let constant = format!("{}{number}", ["u", "l", "i", "w"][sort]);
                write!(declarations, "(declare-const {constant} {name})").expect("text");
                for _ in 0..random.usize(1..=2) {
                    let part = &mut visible[random.usize(0..parts)][sort];
                    if !part.contains(&constant) {
                        part.push(constant.clone());
                    }
                }
            }
        }
        let maker = Maker {
            random,
            profile,
            visible,
        };
        (maker, declarations)
    }

    fn term(&mut self, part: usize, sort: usize, depth: u32) -> String {
        let constants = &self.visible[part][sort];
        if depth == 0 || self.random.u32(0..100) < 40 {
            let default = ["(f (h 0))", "nil", "0", "#b01"][sort];
            let place = self.random.usize(0..=constants.len());
            return constants.get(place).cloned().unwrap_or(default.to_owned());
        }
        let word = match self.profile {
            Profile::Words => self.term(part, WORD, depth - 1),
            _ => String::new(),
        };
        let mut argument = |sort| self.term(part, sort, depth - 1);
        let (element, other) = (argument(ELEMENT), argument(ELEMENT));
        let (list, number) = (argument(LIST), argument(NUMBER));
        let choice = self.random.u32(0..3);
        match (sort, self.profile, choice) {
            (ELEMENT, Profile::Lists, 0) => format!("(head {list})"),
            (ELEMENT, Profile::Numbers, 0) => format!("(h {number})"),
            (ELEMENT, Profile::Words, 0) => format!("(e {word})"),
            (ELEMENT, _, 2) => format!("(g {element} {other})"),
            (ELEMENT, ..) => format!("(f {element})"),
            (LIST, _, 0) => format!("(tail {list})"),
            (LIST, ..) => format!("(cons {element} {list})"),
            (WORD, _, 0) => format!("(b {element})"),
            (WORD, ..) => match self.random.u32(0..4) {
                0 => format!("(bvnot {word})"),
                1 => format!("(bvadd {word} #b01)"),
                2 => format!("(concat ((_ extract 0 0) {word}) ((_ extract 1 1) {word}))"),
                _ => format!("(bvand {word} {})", self.term(part, WORD, depth - 1)),
            },
            (_, _, 0) => format!("(k {element})"),
            _ => format!("(- {number} {})", self.random.u32(0..=2)),
        }
    }

    fn literal(&mut self, part: usize) -> String {
        let sort = match (self.profile, self.random.bool()) {
            (Profile::Lists, true) => LIST,
            (Profile::Numbers, true) => NUMBER,
            (Profile::Words, true) => WORD,
            _ => ELEMENT,
        };
        let (x, y) = (self.term(part, sort, 2), self.term(part, sort, 2));
        match (self.random.u32(0..8), sort) {
            (0 | 1, _) => format!("(distinct {x} {y})"),
            (2, ELEMENT) => format!("(p {x})"),
            (3, ELEMENT) => format!("(not (p {x}))"),
            (2, LIST) => format!("((_ is nil) {x})"),
            (3, LIST) => format!("((_ is cons) {x})"),
            (2 | 3, NUMBER) => format!("(<= {x} {y})"),
            (2, WORD) => format!("(bvule {x} {y})"),
            _ => format!("(= {x} {y})"),
        }
    }

    /// A word has this value, which no equation says, and something is known of a function of it.
    fn value(&mut self, part: usize) -> String {
        let value = ["#b00", "#b01", "#b10"][self.random.usize(0..3)];
        let (word, element) = (self.term(part, WORD, 1), self.term(part, ELEMENT, 0));
        let relation = ["=", "distinct"][self.random.usize(0..2)];
        format!("(bvule {word} {value}) (bvule {value} {word}) ({relation} (e {word}) {element})")
    }

    /// The formula of a part.
    fn part(&mut self, part: usize) -> String {
        let value = match self.profile {
            Profile::Words => self.value(part),
            _ => "true".to_owned(),
        };
        let literals = (0..self.random.usize(2..=5)).map(|_| match self.random.u32(0..4) {
            0 => format!("(or {} {})", self.literal(part), self.literal(part)),
            _ => self.literal(part),
        });
        let literals: Vec<String> = literals.collect();
        format!("(and {value} {})", literals.join(" "))
    }
}

/// The formulas of the parts.
fn read(t: &Terms, text: &str) -> Vec<Vec<Term>> {
    let source = Source::from_text("parts", text);
    let mut reader = SmtReader::new(t, &source);
    let mut parts = Vec::new();
    while let Some((step, _)) = reader.next_step().expect("a script") {
        if let SmtStep::Assert { formula, .. } = step {
            parts.push(vec![formula]);
        }
    }
    parts
}

#[test]
fn equations_have_interpolants() {
    for profile in [
        Profile::Elements,
        Profile::Lists,
        Profile::Numbers,
        Profile::Words,
    ] {
        let mut contradictions = 0;
        for seed in 0..1500 {
            let mut random = Rng::with_seed(seed);
            let (tree, options) = problem(&mut random);
            let (mut maker, mut text) = Maker::new(random, profile, tree.nodes());
            for part in 0..tree.nodes() {
                write!(text, "(assert {})", maker.part(part)).expect("text");
            }
            let t = Terms::new();
            let parts = read(&t, &text);
            let about = format!("seed {seed}, {profile:?}");
            let contradictory = has_right_interpolants(&t, &about, &parts, &tree, options);
            contradictions += u32::from(contradictory);
        }
        assert!(contradictions > 300, "{profile:?}: {contradictions}");
    }
}
