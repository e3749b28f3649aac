//! Symmetries of formulas: renamings of variables that map a set of formulas into itself.
//!
//! What follows from the formulas follows from them after the renaming, so of conclusions that a
//! symmetry maps to each other one has to be proved. Systems of processes that do the same have
//! such conclusions, one for each process or for each two.
//!
//! A renaming is found as isomorphisms of graphs are: variables get colours, which are refined by
//! the places where they occur until they change no more; if variables share a colour, one of them
//! gets another one, and so on \[McK81\]. What is found is verified, so colours may be hashes.

use super::{LinearSum, Op, Sort, Term, TermMap, Terms};
use crate::number::{GOLDEN, Rational, scrambled};
use crate::work;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::hash::BuildHasher;

/// Refinements of colours after one another, at most. One carries what is known of a variable
/// through all formulas that it occurs in. The value was not tuned.
const ROUNDS: usize = 8;

/// The ticks that colours take at most for each node, as [`Symmetries::new`] and a first
/// [`Symmetries::alike`] or [`Symmetries::signature`] need them.
pub const TICKS_OF_NODE: u64 = 2 + 2 * ROUNDS as u64;

/// The colour of the formulas of the set, and of the formula to be mapped.
const OF_THE_SET: u64 = 1;
const TO_BE_MAPPED: u64 = 2;
/// Variables that occur in no formula of the set differ by their sorts and by this number from all
/// others.
const NOWHERE: u64 = 3;
/// A search chooses images of at most this number of variables. The value was not tuned.
const CHOICES: usize = 64;

/// A formula or a part of one, with the parts that it is made of.
///
/// A sum, an inequality and an equation of sums have the terms of the sum as parts, with their
/// factors, since the order of terms in a sum depends on their names.
#[derive(PartialEq, Eq, Hash, Debug)]
struct Node {
    op: Op,
    sort: Sort,
    constant: Rational,
    parts: Vec<(u32, Rational)>,
    order: Order,
}

/// What may change in a node without a change of its meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Order {
    /// Nothing.
    Fixed,
    /// The order of its parts.
    Free,
    /// Their order, and the sign of all factors: an equation of a sum and 0.
    FreeUpToSign,
}

/// Variables that belong together: symmetries map them, in this order, to variables that are tied
/// under the same number. So a variable that is tied alone, under a number that nothing else has,
/// stays where it is.
pub struct Tie {
    /// The number.
    pub number: usize,
    /// The variables.
    pub vars: Vec<Term>,
}

/// A set of formulas, whose symmetries are looked for, and other formulas over their variables.
pub struct Symmetries<'t> {
    terms: &'t Terms,
    /// Parts come before what is made of them.
    nodes: Vec<Node>,
    index: TermMap<u32>,
    /// The nodes of variables, ascending.
    vars: Vec<u32>,
    set: Vec<u32>,
    /// The colours of variables by the formulas of the set alone; of all variables, or fewer until
    /// they are needed.
    colours: Vec<u64>,
}

impl<'t> Symmetries<'t> {
    /// Symmetries of the set of these formulas. `None` if one of them has a quantifier.
    pub fn new(terms: &'t Terms, formulas: &[Term]) -> Option<Self> {
        let mut symmetries = Symmetries {
            terms,
            nodes: Vec::new(),
            index: TermMap::default(),
            vars: Vec::new(),
            set: Vec::new(),
            colours: Vec::new(),
        };
        for &formula in formulas {
            let node = symmetries.node(formula)?;
            symmetries.set.push(node);
        }
        Some(symmetries)
    }

    /// A number that two formulas share if a symmetry maps one to the other; others rarely do. None
    /// if the formula has a quantifier.
    pub fn signature(&mut self, formula: Term) -> Option<u64> {
        self.colour();
        let node = self.node(formula)?;
        self.colour();
        work::spend_on(self.nodes.len());
        Some(self.hashes(&self.colours)[node as usize])
    }

