//! Random functions with random lemmas, for the checker of models. Evaluation at small values
//! judges it: a definition that is not refused has a value everywhere, and a lemma that is accepted
//! holds.
//!
//! `HORN_FUZZ_LEMMAS` is the number of groups of functions, `HORN_FUZZ_SEED` the seed.

mod evaluation;

use crate::harness::environment;
use crate::random::Random;
use evaluation::{Evaluation, NoValue, STEPS};
use horn::certify::{ModelError, check_model};
use horn::chc::{Atom, Clause, Interpretation, Model, Origin, PredId, Predicate, Span, System};
use horn::smt::process::ProcessOptions;
use horn::smt::{Backend, Limit};
use horn::term::{Case, FuncId, Op, Sort, Term, Terms};
use horn::work::milliseconds;

/// Groups of functions, unless the environment says otherwise.
const GROUPS: u64 = 60;
/// For each group, this many models are checked.
const MODELS: usize = 6;

/// Natural numbers, lists of them, and functions of both.
struct World<'r> {
    t: &'r Terms,
    nat: Sort,
    list: Sort,
    funcs: Vec<FuncId>,
    random: &'r mut Random,
}

impl<'r> World<'r> {
    fn new(t: &'r Terms, random: &'r mut Random) -> Self {
        let [nat, list] = ["Nat", "List"].map(|name| t.declare_datatype(t.symbol(name), &[]));
        let [of_nat, of_list] = [nat, list].map(|id| t.datatype(id).sort);
        let field = |name: &str, sort: Sort| (t.symbol(name), sort);
        let fields = vec![field("pred", of_nat)];
        t.define_datatype(
            nat,
            &[(t.symbol("zero"), vec![]), (t.symbol("succ"), fields)],
        );
        let fields = vec![field("head", of_nat), field("tail", of_list)];
        t.define_datatype(
            list,
            &[(t.symbol("nil"), vec![]), (t.symbol("cons"), fields)],
        );
        World {
            nat: of_nat,
            list: of_list,
            funcs: Vec::new(),
            random,
            t,
        }
    }

    fn built(&self, sort: Sort, fields: &[Term]) -> Term {
        let id = self.t.datatype_of(sort).expect("a datatype");
        let ctor = self.t.datatype(id).ctors()[usize::from(!fields.is_empty())];
        self.t.construct(ctor, fields)
    }

    /// A term of a sort over variables.
    fn term(&mut self, sort: Sort, vars: &[Term], depth: usize) -> Term {
        let fitting = vars.iter().copied().filter(|&v| self.t.sort_of(v) == sort);
        let fitting: Vec<Term> = fitting.collect();
        if !fitting.is_empty() && (depth == 0 || self.random.percent(35)) {
            return self.random.pick(&fitting);
        }
        let results = self.funcs.iter().copied();
        let funcs: Vec<FuncId> = results.filter(|&f| self.t.func(f).result == sort).collect();
        if depth > 0 && !funcs.is_empty() && self.random.percent(60) {
            let func = self.random.pick(&funcs);
            let params = self.t.func(func).params.to_vec();
            let args = params.iter().map(|&sort| self.term(sort, vars, depth - 1));
            let args: Vec<Term> = args.collect();
            return self.t.apply(func, &args);
        }
        if depth > 0 && self.random.percent(12) {
            let [yes, no] = [(); 2].map(|()| self.term(sort, vars, depth - 1));
            let condition = self.formula(vars, depth - 1);
            return self.t.ite(condition, yes, no);
        }
        if sort == Sort::BOOL {
            return self.formula(vars, depth);
        }
        if sort == Sort::INT {
            let n = self.t.int(self.random.between(-1, 2));
            return match depth {
                0 => n,
                _ => self.t.add([self.term(sort, vars, depth - 1), n]),
            };
        }
        if depth == 0 || self.random.percent(20) {
            return self.built(sort, &[]);
        }
        let fields = match sort == self.nat {
            true => vec![self.term(sort, vars, depth - 1)],
            false => vec![
                self.term(self.nat, vars, depth - 1),
                self.term(sort, vars, depth - 1),
            ],
        };
        self.built(sort, &fields)
    }

    fn formula(&mut self, vars: &[Term], depth: usize) -> Term {
        let below = depth.saturating_sub(1);
        let sort = self.random.pick(&[self.nat, self.list, Sort::INT]);
        let [x, y] = [(); 2].map(|()| self.term(sort, vars, below));
        match self.random.below(4) {
            0 if sort == Sort::INT => self.t.le(x, y),
            1 if depth > 0 => self.t.not(self.formula(vars, below)),
            2 if depth > 0 => {
                let parts = [(); 2].map(|()| self.formula(vars, below));
                self.t.or(parts)
            }
            _ => self.t.eq(x, y),
        }
    }

