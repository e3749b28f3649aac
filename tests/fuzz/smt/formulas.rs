//! Random terms and formulas over the variables of a profile.

mod structures;

use super::generate::Profile;
use super::universe::Universe;
use super::vectors::Vectors;
use crate::random::Random;
use horn::number::Rational;
use horn::term::{BvOp, FuncId, Sort, SortKind, Term, Terms};

/// How many formulas made before are kept to be parts of others.
const POOL: usize = 12;

/// Makes formulas.
pub(crate) struct Formulas<'t, 'r> {
    pub(crate) t: &'t Terms,
    pub(crate) random: &'r mut Random,
    pub(crate) ints: Vec<Term>,
    bools: Vec<Term>,
    reals: Vec<Term>,
    elements: Vec<Term>,
    pub(super) vectors: Vectors,
    funcs: Vec<FuncId>,
    /// What the profile declares by text, and its constants.
    pub(crate) universe: &'t Universe,
    constants: Vec<Term>,
    divisions: bool,
    nonlinear: bool,
    big: bool,
    dense: bool,
    depth: usize,
    /// Formulas made before, so that formulas share parts.
    pool: Vec<Term>,
}

impl<'t, 'r> Formulas<'t, 'r> {
    /// Over the variables of a profile, whose names end with `suffix`.
    pub(crate) fn new(
        t: &'t Terms,
        profile: &Profile,
        universe: &'t Universe,
        random: &'r mut Random,
        suffix: &str,
    ) -> Self {
        let vars = |letter: &str, count: usize, sort: Sort| -> Vec<Term> {
            let var = |i| t.var(&format!("{letter}{i}{suffix}"), sort);
            (0..count).map(var).collect()
        };
        let element = t.sort(SortKind::Uninterpreted(t.symbol("U"), Box::new([])));
        let funcs = if profile.elements > 0 {
            vec![
                t.declare(t.symbol("f"), &[Sort::INT], Sort::INT),
                t.declare(t.symbol("g"), &[element, Sort::INT], element),
                t.declare(t.symbol("h"), &[element], Sort::INT),
                t.declare(t.symbol("p"), &[element, element], Sort::BOOL),
            ]
        } else {
            Vec::new()
        };
        Formulas {
            t,
            random,
            ints: vars("i", profile.ints, Sort::INT),
            bools: vars("b", profile.bools, Sort::BOOL),
            reals: vars("r", profile.reals, Sort::REAL),
            elements: vars("e", profile.elements, element),
            vectors: Vectors::new(t, profile, suffix),
            funcs,
            universe,
            constants: (universe.constants.iter())
                .map(|(name, sort)| t.var(&format!("{name}{suffix}"), *sort))
                .collect(),
            divisions: profile.divisions,
            nonlinear: profile.nonlinear,
            big: profile.big,
            dense: profile.dense,
            depth: profile.depth,
            pool: Vec::new(),
        }
    }

    /// All variables.
    pub(crate) fn variables(&self) -> Vec<Term> {
        let vectors = &self.vectors.variables;
        [
            &self.bools,
            &self.ints,
            &self.reals,
            &self.elements,
            vectors,
            &self.constants,
        ]
        .into_iter()
        .flatten()
        .copied()
        .collect()
    }

    /// What an assertion says: of any depth up to the profile's, shallow ones being more frequent.
    pub(crate) fn assertion(&mut self) -> Term {
        if self.dense && self.random.percent(75) {
            let count = self.random.between(2, 6);
            return self
                .t
                .and((0..count).map(|_| self.literal()).collect::<Vec<_>>());
        }
        let depth = self.random.below(self.depth + 1);
        let depth = self.random.below(depth + 1).max(usize::from(depth > 0));
        self.formula(depth)
    }

    /// A formula of this depth at most.
    pub(crate) fn formula(&mut self, depth: usize) -> Term {
        if depth == 0 {
            return self.literal();
        }
        if !self.pool.is_empty() && self.random.percent(12) {
            return self.random.pick(&self.pool);
        }
        let t = self.t;
        let formula = match self.random.weighted(&[24, 24, 8, 8, 6, 8, 22]) {
            0 => t.and(self.some_formulas(depth - 1)),
            1 => t.or(self.some_formulas(depth - 1)),
            2 => t.eq(self.formula(depth - 1), self.formula(depth - 1)),
            3 => t.implies(self.formula(depth - 1), self.formula(depth - 1)),
            4 => t.not(self.formula(depth - 1)),
            5 => {
                let condition = self.formula(depth - 1);
                t.ite(condition, self.formula(depth - 1), self.formula(depth - 1))
            }
            _ => self.literal(),
        };
        if self.pool.len() < POOL {
            self.pool.push(formula);
        } else {
            let at = self.random.below(POOL);
            self.pool[at] = formula;
        }
        formula
    }

    fn some_formulas(&mut self, depth: usize) -> Vec<Term> {
        let count = self.random.between(2, 4);
        (0..count).map(|_| self.formula(depth)).collect()
    }