    /// Adds the conjunction of some formulas and ties to the set. `None` if a formula has a
    /// quantifier.
    pub fn add_conjunction(&mut self, formulas: &[Term], ties: &[Tie]) -> Option<()> {
        let mut parts = Vec::with_capacity(formulas.len() + ties.len());
        for &formula in formulas {
            parts.push((self.node(formula)?, Rational::one()));
        }
        for tie in ties {
            parts.push((self.tie_node(tie), Rational::one()));
        }
        let conjunction = Node {
            op: Op::And,
            sort: Sort::BOOL,
            constant: Rational::zero(),
            parts,
            order: Order::Free,
        };
        self.set.push(index_of(self.nodes.len()));
        self.nodes.push(conjunction);
        self.colours.clear();
        Some(())
    }

    /// Adds a tie to the set.
    pub fn add_tie(&mut self, tie: &Tie) {
        let node = self.tie_node(tie);
        self.set.push(node);
        self.colours.clear();
    }

    fn tie_node(&mut self, tie: &Tie) -> u32 {
        let mut parts = Vec::with_capacity(tie.vars.len());
        for &var in &tie.vars {
            debug_assert!(self.terms.is_var(var));
            work::spend(2);
            let node = self.node(var).expect("a variable has no quantifier");
            parts.push((node, Rational::one()));
        }
        let number = i64::try_from(tie.number).expect("numbers are small");
        self.nodes.push(Node {
            // No formula has this one.
            op: Op::Forall,
            sort: Sort::BOOL,
            constant: Rational::from(number),
            parts,
            order: Order::Fixed,
        });
        index_of(self.nodes.len() - 1)
    }

    /// Lists of these variables, each of two or more that seem to occur alike: if a symmetry maps
    /// one to another, they are in one list.
    pub fn alike(&mut self, vars: &[Term]) -> Vec<Vec<Term>> {
        self.colour();
        let colours = self.vars.iter().zip(&self.colours);
        let colours: FxHashMap<u32, u64> = colours.map(|(&v, &c)| (v, c)).collect();
        let mut lists: BTreeMap<u64, Vec<Term>> = BTreeMap::new();
        for &var in vars {
            if let Some(node) = self.index.get(&var) {
                lists.entry(colours[node]).or_default().push(var);
            }
        }
        lists.into_values().filter(|list| list.len() > 1).collect()
    }

    /// Is there a symmetry that maps `from` to `to`? The search ends with `false` when it has taken
    /// that number of ticks.
    pub fn maps(&mut self, from: Term, to: Term, ticks: u64) -> bool {
        let (Some(from), Some(to)) = (self.node(from), self.node(to)) else {
            return false;
        };
        let mut search = Search {
            symmetries: self,
            mapped: Some((from, to)),
            sources: Vec::new(),
            images: Vec::new(),
            end: work::spent().saturating_add(ticks),
        };
        search.run().is_some()
    }

    /// The variables that a symmetry moves, and where it moves them, if one is found that
    /// maps the first of each of these pairs to the second. The search ends when it has taken that
    /// number of ticks.
    pub fn moving(&mut self, pairs: &[(Term, Term)], ticks: u64) -> Option<Vec<(Term, Term)>> {
        let mut node = |var: Term| self.node(var).expect("a variable has no quantifier");
        let nodes = pairs.iter().map(|&(from, to)| (node(from), node(to)));
        let (sources, images) = nodes.unzip();
        let mut search = Search {
            symmetries: self,
            mapped: None,
            sources,
            images,
            end: work::spent().saturating_add(ticks),
        };
        let renaming = search.run()?;
        let term: FxHashMap<u32, Term> = self.index.iter().map(|(&t, &node)| (node, t)).collect();
        let mut moved: Vec<(Term, Term)> = renaming
            .iter()
            .map(|(from, to)| (term[from], term[to]))
            .collect();
        moved.sort_unstable();
        Some(moved)
    }

    /// Gives the variables their colours, if some have none. Later ones are in no formula of the
    /// set.
    fn colour(&mut self) {
        if self.colours.is_empty() {
            self.colours = self.refined(None, &[]);
        }
        for &var in &self.vars[self.colours.len()..] {
            let sort = FxBuildHasher.hash_one(self.nodes[var as usize].sort);
            self.colours.push(mixed(sort, NOWHERE));
        }
    }