    /// Functions with definitions that apply all of them to anything.
    fn define(&mut self) {
        for _ in 0..self.random.between(1, 3) {
            let first = self.random.pick(&[self.nat, self.list]);
            let mut params = vec![first];
            if self.random.percent(70) {
                params.push(self.random.pick(&[self.nat, self.list, Sort::INT]));
            }
            let sorts = [self.nat, self.list, Sort::INT, Sort::BOOL];
            let result = self.random.pick(&sorts);
            let func = self.t.declare(self.t.fresh_symbol("f"), &params, result);
            self.funcs.push(func);
        }
        for func in self.funcs.clone() {
            let params = self.t.func(func).params.to_vec();
            let result = self.t.func(func).result;
            let id = self.t.datatype_of(params[0]).expect("a datatype");
            let ctors = self.t.datatype(id).ctors().to_vec();
            let cases = ctors.into_iter().map(|ctor| {
                let fields = self.t.ctor(ctor).fields.iter();
                let sorts = fields.map(|&field| self.t.selector(field).sort);
                let sorts = sorts.chain(params[1..].iter().copied());
                let vars: Vec<Term> = sorts.map(|sort| self.t.fresh_var("c", sort)).collect();
                let depth = self.random.below(4);
                Case {
                    ctor,
                    body: self.term(result, &vars, depth),
                    params: vars.into(),
                }
            });
            let cases: Vec<Case> = cases.collect();
            self.t.define_by_cases(func, cases);
        }
    }

    /// Small values of a sort.
    fn values(&self, sort: Sort) -> Vec<Term> {
        if sort == Sort::INT {
            return (-2..4).map(|n| self.t.int(n)).collect();
        }
        let mut nats = vec![self.built(self.nat, &[])];
        while nats.len() < 5 {
            nats.push(self.built(self.nat, &nats[nats.len() - 1..]));
        }
        if sort == self.nat {
            return nats;
        }
        let mut lists = vec![self.built(sort, &[])];
        for at in 0..7 {
            let longer = |&head: &Term| self.built(sort, &[head, lists[at]]);
            let longer: Vec<Term> = nats[..2].iter().map(longer).collect();
            lists.extend(longer);
        }
        lists
    }

    /// What a lemma says of small values.
    fn instances(&self, lemma: Term) -> Vec<Term> {
        let (bound, matrix) = self.t.split_forall(lemma);
        let mut found = vec![matrix];
        for &var in bound {
            let values = self.values(self.t.sort_of(var));
            let each = found.iter().flat_map(|&said| {
                let value = |&value| self.t.substitute(said, [(var, value)]);
                values.iter().map(value).collect::<Vec<_>>()
            });
            found = each.collect();
        }
        found
    }

    /// What the checker says of the model where a predicate that holds of everything is
    /// interpreted by these formulas.
    fn check(&self, backend: &Backend, said: &[Term]) -> Result<(), ModelError> {
        let t = self.t;
        let x = t.fresh_var("x", self.nat);
        let func = t.declare(t.fresh_symbol("p"), &[self.nat], Sort::BOOL);
        let head = Atom {
            pred: PredId(0),
            args: vec![x],
        };
        let system = System {
            preds: vec![Predicate {
                func,
                span: Span::default(),
            }],
            clauses: vec![Clause {
                vars: vec![x],
                body: vec![],
                constraint: Term::TRUE,
                head: Some(head),
                origin: Origin::default(),
            }],
        };
        let interpretation = Interpretation {
            params: vec![x],
            body: t.and(said.iter().copied()),
        };
        let model = Model {
            interpretations: vec![interpretation],
        };
        let mut solvers = || backend.solver(t, "check");
        let limit = Limit::none().part(milliseconds(500));
        check_model(t, &system, &model, &mut solvers, &limit)
    }
}

/// What was seen.
#[derive(Debug, Default)]
struct Tally {
    groups: u64,
    refused: u64,
    without_value: u64,
    too_long: u64,
    models: u64,
    accepted: u64,
    wrong: u64,
}

/// Checks a group of functions, and lemmas about them that are accepted or not.
fn check(world: &mut World<'_>, backend: &Backend, tally: &mut Tally) -> Result<(), String> {
    world.define();
    tally.groups += 1;
    match have_meanings(world, backend, tally)? {
        true => check_lemmas(world, backend, tally),
        false => Ok(()),
    }
}