    /// An atom or its negation.
    pub(crate) fn literal(&mut self) -> Term {
        let atom = self.atom();
        if self.random.percent(35) {
            self.t.not(atom)
        } else {
            atom
        }
    }

    fn atom(&mut self) -> Term {
        let present = |vars: &[Term], weight: usize| if vars.is_empty() { 0 } else { weight };
        let numbers = [present(&self.ints, 5), present(&self.reals, 5)];
        let bools = if numbers == [0, 0] { 5 } else { 1 };
        let weights = [
            present(&self.bools, bools),
            numbers[0],
            numbers[1],
            present(&self.elements, 5),
            present(&self.vectors.variables, 8),
            present(&self.constants, 12),
        ];
        match self.random.weighted(&weights) {
            0 => self.random.pick(&self.bools),
            1 => self.comparison(Sort::INT),
            2 => self.comparison(Sort::REAL),
            3 => self.about_elements(),
            4 => self.about_vectors(),
            _ => self.about_structures(),
        }
    }

    /// A comparison of numbers: mostly a linear sum with a constant.
    fn comparison(&mut self, sort: Sort) -> Term {
        let t = self.t;
        if sort == Sort::REAL && self.divisions && self.random.percent(8) {
            return t.is_int(self.sum(sort));
        }
        let kind = if self.dense {
            self.random.weighted(&[10, 90])
        } else {
            self.random.weighted(&[30, 45, 15, 10])
        };
        let (x, y) = match kind {
            0 => (self.variable(sort), self.constant(sort)),
            1 => (self.sum(sort), self.constant(sort)),
            2 => (self.term(sort, 2), self.constant(sort)),
            _ => (self.term(sort, 1), self.term(sort, 1)),
        };
        match self.random.weighted(&[30, 15, 20, 20, 10, 5]) {
            0 => t.le(x, y),
            1 => t.lt(x, y),
            2 => t.ge(x, y),
            3 => t.eq(x, y),
            4 => t.not(t.eq(x, y)),
            _ => t.distinct(&[x, y, self.term(sort, 1)]),
        }
    }

    fn about_elements(&mut self) -> Term {
        let t = self.t;
        if self.random.percent(25) {
            let args = [self.element(1), self.element(1)];
            return t.apply(self.funcs[3], &args);
        }
        t.eq(self.element(2), self.element(1))
    }

    fn element(&mut self, depth: usize) -> Term {
        let t = self.t;
        if depth == 0 || self.random.percent(50) {
            return self.random.pick(&self.elements);
        }
        if self.random.percent(20) {
            let condition = self.literal();
            return t.ite(condition, self.element(depth - 1), self.element(depth - 1));
        }
        let args = [self.element(depth - 1), self.term(Sort::INT, depth - 1)];
        t.apply(self.funcs[1], &args)
    }

    /// A term of a sort, nested at most to this depth.
    pub(crate) fn term(&mut self, sort: Sort, depth: usize) -> Term {
        match sort {
            Sort::BOOL => self.formula(depth),
            Sort::INT | Sort::REAL => self.number(sort, depth),
            _ => match self.t.bitvec_width(sort) {
                Some(width) => self.vector(width, depth),
                None if self.universe.has_structure(sort) => self.structure(sort, depth),
                None => self.element(depth),
            },
        }
    }

    fn number(&mut self, sort: Sort, depth: usize) -> Term {
        let t = self.t;
        if depth == 0 {
            return self.variable(sort);
        }
        let special = if self.divisions { 25 } else { 0 };
        let product = if self.nonlinear { 40 } else { 0 };
        let applied = if self.funcs.is_empty() || sort == Sort::REAL {
            0
        } else {
            40
        };
        let read = if self.is_read(sort) { 40 } else { 0 };
        let vectors = !self.vectors.variables.is_empty() && sort == Sort::INT;
        let of_vector = if vectors { 20 } else { 0 };
        match self
            .random
            .weighted(&[25, 15, 15, special, read, of_vector, product, applied])
        {
            0 if self.random.percent(20) => self.counter(sort),
            0 => self.sum(sort),
            1 => t.add([self.number(sort, depth - 1), self.number(sort, depth - 1)]),
            2 => {
                let condition = self.literal();
                let (x, y) = (self.number(sort, depth - 1), self.number(sort, depth - 1));
                t.ite(condition, x, y)
            }
            3 => self.special(sort, depth - 1),
            4 => self.read(sort, depth - 1),
            5 => self.number_of_vector(depth - 1),
            6 => self.product(sort, depth - 1),
            _ if self.random.percent(50) => {
                let arg = self.number(Sort::INT, depth - 1);
                t.apply(self.funcs[0], &[arg])
            }
            _ => {
                let arg = self.element(depth - 1);
                t.apply(self.funcs[2], &[arg])
            }
        }
    }