    /// Does the renaming map the set into itself, and one formula to the other?
    fn is_symmetry(&self, renaming: &FxHashMap<u32, u32>, mapped: Option<(u32, u32)>) -> bool {
        let sort = |var: u32| self.nodes[var as usize].sort;
        if renaming.iter().any(|(&from, &to)| sort(from) != sort(to)) {
            return false;
        }
        let mut table = FxHashMap::default();
        let given = self.numbers(&FxHashMap::default(), &mut table);
        let renamed = self.numbers(renaming, &mut table);
        let set: FxHashSet<u32> = (self.set.iter()).map(|&f| given[f as usize]).collect();
        mapped.is_none_or(|(from, to)| renamed[from as usize] == given[to as usize])
            && (self.set.iter()).all(|&f| set.contains(&renamed[f as usize]))
    }

    /// A number for each node after a renaming of variables: the same for nodes that are the same
    /// up to what their orders leave open.
    fn numbers(
        &self,
        renaming: &FxHashMap<u32, u32>,
        table: &mut FxHashMap<Node, u32>,
    ) -> Vec<u32> {
        work::spend_on(2 * self.nodes.len());
        let mut given: Vec<u32> = Vec::with_capacity(self.nodes.len());
        for (index, node) in (0..).zip(&self.nodes) {
            let seen = &self.nodes[*renaming.get(&index).unwrap_or(&index) as usize];
            let parts = seen.parts.iter();
            let mut key = Node {
                parts: parts
                    .map(|(p, c)| (given[*p as usize], c.clone()))
                    .collect(),
                constant: seen.constant.clone(),
                ..*seen
            };
            debug_assert_eq!(node.sort, seen.sort, "sorts are kept");
            key.normalise();
            let next = index_of(table.len());
            given.push(*table.entry(key).or_insert(next));
        }
        given
    }

    /// Colours of the variables, refined until they change no more. The formula that is to be
    /// mapped, and the variables of the list, each by its place there, have colours that
    /// nothing else has.
    fn refined(&self, mapped: Option<u32>, apart: &[u32]) -> Vec<u64> {
        let places: FxHashMap<u32, usize> = apart.iter().copied().zip(0..).collect();
        let var_colour = |&var: &u32| {
            let place = places.get(&var);
            let sort = FxBuildHasher.hash_one(self.nodes[var as usize].sort);
            place.map_or(sort, |&place| mixed(sort, place as u64 + 1))
        };
        let mut colours: Vec<u64> = self.vars.iter().map(var_colour).collect();
        let mut classes = 0;
        for _ in 0..ROUNDS {
            let distinct: FxHashSet<u64> = colours.iter().copied().collect();
            if distinct.len() == classes {
                break;
            }
            classes = distinct.len();
            colours = self.refined_once(mapped, &colours);
        }
        colours
    }

    /// Colours with all that is said of each variable.
    fn refined_once(&self, mapped: Option<u32>, colours: &[u64]) -> Vec<u64> {
        work::spend_on(2 * self.nodes.len());
        let hashes = self.hashes(colours);
        // From a formula to its parts: where it occurs. 0 is nowhere.
        let mut places = vec![0_u64; self.nodes.len()];
        for &formula in &self.set {
            places[formula as usize] = OF_THE_SET;
        }
        if let Some(mapped) = mapped {
            let place = &mut places[mapped as usize];
            *place = place.wrapping_add(TO_BE_MAPPED);
        }
        for (index, node) in self.nodes.iter().enumerate().rev() {
            let place = places[index];
            if place == 0 {
                continue;
            }
            let here = mixed(place, hashes[index]);
            for (nth, (part, factor)) in (0_u64..).zip(&node.parts) {
                let role = match node.order {
                    Order::Fixed => nth,
                    Order::Free => FxBuildHasher.hash_one(factor),
                    Order::FreeUpToSign => FxBuildHasher.hash_one(factor.abs()),
                };
                let below = &mut places[*part as usize];
                *below = below.wrapping_add(mixed(here, role));
            }
        }
        let vars = self.vars.iter().zip(colours);
        vars.map(|(&var, &colour)| mixed(colour, places[var as usize]))
            .collect()
    }

    /// A number for each node that depends on its parts, and of variables on their colours.
    fn hashes(&self, colours: &[u64]) -> Vec<u64> {
        let mut hashes: Vec<u64> = Vec::with_capacity(self.nodes.len());
        let mut colours = colours.iter();
        for node in &self.nodes {
            let hash = match node.op {
                Op::Var(_) => *colours.next().expect("each variable has a colour"),
                _ => node.hash(&hashes),
            };
            hashes.push(hash);
        }
        hashes
    }

