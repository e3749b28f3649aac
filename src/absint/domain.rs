//! Abstract domains: what a fixpoint needs of them, and the abstract post of a clause, which by
//! default is found by questions to a solver that has the clause's constraint for good.

use super::image::{ColumnBounds, Heads, Image, path};
use super::space::{Point, Space};
use crate::chc::{Atom, Clause};
use crate::logic::Valuation;
use crate::number::Rational;
use crate::smt::{Backend, Failure, Limit, SatResult, Solver, Support};
use crate::term::{Substitution, Term, Terms, Value};
use crate::work;

/// How an element grows by what a clause derives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// By joins, as long as the domain wants them.
    Join,
    /// By widenings: at loop heads, so that iterations end.
    Widen,
}

/// An abstract domain. An element stands for a set of states of one predicate, its concretization
/// γ, and belongs to the [`Space`] that it was made for.
///
/// The laws, which `tests/fuzz/absint_laws.rs` checks of each domain with random elements:
/// - `le` is reflexive and transitive, and `a.le(b)` implies γ(a) ⊆ γ(b); `bottom` is below and
///   `top` above every element;
/// - `join` and `widen` make an upper bound of both elements;
/// - a sequence of widenings changes an element a finite number of times;
/// - `post` is sound: γ of the result contains each state that the clause derives from states of
///   the premises' elements.
pub trait Domain: Clone + std::fmt::Debug {
    /// Does the element grow by whole paths, in place of points? See [`Image`]. Then all that one
    /// visit of a clause adds is joined before the element is widened once.
    const BY_PATHS: bool = false;

    /// Is everything derived by a clause that the solver does not decide? Otherwise the fixpoint
    /// ends there.
    const TOP_IF_UNDECIDED: bool = Self::BY_PATHS;

    /// How many times the element of a loop head grows by joins before it is widened.
    const DELAY: u32 = 0;

    /// The element without states.
    fn bottom(space: &Space) -> Self;

    /// The element of all states.
    fn top(space: &Space) -> Self;

    /// Is it the element without states?
    fn is_bottom(&self) -> bool;

    /// The least element that contains a point, or one above it.
    fn of_point(space: &Space, point: &Point) -> Self;

    /// An element that contains a path's image, to which the point belongs.
    fn of_image(space: &Space, point: &Point, _: &Image) -> Self {
        Self::of_point(space, point)
    }

    /// The order: is every state of this element one of the other's?
    fn le(&self, other: &Self, space: &Space) -> bool;

    /// Becomes an upper bound of both.
    fn join(&mut self, other: &Self, space: &Space);

    /// Becomes an upper bound of both such that repeated widening ends.
    fn widen(&mut self, other: &Self, space: &Space);

    /// Grows such that what is said of single columns allows these bounds. Bounds of sums and other
    /// relations stay.
    fn allow(&mut self, _: &ColumnBounds) {}

    /// Forgets what is said of the parameter at a position: its value may be any.
    fn forget(&mut self, space: &Space, position: usize);

    /// Literals over the space's parameters whose conjunction is γ.
    fn literals(&self, t: &Terms, space: &Space) -> Vec<Term>;

    /// A formula over the space's parameters that is γ.
    fn to_term(&self, t: &Terms, space: &Space) -> Term {
        t.and(self.literals(t, space))
    }

    /// The abstract post: grows by what a clause derives from the elements of its premises, in
    /// order. Answers whether the element has changed.
    ///
    /// By default the element of the best transformer is found by questions to the clause's solver
    /// \[RSY04\]; a model of
    ///
    /// > the premises' elements ∧ the constraint ∧ a head outside of this element
    ///
    /// is a point that joins the element, until there is none. Domains that grow by paths join the
    /// image of the whole path that the model takes.
    ///
    /// # Errors
    /// The solver does not answer.
    fn post(
        &mut self,
        space: &Space,
        clause: &mut ClausePost<'_>,
        premises: &[(&Self, &Space)],
        growth: Growth,
    ) -> Result<bool, Failure> {
        clause.best_transformer(self, space, premises, growth)
    }
}

/// Lets an element grow by another one, with a check of the law that the result is above both.
fn grow_by<D: Domain>(into: &mut D, by: &D, space: &Space, growth: Growth) {
    let before = cfg!(debug_assertions).then(|| into.clone());
    match growth {
        Growth::Join => into.join(by, space),
        Growth::Widen => into.widen(by, space),
    }
    debug_assert!(
        work::uncounted(|| by.le(into, space) && before.is_none_or(|b| b.le(into, space))),
        "a join or a widening is above both elements"
    );
}

/// One visit of a clause joins at most 40 images before the element is widened. The value was not
/// tuned.
const MOST_IMAGES: u32 = 40;

