//! Damaged inputs: whatever is read, nothing panics, no stack overflows, and what is accepted can
//! be printed and read again.
//!
//! The inputs are always the same, in number too, and of a bounded size; `PROPTEST_RNG_SEED` and
//! `PROPTEST_CASES` ask for others.

use crate::files::files;
use horn::chc::{Span, System};
use horn::smtlib::ast::Ast;
use horn::smtlib::stream::Commands;
use horn::smtlib::{Reader, SmtReader, Source, Step, system_text};
use horn::term::Terms;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::mem::discriminant;
use std::ops::Range;
use std::sync::OnceLock;

/// Inputs to damage: small files, so that damage is likely to be met.
fn seeds() -> &'static [Vec<u8>] {
    static SEEDS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    SEEDS.get_or_init(|| {
        const LARGEST: usize = 6_000;
        let scripts = [EVERYTHING, FOR_SOLVERS];
        let mut seeds: Vec<Vec<u8>> = scripts.map(|text| text.as_bytes().to_vec()).into();
        let corpora = ["horn-benchmarks", "../shared/benchmarks/chc-comp25"];
        let all = corpora.iter().flat_map(|directory| files(directory));
        seeds.extend(
            all.filter_map(|path| std::fs::read(path).ok())
                .filter(|text| text.len() < LARGEST),
        );
        seeds
    })
}