    /// The node of a formula, which is new if it must be. `None` if the formula has a quantifier.
    fn node(&mut self, formula: Term) -> Option<u32> {
        let mut todo = vec![formula];
        while let Some(&term) = todo.last() {
            if self.index.contains_key(&term) {
                todo.pop();
                continue;
            }
            let shape = Shape::of(self.terms, term)?;
            let before = todo.len();
            let missing = shape.parts.iter().map(|&(part, _)| part);
            todo.extend(missing.filter(|part| !self.index.contains_key(part)));
            if todo.len() > before {
                continue;
            }
            todo.pop();
            work::spend(2);
            let number = index_of(self.nodes.len());
            if self.terms.is_var(term) {
                self.vars.push(number);
            }
            let parts = shape.parts.into_iter();
            self.nodes.push(Node {
                op: shape.op,
                sort: self.terms.sort_of(term),
                constant: shape.constant,
                parts: parts.map(|(part, c)| (self.index[&part], c)).collect(),
                order: shape.order,
            });
            self.index.insert(term, number);
        }
        Some(self.index[&formula])
    }
}

/// A search for a symmetry.
struct Search<'s, 't> {
    symmetries: &'s Symmetries<'t>,
    /// A formula, and what it is to be mapped to.
    mapped: Option<(u32, u32)>,
    /// Variables, and at the same places what they are to be mapped to.
    sources: Vec<u32>,
    images: Vec<u32>,
    /// The reading of ticks at which the search ends.
    end: u64,
}

impl Search<'_, '_> {
    /// The variables that a symmetry moves, and where to. The call depth is the number of variables
    /// whose images are chosen.
    fn run(&mut self) -> Option<FxHashMap<u32, u32>> {
        let set = self.symmetries;
        let before = set.refined(self.mapped.map(|(from, _)| from), &self.sources);
        let after = set.refined(self.mapped.map(|(_, to)| to), &self.images);
        let classes = Classes::of(&set.vars, &before, &after)?;
        let guess = classes.guess();
        if set.is_symmetry(&guess, self.mapped) {
            return Some(guess);
        }
        let (sharing, candidates) = classes.smallest()?;
        let source = sharing[0];
        // What may stay where it is should.
        let stays = candidates.iter().filter(|&&image| image == source);
        let moves = candidates.iter().filter(|&&image| image != source);
        for &image in stays.chain(moves) {
            if work::spent() >= self.end || self.sources.len() >= CHOICES {
                return None;
            }
            self.sources.push(source);
            self.images.push(image);
            let found = self.run();
            if found.is_some() {
                return found;
            }
            self.sources.pop();
            self.images.pop();
        }
        None
    }
}

impl Node {
    /// Puts parts whose order is free into the order of their numbers.
    fn normalise(&mut self) {
        if self.order == Order::Fixed {
            return;
        }
        self.parts.sort_unstable();
        let is_negative = self.parts.first().is_some_and(|(_, c)| c.is_negative());
        if self.order == Order::FreeUpToSign && is_negative {
            self.constant = -&self.constant;
            for (_, factor) in &mut self.parts {
                *factor = -&*factor;
            }
            self.parts.sort_unstable();
        }
    }

    /// A number that depends on those of the parts.
    fn hash(&self, hashes: &[u64]) -> u64 {
        let head = FxBuildHasher.hash_one((self.op, self.sort));
        let of_sum = |sign: &Rational| {
            let parts = self.parts.iter().map(|(part, factor)| {
                mixed(
                    hashes[*part as usize],
                    FxBuildHasher.hash_one(factor * sign),
                )
            });
            let sum = parts.fold(0_u64, u64::wrapping_add);
            mixed(sum, FxBuildHasher.hash_one(&self.constant * sign))
        };
        let parts = match self.order {
            Order::Fixed => {
                let parts = self.parts.iter().map(|(part, _)| hashes[*part as usize]);
                parts.fold(FxBuildHasher.hash_one(&self.constant), mixed)
            }
            Order::Free => of_sum(&Rational::one()),
            Order::FreeUpToSign => {
                let (plus, minus) = (of_sum(&Rational::one()), of_sum(&Rational::from(-1)));
                plus.wrapping_add(minus)
            }
        };
        mixed(head, parts)
    }
}