/// A clause outside of loops adds up to 4 points before it adds the bounds of paths. The value was
/// not tuned.
const POINTS_BEFORE_BOUNDS: u32 = 4;

/// A clause with a head, and the solver that holds its constraint.
///
/// Invariant: between two calls the solver's stack has the constraint and nothing else.
pub struct ClausePost<'t> {
    t: &'t Terms,
    body: Vec<Atom>,
    head: Atom,
    solver: Box<dyn Solver + 't>,
    /// The conjuncts of the constraint that the solver has.
    asserted: Vec<Term>,
    heads: Option<Heads>,
    /// A variable for each argument of the head that is a bit-vector, and the argument.
    named_words: Option<Vec<(Term, Term)>>,
    /// Does the clause belong to a loop: are its premises derived from its head?
    is_in_loop: bool,
    limit: Limit,
    /// What solvers can be asked about.
    support: Support,
}

impl<'t> ClausePost<'t> {
    /// The post of a clause; `None` for a query, which derives no states.
    pub fn new(t: &'t Terms, clause: &Clause, backend: &'t Backend, limit: &Limit) -> Option<Self> {
        let head = clause.head.clone()?;
        let mut solver = backend.solver(t, "absint");
        solver.set_purpose("abstract post");
        solver.set_limit(limit.clone());
        let support = Support::default();
        // Without what no core decides more is derived, which is sound.
        let mut asserted = t.conjuncts(clause.constraint);
        asserted.retain(|&conjunct| support.check(t, conjunct).is_ok());
        asserted
            .iter()
            .for_each(|&conjunct| solver.assert(conjunct));
        Some(ClausePost {
            t,
            body: clause.body.clone(),
            head,
            solver,
            asserted,
            heads: None,
            named_words: None,
            is_in_loop: true,
            limit: limit.clone(),
            support,
        })
    }

    /// Sets the limit of the questions that follow.
    pub(super) fn set_limit(&mut self, limit: &Limit) {
        self.solver.set_limit(limit.clone());
        self.limit = limit.clone();
    }

    /// Says whether the clause belongs to a loop, as is assumed at first. The elements of premises
    /// outside of the head's loop do not grow any more, so what they derive needs no widening.
    pub(super) fn set_in_loop(&mut self, is_in_loop: bool) {
        self.is_in_loop = is_in_loop;
    }

    /// Extends `into`, an element of the head's space, by what the clause derives \[RSY04\]. See
    /// [`Domain::post`].
    pub(super) fn best_transformer<D: Domain>(
        &mut self,
        into: &mut D,
        space: &Space,
        premises: &[(&D, &Space)],
        growth: Growth,
    ) -> Result<bool, Failure> {
        self.grow(
            into,
            space,
            premises,
            |post, into, body| match D::BY_PATHS {
                false => post.add_points(into, space, body),
                true => post.add_paths(into, space, body, growth),
            },
        )
    }

    /// Extends `into`, an element of the head's space, while the solver has what is said of the
    /// premises. The formulas are that and the conjuncts of the constraint. Answers whether the
    /// element has changed, as `add` does.
    ///
    /// # Errors
    /// Those of `add`.
    pub(super) fn grow<D: Domain>(
        &mut self,
        into: &mut D,
        space: &Space,
        premises: &[(&D, &Space)],
        add: impl FnOnce(&mut Self, &mut D, &[Term]) -> Result<bool, Failure>,
    ) -> Result<bool, Failure> {
        if premises.iter().any(|(element, _)| element.is_bottom()) {
            return Ok(false);
        }
        debug_assert_eq!(
            premises.len(),
            self.body.len(),
            "each premise has its element"
        );
        let mut grew = self.forget_unasked(into, space);
        self.solver.push();
        let mut body = self.asserted.clone();
        for ((element, space), atom) in premises.iter().zip(&self.body) {
            body.extend(self.said_of(*element, space, atom));
        }
        (body[self.asserted.len()..].iter()).for_each(|&said| self.solver.assert(said));
        let added = add(self, into, &body);
        self.solver.pop();
        grew |= added?;
        Ok(grew)
    }

    /// Asserts what an element says of the premise, until [`ClausePost::leave`].
    pub(super) fn enter<D: Domain>(&mut self, premise: Option<(&D, &Space)>) {
        self.solver.push();
        for ((element, space), atom) in premise.iter().zip(&self.body) {
            let said = self.said_of(*element, space, atom).into_iter();
            said.for_each(|said| self.solver.assert(said));
        }
    }

    /// Takes back what [`ClausePost::enter`] asserted.
    pub(super) fn leave(&mut self) {
        self.solver.pop();
    }