/// Does the checker take the definitions?
fn have_meanings(world: &World<'_>, backend: &Backend, tally: &mut Tally) -> Result<bool, String> {
    let params = |world: &World<'_>, func: FuncId| -> Vec<Term> {
        let sorts = world.t.func(func).params.iter();
        sorts.map(|&sort| world.t.fresh_var("y", sort)).collect()
    };
    // A definition without a meaning is refused: it has no value for small arguments only then.
    let mut is_refused = false;
    let mut without_value = None;
    for func in world.funcs.clone() {
        let vars = params(world, func);
        let value = world.t.apply(func, &vars);
        let other = world.t.fresh_var("z", world.t.sort_of(value));
        let bound = [&vars[..], &[other]].concat();
        let said = world.t.forall(&bound, world.t.eq(value, other));
        let found = world.check(backend, &[said]);
        if found.is_ok() {
            return Err("a function has all values".to_owned());
        }
        is_refused |= matches!(found, Err(ModelError::Malformed { .. }));
        for said in world.instances(world.t.forall(&vars, world.t.eq(value, other))) {
            let applied = world.t.args(said).iter().copied();
            let applied = applied.filter(|&x| x != other);
            for applied in applied {
                match Evaluation::new(world.t).value(applied) {
                    Err(NoValue::Circle) => without_value = Some(applied),
                    Err(NoValue::TooLong) => tally.too_long += u64::from(!is_refused),
                    Ok(_) => {}
                }
            }
        }
    }
    tally.refused += u64::from(is_refused);
    if let Some(applied) = without_value {
        tally.without_value += 1;
        if !is_refused {
            return Err(format!("{} has no value", world.t.display(applied)));
        }
    }
    Ok(!is_refused)
}

/// Checks models of lemmas, some of which are false for few values.
fn check_lemmas(world: &mut World<'_>, backend: &Backend, tally: &mut Tally) -> Result<(), String> {
    let mut first = None;
    for _ in 0..MODELS {
        let mut lemmas = Vec::new();
        for _ in 0..40 {
            let sorts = [world.nat, world.list, world.list, Sort::INT];
            let vars = sorts.map(|sort| world.t.fresh_var("v", sort));
            let depth = 1 + world.random.below(3);
            let said = world.formula(&vars, depth);
            let bound = world.t.vars([said]);
            let lemma = world.t.forall(&bound, said);
            let speaks = world
                .t
                .any_subterm(said, |x| matches!(world.t.op(x), Op::Apply(_)));
            if bound.len() > 3 || !speaks {
                continue;
            }
            // What is false for most values is not worth a look.
            let instances = world.instances(lemma);
            let mut evaluation = Evaluation::new(world.t);
            let is_false = |&&said: &&Term| {
                evaluation.steps = STEPS;
                evaluation.value(said) == Ok(Term::FALSE)
            };
            let wrong = instances.iter().filter(is_false).count();
            if wrong * 2 <= instances.len() {
                lemmas.push((lemma, wrong > 0));
            }
            if lemmas.len() == 3 {
                break;
            }
        }
        // A lemma that held before may be used.
        lemmas.splice(0..0, first);
        let said: Vec<Term> = lemmas.iter().map(|(lemma, _)| *lemma).collect();
        let is_wrong = lemmas.iter().any(|(_, is_wrong)| *is_wrong);
        tally.models += 1;
        tally.wrong += u64::from(is_wrong);
        if world.check(backend, &said).is_ok() {
            tally.accepted += 1;
            if is_wrong {
                let text = said.iter().map(|&x| world.t.display(x).to_string());
                return Err(text.collect::<Vec<_>>().join("\n"));
            }
            first = lemmas.pop();
        }
    }
    Ok(())
}

#[test]
fn accepted_lemmas_hold() {
    let groups = environment("HORN_FUZZ_LEMMAS", GROUPS);
    let seed = environment("HORN_FUZZ_SEED", 1);
    let chosen = Backend::choose(None, ProcessOptions::default());
    let backend = chosen.expect("the embedded core is there").0;
    let mut tally = Tally::default();
    for index in 0..groups {
        let t = &Terms::new();
        let mut random = Random::of(seed, index);
        let mut world = World::new(t, &mut random);
        if let Err(why) = check(&mut world, &backend, &mut tally) {
            let mut funcs = String::new();
            for &func in &world.funcs {
                let name = world.t.name(world.t.func(func).name);
                for case in world.t.func(func).cases() {
                    let params = case.params.iter();
                    let params = params.map(|&x| world.t.display(x).to_string());
                    let params = params.collect::<Vec<_>>().join(" ");
                    let ctor = world.t.name(world.t.ctor(case.ctor).name);
                    let body = world.t.display(case.body);
                    funcs += &format!("{name} {ctor} {params}: {body}\n");
                }
            }
            panic!("seed {seed}, {index}: {why}\n{funcs}");
        }
    }
    println!("{tally:?}");
    assert!(
        tally.without_value > 0 && tally.accepted > 0 && tally.wrong > 0,
        "{tally:?}"
    );
}