/// A script with every kind of command and term.
const EVERYTHING: &str = r#"
(set-logic HORN) (set-info :status sat) (set-option :timeout 10) ; a comment
(declare-sort S 1) (define-sort A (X) (Array Int X)) (declare-datatype Opt (par (X) ((none) (some (it X)))))
(declare-datatypes ((L 0) (M 0)) (((nil) (cons (hd Int) (tl M))) ((mk (of L) (bits (_ BitVec 8))))))
(declare-fun p (Int (A Int)) Bool) (declare-fun |q r| (L (Opt Real)) Bool) (declare-const n Bool)
(define-fun f ((x Int)) Int (ite (> x 0) (div x 2) (- x))) (define-fun-rec g ((x Int)) Bool (p x ((as const (A Int)) 0)))
(assert (forall ((x Int) (a (A Int))) (! (=> (and (p x a) (let ((y (+ x 1)) (z #xff)) (< y (f y) (bv2nat z)))) n) :named c1)))
(assert (forall ((l L) (o (Opt Real))) (=> (|q r| l o) (match l ((nil (= 1.5 (it o))) ((cons h _) (distinct h 1 2)))))))
(push 1) (assert (not (exists ((m M)) (and (|q r| (of m) none) (bvult ((_ extract 3 0) (bits m)) #b0001) ((_ is cons) (of m))))))
(check-sat) (get-model) (pop) (echo "a ""b""") (check-sat) (get-info :reason-unknown)
(reset) (declare-rel r (Int)) (declare-var v Int) (rule (=> (and (r v) (< v 9)) (r (+ v 1))) up) (query (r 7)) (query r) (exit)
"#;

/// A script for SMT solvers with every kind of command that Horn systems do not have.
const FOR_SOLVERS: &str = r#"
(set-option :produce-unsat-cores true) (declare-sort U 0) (declare-const u U) (declare-fun f (U Int) U) (declare-fun x () Int)
(assert (! (< (! (+ x 1) :named y) 3) :named a)) (assert (! (exists ((x Int)) (= (f u x) u)) :named b)) (check-sat)
(get-value (x y (f u 2) (let ((z x)) (> z y)))) (get-model) (push) (assert (! (> x 5) :named c)) (get-assertions)
(check-sat-assuming ((> y 1) (not a))) (get-unsat-core) (get-unsat-assumptions) (get-interpolants a (and b c)) (get-proof)
(pop) (get-option :foo) (reset-assertions) (exit)
"#;

/// One piece of damage, at places given as fractions of the text.
#[derive(Clone, Debug)]
enum Damage {
    DeleteBytes(f64, usize),
    InsertByte(f64, u8),
    ChangeByte(f64, u8),
    DeleteToken(f64),
    DuplicateToken(f64),
    SwapTokens(f64, f64),
    InsertWord(f64, &'static str),
    CopyRange(f64, usize, f64),
    Cut(f64),
    /// An argument more or less, or another one: other arities and sorts.
    DeleteExpression(f64),
    DuplicateExpression(f64),
    SwapExpressions(f64, f64),
    /// A name in place of another: other bindings.
    CopyName(f64, f64),
    /// An expression inside of that many applications.
    Nest(f64, usize, &'static str),
}

/// What an expression is put inside of: this before it, and a parenthesis after it.
const AROUND: [&str; 7] = [
    "(not ",
    "(- ",
    "(and true ",
    "(let ((x 1)) ",
    "(forall ((x Int)) ",
    "(store x 1 ",
    "(! ",
];

const WORDS: [&str; 40] = [
    "(",
    ")",
    "let",
    "forall",
    "((x Int))",
    "((_ is cons) x)",
    "(as nil L)",
    "(_ bv3 8)",
    "#xf",
    "1.5",
    "-",
    "=",
    "ite",
    "true",
    "assert",
    "|a|",
    "\"",
    "|",
    ";",
    "!",
    ":named",
    "match",
    "(push 3)",
    "(pop)",
    "(reset)",
    "99999999999999999999",
    "(_ extract 9 0)",
    "distinct",
    "4294967296",
    "(_ BitVec 4294967295)",
    "(_ bv99999999999 3)",
    "((_ repeat 4294967295) #b1)",
    "((_ sign_extend 1048575) #b1)",
    "((_ rotate_left 4294967295) #b10)",
    "((as const (Array Int Int)) 0)",
    "(define-sort A2 (X) (Array X X))",
    "(declare-datatype D (par (X) ((d (e (D (D X)))) (f))))",
    "(declare-datatype N ((m (o N))))",
    "(let ((x x)) x)",
    "(define-fun g1 ((x Int)) Int (f (f x)))",
];

fn damage() -> impl Strategy<Value = Damage> {
    let at = || 0.0..1.0f64;
    prop_oneof![
        (at(), 1..40usize).prop_map(|(at, count)| Damage::DeleteBytes(at, count)),
        (at(), any::<u8>()).prop_map(|(at, byte)| Damage::InsertByte(at, byte)),
        (at(), any::<u8>()).prop_map(|(at, byte)| Damage::ChangeByte(at, byte)),
        at().prop_map(Damage::DeleteToken),
        at().prop_map(Damage::DuplicateToken),
        (at(), at()).prop_map(|(a, b)| Damage::SwapTokens(a, b)),
        (at(), 0..WORDS.len()).prop_map(|(at, word)| Damage::InsertWord(at, WORDS[word])),
        (at(), 1..200usize, at()).prop_map(|(from, count, to)| Damage::CopyRange(from, count, to)),
        at().prop_map(Damage::Cut),
        at().prop_map(Damage::DeleteExpression),
        at().prop_map(Damage::DuplicateExpression),
        (at(), at()).prop_map(|(a, b)| Damage::SwapExpressions(a, b)),
        (at(), at()).prop_map(|(from, to)| Damage::CopyName(from, to)),
        (at(), prop_oneof![1..4usize, 1..2000usize], 0..AROUND.len())
            .prop_map(|(at, depth, kind)| Damage::Nest(at, depth, AROUND[kind])),
    ]
}

/// The tokens of a text, roughly: parentheses, and what stands between them and blanks.
fn tokens(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, &byte) in text.iter().enumerate() {
        let single = byte == b'(' || byte == b')';
        if single || byte.is_ascii_whitespace() {
            found.extend(start.take().map(|start| start..at));
            if single {
                found.push(at..at + 1);
            }
        } else if start.is_none() {
            start = Some(at);
        }
    }
    found.extend(start.map(|start| start..text.len()));
    found
}

/// The expressions of a text, roughly: tokens, and what is between matching parentheses.
fn expressions(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open = Vec::new();
    for token in tokens(text) {
        match text[token.start] {
            b'(' => open.push(token.start),
            b')' => found.extend(open.pop().map(|start| start..token.end)),
            _ => found.push(token),
        }
    }
    found
}

/// Swaps two parts of a text that do not overlap.
fn swap(text: &mut Vec<u8>, one: Range<usize>, other: Range<usize>) {
    let (first, second) = match one.start <= other.start {
        true => (one, other),
        false => (other, one),
    };
    if first.end <= second.start {
        let (before, after) = (text[first.clone()].to_vec(), text[second.clone()].to_vec());
        text.splice(second, before);
        text.splice(first, after);
    }
}

/// Damage to one of the expressions.
fn apply_to_expressions(text: &mut Vec<u8>, damage: &Damage) {
    let all = match damage {
        Damage::CopyName(..) => tokens(text),
        _ => expressions(text),
    };
    let pick = |at: f64| all[((at * all.len() as f64) as usize).min(all.len() - 1)].clone();
    if all.is_empty() {
        return;
    }
    match *damage {
        Damage::DeleteExpression(at) => drop(text.drain(pick(at))),
        Damage::DuplicateExpression(at) => {
            let of = pick(at);
            let copy = [b" ", &text[of.clone()], b" "].concat();
            text.splice(of.end..of.end, copy);
        }
        Damage::SwapExpressions(a, b) => swap(text, pick(a), pick(b)),
        Damage::CopyName(from, to) => {
            let name = text[pick(from)].to_vec();
            text.splice(pick(to), name);
        }
        Damage::Nest(at, depth, around) => {
            let of = pick(at);
            let inner = text[of.clone()].to_vec();
            let nested = [around.repeat(depth).into_bytes(), inner, vec![b')'; depth]];
            text.splice(of, nested.concat());
        }
        _ => unreachable!("the other kinds are no damage to expressions"),
    }
}

fn apply(text: &mut Vec<u8>, damage: &Damage) {
    let place = |at: f64, count: usize| ((at * count as f64) as usize).min(count.saturating_sub(1));
    if text.is_empty() {
        return;
    }
    let byte_at = |at: f64| place(at, text.len());
    match *damage {
        Damage::DeleteBytes(at, count) => {
            let from = byte_at(at);
            text.drain(from..(from + count).min(text.len()));
        }
        Damage::InsertByte(at, byte) => text.insert(byte_at(at), byte),
        Damage::ChangeByte(at, byte) => {
            let at = byte_at(at);
            text[at] = byte;
        }
        Damage::InsertWord(at, word) => {
            let at = byte_at(at);
            text.splice(at..at, format!(" {word} ").into_bytes());
        }
        Damage::CopyRange(from, count, to) => {
            let (from, to) = (byte_at(from), byte_at(to));
            let copied = text[from..(from + count).min(text.len())].to_vec();
            text.splice(to..to, copied);
        }
        Damage::Cut(at) => text.truncate(byte_at(at)),
        Damage::DeleteExpression(_)
        | Damage::DuplicateExpression(_)
        | Damage::SwapExpressions(..)
        | Damage::CopyName(..)
        | Damage::Nest(..) => apply_to_expressions(text, damage),
        Damage::DeleteToken(at) | Damage::DuplicateToken(at) | Damage::SwapTokens(at, _) => {
            let tokens = tokens(text);
            let Some(token) = tokens.get(place(at, tokens.len())).cloned() else {
                return;
            };
            match *damage {
                Damage::DeleteToken(_) => drop(text.drain(token)),
                Damage::DuplicateToken(_) => {
                    let mut copy = text[token.clone()].to_vec();
                    copy.push(b' ');
                    text.splice(token.start..token.start, copy);
                }
                Damage::SwapTokens(_, other) => {
                    let other = tokens[place(other, tokens.len())].clone();
                    swap(text, token, other);
                }
                _ => unreachable!("the other kinds are treated above"),
            }
        }
    }
}

/// The system without the names of its clauses, of which those are not printed that functions have.
fn nameless(system: &System) -> System {
    let mut system = system.clone();
    for clause in &mut system.clauses {
        clause.origin.name = None;
    }
    system
}

/// Runs a script to its end or its error; every system that is asked about is printed and read
/// again.
fn run(bytes: Vec<u8>) {
    let source = Source::new("damaged", bytes);
    run_for_solvers(&source);
    let t = Terms::new();
    let mut reader = Reader::new(&t, &source);
    loop {
        match reader.next_step() {
            Ok(Some(Step::Check { .. })) => {
                let text = system_text(&t, reader.system()).to_string();
                let u = Terms::new();
                let again = Source::from_text("printed", text.clone());
                let system = horn::smtlib::read_system(&u, &again)
                    .unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert_eq!(
                    nameless(&system).fingerprint(&u),
                    nameless(reader.system()).fingerprint(&t),
                    "{}\nis read as\n{text}",
                    source.text()
                );
            }
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(error) => {
                assert!(!error.report().is_empty());
                break;
            }
        }
    }
}

/// The same inputs in each run, unless the environment says otherwise.
fn config() -> ProptestConfig {
    let asked = ProptestConfig::default();
    let rng_seed = match asked.rng_seed {
        RngSeed::Random => RngSeed::Fixed(20_251_121),
        fixed => fixed,
    };
    let cases = std::env::var_os("PROPTEST_CASES").map_or(1500, |_| asked.cases);
    ProptestConfig {
        cases,
        rng_seed,
        // Failures are repeated by the seed.
        failure_persistence: None,
        ..asked
    }
}

/// Runs a script for SMT solvers to its end or its error; answers the number of steps.
fn run_for_solvers(source: &Source) -> usize {
    let t = Terms::new();
    let mut reader = SmtReader::new(&t, source);
    let mut steps = 0;
    loop {
        match reader.next_step() {
            Ok(Some(_)) => steps += 1,
            Ok(None) => return steps,
            Err(error) => {
                assert!(!error.report().is_empty());
                return steps;
            }
        }
    }
}

/// Reads a script to its end, past all errors that allow it: each time at least a token is behind.
fn run_past_errors(text: Vec<u8>) {
    let most = text.len() + 1;
    let source = Source::new("script", text);
    let t = Terms::new();
    let mut reader = Reader::new(&t, &source).with_questions(true);
    let mut solvers = SmtReader::new(&t, &source);
    let mut errors = [0, 0];
    loop {
        match reader.next_step() {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(error) if reader.recover(&error) => errors[0] += 1,
            Err(_) => break,
        }
    }
    loop {
        match solvers.next_step() {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(error) if solvers.recover(&error) => errors[1] += 1,
            Err(_) => break,
        }
    }
    assert!(errors.iter().all(|&errors| errors <= most));
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn damaged_files_are_read_past_errors(seed in any::<prop::sample::Index>(), damage in prop::collection::vec(damage(), 1..8)) {
        let seeds = seeds();
        let mut text = seeds[seed.index(seeds.len())].clone();
        for damage in &damage {
            apply(&mut text, damage);
        }
        run_past_errors(text);
    }

    #[test]
    fn damaged_files_are_read_or_rejected(seed in any::<prop::sample::Index>(), damage in prop::collection::vec(damage(), 1..8)) {
        let seeds = seeds();
        let mut text = seeds[seed.index(seeds.len())].clone();
        for damage in &damage {
            apply(&mut text, damage);
        }
        run(text);
    }

    #[test]
    fn soups_of_words_are_read_or_rejected(words in prop::collection::vec(0..WORDS.len(), 0..60)) {
        let text: Vec<&str> = words.iter().map(|&word| WORDS[word]).collect();
        run(text.join(" ").into_bytes());
    }

    #[test]
    fn the_script_with_everything_survives_much_damage(damage in prop::collection::vec(damage(), 1..3)) {
        let mut text = EVERYTHING.as_bytes().to_vec();
        for damage in &damage {
            apply(&mut text, damage);
        }
        run(text);
    }

    #[test]
    fn commands_one_by_one_are_those_of_the_whole(seed in any::<prop::sample::Index>(), damage in prop::collection::vec(damage(), 0..3)) {
        let seeds = seeds();
        let mut text = seeds[seed.index(seeds.len())].clone();
        for damage in &damage {
            apply(&mut text, damage);
        }
        check_pieces(&String::from_utf8_lossy(&text));
    }

    #[test]
    fn checks_one_by_one_are_those_of_files_that_end_there(damage in prop::collection::vec(damage(), 0..3)) {
        let mut text = EVERYTHING.as_bytes().to_vec();
        for damage in &damage {
            apply(&mut text, damage);
        }
        check_prefixes(&String::from_utf8_lossy(&text));
    }
}

/// The syntax of each command with its place, and the error at the end.
fn syntax(source: &Source, t: &Terms) -> (Vec<(String, Span)>, Option<String>) {
    // Where commands of a group stand in the tables depends on those before them.
    let (mut ast, mut alone) = (Ast::new(t), Ast::new(t));
    let mut commands = Commands::new(source);
    let mut all = Vec::new();
    loop {
        match commands.next_command(&mut ast, t) {
            Ok(Some((command, span))) => {
                let again = (commands.read_again(&mut alone, t, span)).expect("it was read before");
                assert_eq!(discriminant(&again), discriminant(&command));
                all.push((format!("{again:?} {alone:?}"), span));
            }
            Ok(None) => return (all, None),
            Err(error) => return (all, Some(format!("{error} at {:?}", error.span()))),
        }
    }
}

/// Each command alone, at its place in an otherwise blank text, is what it is in the whole; so is
/// the rest, where the error is.
fn check_pieces(text: &str) {
    let t = Terms::new();
    let (whole, error) = syntax(&Source::from_text("whole", text), &t);
    let mut end = 0;
    for (command, span) in &whole {
        let blank = " ".repeat(span.start as usize);
        let piece = Source::from_text("piece", blank + &text[span.range()]);
        let (alone, error) = syntax(&piece, &t);
        assert_eq!((alone, error), (vec![(command.clone(), *span)], None));
        end = span.end as usize;
    }
    let rest = Source::from_text("rest", " ".repeat(end) + &text[end..]);
    assert_eq!(syntax(&rest, &t), (Vec::new(), error));
}

/// The system at each check of a script is that of a script that ends with this check.
fn check_prefixes(text: &str) {
    let source = Source::from_text("script", text);
    let t = Terms::new();
    let mut reader = Reader::new(&t, &source);
    let mut checks = 0;
    while let Ok(Some(step)) = reader.next_step() {
        let Step::Check { span, .. } = step else {
            continue;
        };
        checks += 1;
        let u = Terms::new();
        let prefix = Source::from_text("prefix", &text[..span.end as usize]);
        let mut again = Reader::new(&u, &prefix);
        let mut left = checks;
        while left > 0 {
            let step = again.next_step().expect("it was read before");
            let step = step.expect("the check is there");
            left -= usize::from(matches!(step, Step::Check { .. }));
        }
        assert_eq!(
            reader.system().fingerprint(&t),
            again.system().fingerprint(&u)
        );
        assert!(matches!(again.next_step(), Ok(None)));
    }
}

#[test]
fn the_script_with_everything_is_read() {
    let source = Source::from_text("everything", EVERYTHING);
    let t = Terms::new();
    let mut reader = Reader::new(&t, &source);
    let mut count = 0;
    while let Some(step) = reader
        .next_step()
        .unwrap_or_else(|error| panic!("{}", error.report()))
    {
        count += usize::from(matches!(step, Step::Check { .. }));
    }
    assert_eq!(count, 4);
    run(EVERYTHING.as_bytes().to_vec());
}

#[test]
fn the_script_for_solvers_is_read() {
    let source = Source::from_text("for solvers", FOR_SOLVERS);
    assert_eq!(run_for_solvers(&source), 22);
}