/// A term as a [`Node`] whose parts are terms.
struct Shape {
    op: Op,
    constant: Rational,
    parts: Vec<(Term, Rational)>,
    order: Order,
}

impl Shape {
    /// None for a quantified formula.
    fn of(t: &Terms, term: Term) -> Option<Self> {
        let (op, args) = t.op_and_args(term);
        let of_sum = |op, sum: LinearSum, order| Shape {
            op,
            constant: sum.constant,
            parts: sum.terms,
            order,
        };
        let is_arith = |&arg: &Term| t.sort_of(arg).is_arith();
        Some(match op {
            Op::Forall | Op::Exists => return None,
            Op::Le | Op::Lt => of_sum(op, difference(t, args), Order::Free),
            Op::Eq if is_arith(&args[0]) => of_sum(op, difference(t, args), Order::FreeUpToSign),
            Op::Add | Op::ToReal | Op::Mul if !t.is_product(term) => {
                let sum = t.linear_sum(term);
                match sum.has(term) {
                    // A multiple whose factor is too large to be multiplied out.
                    true => Shape::of_args(op, args),
                    false => of_sum(Op::Add, sum, Order::Free),
                }
            }
            _ => Shape::of_args(op, args),
        })
    }

    /// An operator whose parts are its arguments.
    fn of_args(op: Op, args: &[Term]) -> Self {
        Shape {
            op,
            constant: Rational::zero(),
            parts: args.iter().map(|&arg| (arg, Rational::one())).collect(),
            order: match is_commutative(op) {
                true => Order::Free,
                false => Order::Fixed,
            },
        }
    }
}

/// The first one without the second one.
fn difference(t: &Terms, sides: &[Term]) -> LinearSum {
    let mut sum = t.linear_sum(sides[0]);
    sum.add_scaled(&Rational::from(-1), &t.linear_sum(sides[1]));
    sum
}

/// May the arguments of an operator be put into any order?
fn is_commutative(op: Op) -> bool {
    use super::BvOp;
    matches!(
        op,
        Op::And
            | Op::Or
            | Op::Eq
            | Op::Mul
            | Op::Bv(BvOp::And | BvOp::Or | BvOp::Xor | BvOp::Add | BvOp::Mul | BvOp::Comp)
    )
}

/// Variables by their colours before and after a mapping, in the order of colours.
struct Classes(BTreeMap<u64, (Vec<u32>, Vec<u32>)>);

impl Classes {
    /// `None` if a colour has more variables on one side.
    fn of(vars: &[u32], before: &[u64], after: &[u64]) -> Option<Self> {
        let mut classes: BTreeMap<u64, (Vec<u32>, Vec<u32>)> = BTreeMap::new();
        for ((&var, &before), &after) in vars.iter().zip(before).zip(after) {
            classes.entry(before).or_default().0.push(var);
            classes.entry(after).or_default().1.push(var);
        }
        let is_even = classes.values().all(|(from, to)| from.len() == to.len());
        is_even.then_some(Classes(classes))
    }

    /// A renaming that keeps colours, and maps a variable to itself where it can.
    fn guess(&self) -> FxHashMap<u32, u32> {
        let mut renaming = FxHashMap::default();
        for (from, to) in self.0.values() {
            let [before, after] = [from, to].map(|list| list.iter().collect::<FxHashSet<_>>());
            let left = from.iter().filter(|var| !after.contains(var));
            let free = to.iter().filter(|var| !before.contains(var));
            renaming.extend(left.copied().zip(free.copied()));
        }
        renaming
    }

    /// The smallest class with more than one variable.
    fn smallest(&self) -> Option<(&[u32], &[u32])> {
        let shared = self.0.values().filter(|(from, _)| from.len() > 1);
        let smallest = shared.min_by_key(|(from, _)| from.len())?;
        Some((&smallest.0, &smallest.1))
    }
}

/// The index of the next of that many nodes.
fn index_of(len: usize) -> u32 {
    u32::try_from(len).expect("there are fewer than 2^32 nodes")
}