    /// A number that is counted up or down from condition to condition, or the sum of such steps.
    fn counter(&mut self, sort: Sort) -> Term {
        let t = self.t;
        let nested = self.random.percent(50);
        let mut counter = t.number(Rational::zero(), sort);
        for _ in 0..self.random.between(2, 4) {
            let condition = self.literal();
            let [up, down] =
                [(); 2].map(|()| t.number(Rational::from(self.random.between(-2, 2)), sort));
            counter = match nested {
                true => t.ite(condition, t.add([counter, up]), t.add([counter, down])),
                false => t.add([counter, t.ite(condition, up, down)]),
            };
        }
        counter
    }

    /// A product, or a quotient or remainder by a term where that is not 0.
    fn product(&mut self, sort: Sort, depth: usize) -> Term {
        let t = self.t;
        let [x, y] = [(); 2].map(|()| self.number(sort, depth));
        let divided = match (self.random.weighted(&[6, 1, 1]), sort) {
            (0, _) => return t.mul([x, y]),
            (1, Sort::INT) => t.idiv(x, y),
            (_, Sort::INT) => t.modulo(x, y),
            (_, _) => t.div(x, y),
        };
        let zero = t.number(Rational::zero(), sort);
        t.ite(t.eq(y, zero), x, divided)
    }

    /// A division by a constant, an absolute value, or a number of the other sort.
    fn special(&mut self, sort: Sort, depth: usize) -> Term {
        let t = self.t;
        let mixed = !self.ints.is_empty() && !self.reals.is_empty();
        if sort == Sort::REAL {
            return if mixed {
                t.to_real(self.number(Sort::INT, depth))
            } else {
                self.sum(sort)
            };
        }
        let divisor = match self.random.pick(&[2, 2, 3, 3, 4, 5, 7, 10, -2, -3, -5]) {
            10 if self.big => t.number(Rational::from(10).pow(20), Sort::INT),
            small => t.int(small),
        };
        match self.random.weighted(&[4, 4, 2, if mixed { 4 } else { 0 }]) {
            0 => t.idiv(self.number(sort, depth), divisor),
            1 => t.modulo(self.number(sort, depth), divisor),
            2 => t.abs(self.number(sort, depth)),
            _ => t.to_int(self.number(Sort::REAL, depth)),
        }
    }

    fn variable(&mut self, sort: Sort) -> Term {
        match sort {
            Sort::INT => self.random.pick(&self.ints),
            _ => self.random.pick(&self.reals),
        }
    }

    /// A linear sum of a few variables.
    fn sum(&mut self, sort: Sort) -> Term {
        let t = self.t;
        let count = match self.dense {
            true => self.random.between(2, 5),
            false => self.random.between(1, 3),
        };
        let mut parts: Vec<Term> = Vec::new();
        for _ in 0..count {
            let factor = self.coefficient();
            parts.push(t.scale(factor, self.variable(sort)));
        }
        if self.random.percent(25) {
            parts.push(self.constant(sort));
        }
        t.add(parts)
    }

    /// The next value of a variable of a program: a little more or less, or that of another one and
    /// a little.
    pub(crate) fn step_of(&mut self, var: Term) -> Term {
        let t = self.t;
        let sort = t.sort_of(var);
        if let Some(width) = t.bitvec_width(sort) {
            let by = t.bitvec(&self.random.between(-2, 2).into(), width);
            return t.bv(BvOp::Add, &[var, by]);
        }
        if self.universe.has_structure(sort) {
            return self.step_of_structure(var);
        }
        if sort != Sort::INT && sort != Sort::REAL {
            return self.term(sort, 1);
        }
        let base = if self.random.percent(30) {
            self.variable(sort)
        } else {
            var
        };
        t.add([base, t.number(self.random.between(-3, 3).into(), sort)])
    }

    fn coefficient(&mut self) -> Rational {
        if self.big && self.random.percent(50) {
            return self.big_number();
        }
        Rational::from(
            self.random
                .pick(&[1, 1, 1, 1, 1, -1, -1, -1, -1, 2, 2, -2, 3, -3, 5, 7]),
        )
    }

    fn constant(&mut self, sort: Sort) -> Term {
        let number = match self.random.weighted(&[70, 20, 10]) {
            0 => Rational::from(self.random.between(-6, 6)),
            1 => Rational::from(self.random.between(-60, 60)),
            _ if self.big => self.big_number(),
            _ if sort == Sort::REAL => {
                Rational::new(self.random.between(-9, 9), self.random.between(2, 7))
            }
            _ => Rational::zero(),
        };
        self.t.number(number, sort)
    }

    /// A number about as large as 64 bits hold, or much larger.
    fn big_number(&mut self) -> Rational {
        let bits = self.random.pick(&[31, 32, 62, 63, 63, 64, 70, 130]);
        let near = Rational::from(self.random.between(-3, 3));
        let number = Rational::from(2).pow(bits) + near;
        if self.random.percent(50) {
            -number
        } else {
            number
        }
    }
}