    /// A state that the clause derives from what is asserted. The column, if one is given, must
    /// have a larger value than this, and has the next integer if it can. `None` if the solver
    /// finds none.
    pub(super) fn state(
        &mut self,
        space: &Space,
        above: Option<(Term, &Rational)>,
    ) -> Option<Point> {
        let t = self.t;
        let mut wanted = vec![Term::TRUE];
        if let Some((column, value)) = above {
            let column = self.of_head(space, column);
            let number = |value: &Rational| t.number(value.clone(), t.sort_of(column));
            let next = number(&(&value.floor() + &Rational::one()));
            wanted = vec![t.eq(column, next), t.gt(column, number(value))];
        }
        wanted.into_iter().find_map(|wanted| {
            self.solver.push();
            self.solver.assert(wanted);
            let about = format_args!("a state of predicate {} by a clause", self.head.pred.0);
            let is_there = matches!(self.solver.check(about, &[]), SatResult::Sat);
            let values = is_there.then(|| self.head_values(space).ok()).flatten();
            self.solver.pop();
            Some(space.point(&values?))
        })
    }

    /// A column of the head's arguments.
    fn of_head(&self, space: &Space, column: Term) -> Term {
        let (params, args) = (space.params().iter(), self.head.args.iter());
        debug_assert_eq!(params.len(), args.len(), "the space is that of the head");
        let pairs = params.copied().zip(args.copied());
        Substitution::new(self.t, pairs).apply(column)
    }

    /// Adds points until the element contains all that the clause derives from what is asserted.
    /// Domains that grow by points have no infinite ascending chains, or widen at once. Outside of
    /// loops the bounds of the path through a few points are added as well, without widening: an
    /// argument that a loop does not change keeps the bounds that it has where the loop begins.
    fn add_points<D: Domain>(
        &mut self,
        into: &mut D,
        space: &Space,
        path: &[Term],
    ) -> Result<bool, Failure> {
        let mut points = 0;
        loop {
            let is_path_asked = !self.is_in_loop && points >= POINTS_BEFORE_BOUNDS;
            let found = self.outside(into, space, |post| {
                is_path_asked.then(|| post.bounds(space, path)).flatten()
            })?;
            let Some((point, bounds)) = found else {
                return Ok(points > 0);
            };
            let point = D::of_point(space, &point);
            let growth = match into.is_bottom() {
                true => Growth::Join,
                false => Growth::Widen,
            };
            if let Some(bounds) = bounds {
                let before = cfg!(debug_assertions).then(|| into.clone());
                into.allow(&bounds);
                debug_assert!(
                    work::uncounted(|| before.is_none_or(|before| before.le(into, space))),
                    "an element that allows more is above"
                );
            }
            if !is_path_asked || !point.le(into, space) {
                grow_by(into, &point, space, growth);
            }
            points += 1;
        }
    }

    /// As [`ClausePost::add_points`] by images of paths; the path is made of these formulas, which
    /// the solver has. The element is widened once, at the end.
    fn add_paths<D: Domain>(
        &mut self,
        into: &mut D,
        space: &Space,
        path: &[Term],
        growth: Growth,
    ) -> Result<bool, Failure> {
        let before = into.clone();
        let mut images = 0;
        while let Some((point, image)) =
            self.outside(into, space, |post| post.image(space, path))?
        {
            let at_point = D::of_point(space, &point);
            let mut added = match image {
                Some(image) => D::of_image(space, &point, &image),
                None => at_point.clone(),
            };
            if !at_point.le(&added, space) {
                added.join(&at_point, space);
            }
            let growth = match images < MOST_IMAGES || into.is_bottom() {
                true => Growth::Join,
                false => Growth::Widen,
            };
            grow_by(into, &added, space, growth);
            images += 1;
        }
        if images > 0 && growth == Growth::Widen && !before.is_bottom() {
            let joined = std::mem::replace(into, before);
            grow_by(into, &joined, space, Growth::Widen);
        }
        Ok(images > 0)
    }

    /// A state that the clause derives outside of the element, and what is made of its model.
    pub(super) fn outside<D: Domain, T>(
        &mut self,
        element: &D,
        space: &Space,
        of_model: impl FnOnce(&mut Self) -> T,
    ) -> Result<Option<(Point, T)>, Failure> {
        self.limit.check()?;
        self.solver.push();
        let inside = self.said_of(element, space, &self.head);
        self.solver.assert(self.t.not(self.t.and(inside)));
        // ⋀ state(body) ∧ constraint ∧ ¬state(head)
        let about = format_args!("states of predicate {} by a clause", self.head.pred.0);
        let found = match self.solver.check(about, &[]) {
            SatResult::Sat => {
                let values = self.head_values(space);
                values.map(|values| Some((space.point(&values), of_model(self))))
            }
            SatResult::Unsat => Ok(None),
            SatResult::Unknown(why) => Err(why),
        };
        self.solver.pop();
        found
    }