/// A number that depends on both, and on their order.
fn mixed(a: u64, b: u64) -> u64 {
    scrambled(a.rotate_left(23) ^ b.wrapping_mul(GOLDEN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Evaluator, Unspecified, Value};

    const ENOUGH: u64 = work::milliseconds(1000);

    fn maps(t: &Terms, set: &[Term], from: Term, to: Term) -> bool {
        let mut symmetries = Symmetries::new(t, set).expect("nothing is quantified");
        let found = symmetries.maps(from, to, ENOUGH);
        let signatures = [from, to].map(|formula| symmetries.signature(formula));
        assert!(!found || signatures[0] == signatures[1], "{signatures:?}");
        found
    }

    #[test]
    fn variables_that_occur_alike_change_places() {
        let t = Terms::new();
        let [x, y, z, n] = ["x", "y", "z", "n"].map(|name| t.var(name, Sort::INT));
        let one = t.int(1);
        let bounded = |v, w| t.le(v, w);
        let double = |v| t.scale(Rational::from(2), v);
        let set = [bounded(x, n), bounded(y, n), t.lt(z, n)];
        assert!(maps(&t, &set, t.lt(x, one), t.lt(y, one)));
        assert!(!maps(&t, &set, t.lt(x, one), t.lt(z, one)));
        assert!(!maps(&t, &set, t.lt(x, one), t.lt(double(y), one)));
        // The order of arguments, and the sides of an equation, do not matter.
        let either = |v, w| t.or([t.lt(v, one), t.lt(w, n)]);
        let set = [
            either(x, y),
            either(y, x),
            t.eq(x, t.add([y, z])),
            t.eq(x, y),
        ];
        assert!(!maps(&t, &set, t.lt(x, one), t.lt(y, one)), "x = y + z");
        let set = [either(x, y), either(y, x), t.eq(x, y)];
        assert!(maps(&t, &set, t.lt(x, one), t.lt(y, one)));
        assert!(maps(&t, &set, t.eq(x, z), t.eq(z, y)));
        // What decides is of another sort, or in a fixed order.
        let b = t.var("b", Sort::BOOL);
        let choice = t.eq(t.ite(b, x, y), z);
        assert!(!maps(&t, &[choice], t.lt(x, one), t.lt(y, one)));
        let set = [choice, t.eq(t.ite(b, y, x), n)];
        assert!(maps(&t, &set, t.lt(x, one), t.lt(y, one)));
    }

    #[test]
    fn sorts_are_kept() {
        let t = Terms::new();
        let (x, r) = (t.var("x", Sort::INT), t.var("r", Sort::REAL));
        let real = |n: i64| t.real(Rational::from(n));
        let set = [t.lt(x, t.int(1)), t.lt(r, real(1))];
        let (from, to) = (t.le(x, t.int(0)), t.le(r, real(0)));
        assert!(!maps(&t, &set, from, to));
        // The comparison decides, whatever the colours are.
        let mut symmetries = Symmetries::new(&t, &set).expect("nothing is quantified");
        let nodes = [x, r, from, to].map(|term| symmetries.node(term).expect("a formula"));
        let swap = FxHashMap::from_iter([(nodes[0], nodes[1]), (nodes[1], nodes[0])]);
        assert!(!symmetries.is_symmetry(&swap, Some((nodes[2], nodes[3]))));
    }

    #[test]
    fn multiples_by_large_numbers_are_read() {
        let t = Terms::new();
        let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::INT));
        let large = (0..17).fold(Rational::from(2), |n, _| &n * &n);
        let times = |v: Term| t.scale(large.clone(), v);
        let set = [t.lt(times(x), t.int(1)), t.lt(times(y), t.int(1))];
        assert!(maps(&t, &set, t.lt(x, t.int(1)), t.lt(y, t.int(1))));
    }

    #[test]
    fn places_in_a_ring_are_alike() {
        let t = Terms::new();
        let ring = |len: usize| -> Vec<Term> {
            (0..len)
                .map(|i| t.var(&format!("v{len}.{i}"), Sort::INT))
                .collect()
        };
        let next = |vars: &[Term]| -> Vec<Term> {
            let pairs = vars.iter().zip(vars.iter().cycle().skip(1));
            pairs
                .map(|(&v, &w)| t.le(v, t.add([w, t.int(3)])))
                .collect()
        };
        let (six, seven) = (ring(6), ring(7));
        let set = [next(&six), next(&seven)].concat();
        let positive = |v| t.lt(t.int(0), v);
        // Colours do not tell the rings apart; the mapping does.
        for (i, &v) in six.iter().enumerate() {
            assert!(maps(&t, &set, positive(six[0]), positive(v)));
            assert!(!maps(&t, &set, positive(v), positive(seven[i])));
        }
        let between = |vars: &[Term], i: usize, j: usize| t.le(vars[i], vars[j]);
        assert!(maps(&t, &set, between(&six, 0, 2), between(&six, 3, 5)));
        assert!(!maps(&t, &set, between(&six, 0, 2), between(&six, 5, 3)));
    }

    #[test]
    fn signatures_stay() {
        let t = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| t.var(name, Sort::INT));
        let below = |v| t.lt(v, t.int(3));
        let mut symmetries =
            Symmetries::new(&t, &[below(x), below(y)]).expect("nothing is quantified");
        let before = symmetries.signature(below(x));
        symmetries.signature(t.lt(z, x));
        assert_eq!(symmetries.signature(below(y)), before);
    }

    #[test]
    fn formulas_with_quantifiers_have_none() {
        let t = Terms::new();
        let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::INT));
        let general = t.forall(&[x], t.le(x, y));
        assert!(Symmetries::new(&t, &[general]).is_none());
        let mut symmetries = Symmetries::new(&t, &[t.le(x, y)]).expect("it has none");
        assert!(symmetries.signature(general).is_none());
        assert!(!symmetries.maps(general, general, ENOUGH));
    }

    /// Random formulas over four variables: what a symmetry maps to each other follows from the set
    /// or does not, and where changing the places of variables is a symmetry it is found.
    #[test]
    fn random_sets() {
        let t = Terms::new();
        let vars = ["a", "b", "c", "d"].map(|name| t.var(name, Sort::INT));
        let mut seed = 1_u64;
        let mut draw = |below: u64| {
            seed = mixed(seed, 7);
            seed % below
        };
        let (mut found, mut valid) = (0, 0);
        for _ in 0..300 {
            let mut atom = || {
                let [v, w] = [0, 1].map(|_| vars[draw(4) as usize]);
                let k = t.int(draw(2) as i64);
                match draw(4) {
                    0 => t.eq(v, w),
                    1 => t.le(t.add([v, k]), w),
                    2 => t.lt(v, t.ite(t.le(w, k), w, v)),
                    _ => t.eq(t.add([v, w]), k),
                }
            };
            let mut formula = || t.or([atom(), atom()]);
            let set = [formula(), formula()];
            let from = formula();
            let follows = |formula| (0..81).all(|n| holds(&t, &vars, n, &set, formula));
            for order in [[1, 0, 2, 3], [1, 2, 0, 3], [3, 2, 1, 0]] {
                let pairs = || vars.iter().copied().zip(order.map(|i: usize| vars[i]));
                let image = t.substitute(from, pairs());
                let is_same = set.iter().all(|&f| set.contains(&t.substitute(f, pairs())));
                let is_found = maps(&t, &set, from, image);
                assert!(is_found || !is_same);
                if is_found {
                    found += 1;
                    valid += usize::from(follows(from));
                    assert_eq!(follows(from), follows(image));
                }
            }
        }
        assert!(found > 100 && valid > 10, "{found} {valid}");
    }

    /// Does a formula follow from the set if the variables have the digits of `n` as values?
    fn holds(t: &Terms, vars: &[Term; 4], n: i64, set: &[Term], formula: Term) -> bool {
        let value = |i: u32| Value::Number(Rational::from(n / 3_i64.pow(i) % 3));
        let values = (0..).zip(vars).map(|(i, &var)| (var, value(i)));
        let mut evaluator = Evaluator::with(t, Unspecified::Refuse, values);
        let mut is_true = |f: Term| evaluator.eval(f).expect("integers") == Value::Bool(true);
        !set.iter().all(|&f| is_true(f)) || is_true(formula)
    }
}