    /// The terms of the clause.
    pub(super) fn terms(&self) -> &'t Terms {
        self.t
    }

    /// A variable for each argument of the head that is a bit-vector, and the argument, in the
    /// order of positions.
    pub(super) fn named_words(&mut self) -> Vec<(Term, Term)> {
        let t = self.t;
        let named = |&arg: &Term| {
            let sort = t.sort_of(arg);
            let is_word = t.bitvec_width(sort).is_some();
            is_word.then(|| (t.fresh_var("head", sort), arg))
        };
        let args = &self.head.args;
        let names = self
            .named_words
            .get_or_insert_with(|| args.iter().filter_map(named).collect());
        names.clone()
    }

    /// The literals of the path that the solver's model takes through these formulas, which the
    /// solver has, with an equation of each argument and its name. `None` if it is not a path, or
    /// the solver does not say.
    pub(super) fn path(&mut self, body: &[Term], named: &[(Term, Term)]) -> Option<Vec<Term>> {
        let args = named.iter().map(|&(_, arg)| arg);
        let mut valuation = self.valuation(body.iter().copied().chain(args))?;
        path(self.t, &mut valuation, body.to_vec(), named.iter().copied())
    }

    /// The values of these terms in the solver's model; `None` if the solver does not say.
    fn valuation(&mut self, terms: impl Iterator<Item = Term>) -> Option<Valuation<'t>> {
        let vars = self.t.vars(terms);
        let values = self.solver.values(&vars).ok()?;
        Some(Valuation::new(self.t, vars.into_iter().zip(values)))
    }

    /// The image of the path that the solver's model takes.
    fn image(&mut self, space: &Space, path: &[Term]) -> Option<Image> {
        self.of_path(space, path, |t, heads, valuation| {
            heads.image(t, space, valuation, path)
        })
    }

    /// The bounds of the head's columns on the path that the solver's model takes.
    fn bounds(&mut self, space: &Space, path: &[Term]) -> Option<ColumnBounds> {
        self.of_path(space, path, |t, heads, valuation| {
            heads.bounds(t, valuation, path)
        })
    }

    /// What is made of the solver's model, which takes a path through these formulas.
    fn of_path<T>(
        &mut self,
        space: &Space,
        path: &[Term],
        make: impl FnOnce(&Terms, &Heads, &mut Valuation<'t>) -> Option<T>,
    ) -> Option<T> {
        let (t, args) = (self.t, &self.head.args);
        let asked = |i: usize| self.support.check(t, args[i]).is_ok();
        let heads = self.heads.take();
        let heads = heads.unwrap_or_else(|| Heads::new(t, space, args, asked));
        let mut valuation = self.valuation(path.iter().copied().chain(heads.terms()))?;
        let made = make(t, &heads, &mut valuation);
        self.heads = Some(heads);
        made
    }

    /// What an element says of an atom's arguments, without literals that the core does not
    /// support.
    fn said_of<D: Domain>(&self, element: &D, space: &Space, atom: &Atom) -> Vec<Term> {
        let t = self.t;
        let pairs = space
            .params()
            .iter()
            .copied()
            .zip(atom.args.iter().copied());
        let mut substitution = Substitution::new(t, pairs);
        let literals = element.literals(t, space).into_iter();
        let mut literals: Vec<Term> = literals.map(|l| substitution.apply(l)).collect();
        literals.retain(|&l| self.support.check(t, l).is_ok());
        literals
    }

    /// Forgets what the head's element says of arguments that no core decides: no question would
    /// find what contradicts it. Answers whether the element grew.
    fn forget_unasked<D: Domain>(&self, into: &mut D, space: &Space) -> bool {
        if into.is_bottom() {
            return false;
        }
        let before = into.clone();
        for (i, &arg) in self.head.args.iter().enumerate() {
            if space.has_coordinate(i) && self.support.check(self.t, arg).is_err() {
                into.forget(space, i);
            }
        }
        !into.le(&before, space)
    }

    /// The values of the head's arguments in the solver's model; `None` of what it cannot be asked.
    fn head_values(&mut self, space: &Space) -> Result<Vec<Option<Value>>, Failure> {
        let askable = |&(i, &arg): &(usize, &Term)| {
            space.has_coordinate(i) && self.support.check(self.t, arg).is_ok()
        };
        let args = self.head.args.iter().enumerate();
        let (places, asked): (Vec<usize>, Vec<Term>) = args.filter(askable).unzip();
        let mut values = vec![None; self.head.args.len()];
        for (place, value) in places.into_iter().zip(self.solver.values(&asked)?) {
            values[place] = Some(value);
        }
        Ok(values)
    }
}
