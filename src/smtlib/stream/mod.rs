//! One command after the other: cuts the tokens at balanced parentheses and hands each piece to the
//! generated parser.
//!
//! So memory is bounded by the largest command, what stands before a syntax error takes effect
//! before the error is met, and command names are words of the grammar only where a command begins.
//!
//! A run of the generated parser begins with empty stacks, which take longer to grow than a short
//! command takes to be read. So a piece is a *group*: some kilobytes of assertions and declarations
//! that follow each other, or one command of any other kind. They are handed out one by one, and an
//! error in one of them after those before it.
//!
//! Where to read: `lexeme` is what the grammar sees, `tokens` the cutting, `message` what is said
//! about syntax errors.

mod lexeme;
mod message;
mod tokens;

use super::ast::{Ast, Command};
use super::error::SyntaxError;
use super::grammar::GroupParser;
use super::lexer::{Lexer, Token};
use super::source::Source;
use crate::chc::Span;
use crate::term::Terms;
use message::{abbreviate, explain};
use tokens::Tokens;

pub use lexeme::{CommandWord, Lexeme};

/// A group is at most that much text and the largest command. The value was not tuned.
const GROUP: u32 = 2048;

/// A source cut into commands.
#[derive(Debug)]
pub struct Commands<'s> {
    source: &'s Source,
    lexer: Lexer<'s>,
    parser: ParserBox,
    /// A command that begins this number of bytes after the first of its group is not of the group
    /// any more.
    group: u32,
    /// What is wrong with the command after those of the group at hand.
    error: Option<Box<SyntaxError>>,
    /// The last command that was handed out, or passed over.
    last: Span,
}

/// The generated parser has no `Debug`.
struct ParserBox(GroupParser);

impl std::fmt::Debug for ParserBox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("GroupParser")
    }
}

impl<'s> Commands<'s> {
    /// The commands of a source, from its beginning.
    pub fn new(source: &'s Source) -> Self {
        Commands {
            source,
            lexer: Lexer::new(source.text()),
            parser: ParserBox(GroupParser::new()),
            group: GROUP,
            error: None,
            last: Span::default(),
        }
    }

    /// Reads the next command into `ast`, where the commands before it may stand too. `None` at the
    /// end of the input.
    ///
    /// # Errors
    /// The text is not SMT-LIB. There is no going on after that but by [`Commands::recover`].
    pub fn next_command(
        &mut self,
        ast: &mut Ast,
        terms: &Terms,
    ) -> Result<Option<(Command, Span)>, Box<SyntaxError>> {
        let next = self.next_in_group(ast, terms)?;
        if let Some((_, span)) = next {
            self.last = span;
        }
        Ok(next)
    }

    fn next_in_group(
        &mut self,
        ast: &mut Ast,
        terms: &Terms,
    ) -> Result<Option<(Command, Span)>, Box<SyntaxError>> {
        if let Some(next) = ast.next_command() {
            return Ok(Some(next));
        }
        if self.error.is_none() && !self.read_group(ast, terms)? {
            return self.check_end().map(|()| None);
        }
        match (ast.next_command(), self.error.take()) {
            (None, Some(error)) => Err(error),
            (next, error) => {
                self.error = error;
                Ok(next)
            }
        }
    }

    /// Reads the next group into `ast`, whose former content is forgotten. Answers whether there is
    /// one.
    fn read_group(&mut self, ast: &mut Ast, terms: &Terms) -> Result<bool, Box<SyntaxError>> {
        ast.clear();
        let Some(first) = self.lexer.next_token() else {
            return Ok(false);
        };
        let (token, opening) = first?;
        if token != Token::Open {
            let found = abbreviate(self.lexer.slice(opening));
            let span = opening;
            return Err(SyntaxError::NoCommand { found, span }.into());
        }
        let broken = self.source.is_broken();
        let tokens = Tokens::new(&mut self.lexer, terms, opening, broken, self.group);
        let read = self.parser.0.parse(ast, tokens);
        self.error = read.err().map(|error| explain(&self.lexer, error));
        Ok(true)
    }

    /// Reads a command once more that was read without an error, alone: its span is `span`. What
    /// `ast` had before is forgotten.
    pub fn read_again(&self, ast: &mut Ast, terms: &Terms, span: Span) -> Option<Command> {
        let mut again = Commands {
            source: self.source,
            lexer: Lexer::starting_at(self.source.text(), span.start),
            parser: ParserBox(GroupParser::new()),
            group: 0,
            error: None,
            last: Span::default(),
        };
        ast.clear();
        let command = again.next_command(ast, terms).ok().flatten();
        debug_assert!(command.is_some(), "it was read before");
        command.map(|(command, _)| command)
    }

    /// Goes on after an error: behind the last command that was handed out, or, where `next` is
    /// true, behind the one that follows it. Answers the place of that command; `None` if it is not
    /// closed, so that nothing is behind it.
    pub fn recover(&mut self, ast: &mut Ast, next: bool) -> Option<Span> {
        ast.clear();
        self.error = None;
        if next {
            self.last = self.pass_over()?;
        }
        self.lexer = self.lexer_at(self.last.end);
        Some(self.last)
    }

    fn lexer_at(&self, place: u32) -> Lexer<'s> {
        match place {
            0 => Lexer::new(self.source.text()),
            _ => Lexer::starting_at(self.source.text(), place),
        }
    }

    /// The place of the next command, or of a token that begins none.
    fn pass_over(&self) -> Option<Span> {
        let mut lexer = self.lexer_at(self.last.end);
        let mut depth = 0_u32;
        let mut start = None;
        loop {
            let span = match lexer.next_token()? {
                Ok((token, span)) => {
                    match token {
                        Token::Open => depth += 1,
                        Token::Close => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    span
                }
                Err(error) => match *error {
                    SyntaxError::StrayCharacter { span, .. }
                    | SyntaxError::MalformedLiteral { span, .. } => {
                        lexer = self.lexer_at(span.end);
                        span
                    }
                    _ => return None,
                },
            };
            let start = *start.get_or_insert(span.start);
            if depth == 0 {
                return Some(Span::new(start, span.end));
            }
        }
    }

    /// The text is at its end: was it all?
    fn check_end(&self) -> Result<(), Box<SyntaxError>> {
        let end = self.lexer.end();
        if self.source.is_broken() {
            let span = Span::new(end, end);
            Err(SyntaxError::NotUtf8 { span }.into())
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::ast::{Op, Range};

    /// The commands of a text, terms as their code; or the error.
    fn parse(text: &str) -> String {
        let source = Source::from_text("t", text);
        let mut commands = Commands::new(&source);
        let t = Terms::new();
        let mut ast = Ast::new(&t);
        let mut out = Vec::new();
        loop {
            match commands.next_command(&mut ast, &t) {
                Ok(None) => break,
                Ok(Some((Command::Assert { term }, _))) => {
                    out.extend(term.indices().map(|at| show(&ast, at, &t, &source)));
                }
                Ok(Some((command, _))) => {
                    let shown = format!("{command:?}");
                    out.push(shown.split([' ', '{']).next().unwrap_or("").to_owned());
                }
                Err(error) => {
                    out.push(format!(
                        "error@{}: {error}",
                        source.position(error.span().start)
                    ));
                    break;
                }
            }
        }
        out.join(" ")
    }

    fn show(ast: &Ast, at: usize, t: &Terms, source: &Source) -> String {
        let at = at as u32;
        let (start, end) = (at, at + 1);
        let (op, span) = ast.code.only(Range { start, end }).expect("an instruction");
        let name = |symbol| t.name(symbol).to_owned();
        match op {
            Op::Constant(symbol) => name(symbol),
            Op::Apply(symbol, count) => format!("{}/{count}", name(symbol)),
            Op::QualifiedConstant(id) => {
                format!("<{}>", name(ast.identifiers[id as usize].name.symbol))
            }
            Op::QualifiedApply(id, count) => {
                format!(
                    "<{}>/{count}",
                    name(ast.identifiers[id as usize].name.symbol)
                )
            }
            Op::LetEnter(names) => {
                let names: Vec<_> = ast.names[names.indices()]
                    .iter()
                    .map(|bound| name(bound.symbol))
                    .collect();
                format!("let[{}]", names.join(","))
            }
            Op::QuantifierEnter(quantifier, variables) => {
                let variables = &ast.variables[variables.indices()];
                let names: Vec<_> = variables
                    .iter()
                    .map(|variable| name(variable.name.symbol))
                    .collect();
                format!("{quantifier:?}[{}]", names.join(","))
            }
            Op::CaseEnter(pattern) => {
                let pattern = ast.patterns[pattern as usize];
                let names = &ast.names[pattern.variables.indices()];
                let names: Vec<_> = names.iter().map(|bound| name(bound.symbol)).collect();
                format!("case[{}({})]", name(pattern.head.symbol), names.join(","))
            }
            Op::Numeral | Op::Decimal | Op::Hexadecimal | Op::Binary | Op::Text => {
                source.slice(span).to_owned()
            }
            Op::Annotate(attributes) => format!("!{}", attributes.len()),
            other => format!("{other:?}"),
        }
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(parse(text), expected, "commands of {text:?}");
    }

    #[test]
    fn terms_become_postfix_code() {
        check("(assert x)", "x");
        check(
            "(assert (f a (g 1 2.5) #xff #b0 \"s\"))",
            "a 1 2.5 g/2 #xff #b0 \"s\" f/5",
        );
        check(
            "(assert (let ((x (f 1)) (y 2)) (g x y)))",
            "1 f/1 2 let[x,y] x y g/2 LetExit",
        );
        check(
            "(assert (let ((x (let ((y 1)) y))) x))",
            "1 let[y] y LetExit let[x] x LetExit",
        );
        check(
            "(assert (forall ((x Int) (y (Array Int (_ BitVec 8)))) (p x y)))",
            "Forall[x,y] x y p/2 QuantifierExit",
        );
        check("(assert (exists () true))", "Exists[] true QuantifierExit");
        check(
            "(assert (! (p 1) :named a :pattern ((f x) y) :flag))",
            "1 p/1 !3",
        );
        check("(assert ((_ is cons) x))", "x <is>/1");
        check("(assert (_ bv5 8))", "<bv5>");
        check("(assert ((as const (Array Int Int)) 0))", "0 <const>/1");
        check("(assert (as nil (List Int)))", "<nil>");
        check("(assert ((as (_ f 1) S) 0))", "0 <f>/1");
        check(
            "(assert (match t ((nil a) ((cons h _) (f h)) (x b) (_ c))))",
            "t MatchEnter case[nil()] a CaseExit case[cons(h,_)] h f/1 CaseExit case[x()] b CaseExit case[_()] c CaseExit \
             MatchExit(4)",
        );
    }

    #[test]
    fn command_names_are_symbols_elsewhere() {
        check(
            "(assert (push pop (reset exit) assert))",
            "pop exit reset/1 assert push/3",
        );
        check(
            "(declare-fun reset (Int) Bool) (declare-const exit Int)",
            "DeclareFun DeclareConst",
        );
        check(
            "(assert (let ((rule 1)) (query rule)))",
            "1 let[rule] rule query/1 LetExit",
        );
    }

    #[test]
    fn commands() {
        check("", "");
        check(" ; only a comment", "");
        check(
            "(set-logic HORN)(check-sat)(get-model)(exit)",
            "SetLogic CheckSat GetModel Exit",
        );
        check(
            "(set-info :status sat)(set-option :a.b (c (d) :e \"f\" let _))",
            "SetInfo SetOption",
        );
        check(
            "(push 1)(push)(pop 2)(reset)(echo \"a\")(get-info :reason-unknown)",
            "Push Push Pop Reset Echo GetInfo",
        );
        check(
            "(declare-datatypes ((T 0)) (((a (b Int)) (c))))",
            "DeclareDatatypes",
        );
        check(
            "(declare-datatypes ((T 1)) ((par (X) ((a (b X)) c))))",
            "DeclareDatatypes",
        );
        check(
            "(declare-datatypes () ((T a (b (c Int)))))",
            "DeclareDatatypes",
        );
        check(
            "(declare-datatypes (X) ((T a (b (c X))) (U d)))",
            "DeclareDatatypes",
        );
        check("(declare-datatype T ((a) (b (c T))))", "DeclareDatatypes");
        check(
            "(declare-datatype T (par (X) ((a (b X)))))",
            "DeclareDatatypes",
        );
        check(
            "(define-fun f ((x Int)) Int x)(define-const c Int 1)",
            "DefineFun DefineFun",
        );
        check(
            "(define-funs-rec ((f ((x Int)) Int) (g () Int)) (x 1))",
            "DefineFunsRec",
        );
        check(
            "(define-sort A (X) (Array X X))(declare-sort S 0)(declare-sort T)",
            "DefineSort DeclareSort DeclareSort",
        );
        check(
            "(declare-rel p (Int) interval)(declare-var x Int)(rule (p x) n)(query p :print-answer true)",
            "DeclareRel DeclareVar Rule Query",
        );
        check("(get-value (x (f y)))", "Smt");
        check("(get-interpolants a (and b c))", "Smt");
        check("(check-sat-assuming (p (not q)))", "CheckSatAssuming");
        check("(check-sat-assuming ())", "CheckSatAssuming");
        check("(get-assignment)", "Unsupported");
        check(
            "(get-value ())",
            "error@1:13: unexpected `)`, expected a term",
        );
    }

    #[test]
    fn errors() {
        check(
            "(assert x) y",
            "x error@1:12: expected a command, which starts with '(', found `y`",
        );
        check(
            "(assert x))",
            "x error@1:11: expected a command, which starts with '(', found `)`",
        );
        check(
            "(assert (f x)",
            "error@1:1: this command is not closed: the input ends with 1 open parenthesis",
        );
        check("(foo)", "error@1:2: unknown command `foo`");
        check(
            "()",
            "error@1:2: unexpected `)`, expected the name of a command",
        );
        check(
            "(assert ())",
            "error@1:10: unexpected `)`, expected `(`, `let`, `forall`, `exists`, `match`, `_`, `!`, `as` or a symbol",
        );
        check("(assert)", "error@1:8: unexpected `)`, expected a term");
        check("(assert x y)", "error@1:11: unexpected `y`, expected `)`");
        check(
            "(check-sat)\n(assert (f |x",
            "CheckSat error@2:12: this quoted symbol is not closed: the second '|' is missing",
        );
        check(
            "(declare-fun f Int Bool)",
            "error@1:16: unexpected `Int`, expected `(`",
        );
        check(
            "(assert (f x é))",
            "error@1:14: stray character 'é' (U+00E9)",
        );
    }

    #[test]
    fn an_error_comes_after_the_commands_before_it() {
        check(
            "(declare-fun p () Bool)(assert p) (assert (q 1)) (assert) (assert r)",
            "DeclareFun p 1 q/1 error@1:57: unexpected `)`, expected a term",
        );
        check(
            "(assert p)(assert q)\n(assert (f q é))",
            "p q error@2:14: stray character 'é' (U+00E9)",
        );
        check(
            "(assert p)(assert q) é",
            "p q error@1:22: stray character 'é' (U+00E9)",
        );
        check(
            "(assert p)(rule q n)(foo)",
            "p Rule error@1:22: unknown command `foo`",
        );
        check(
            "(assert p)(assert q)()",
            "p q error@1:22: unexpected `)`, expected the name of a command",
        );
        check(
            "(assert p)\n(assert (f q",
            "p error@2:1: this command is not closed: the input ends with 2 open parentheses",
        );
        check(
            "(assert p)(check-sat)(assert q)(assert |",
            "p CheckSat q error@1:40: this quoted symbol is not closed: the second '|' is missing",
        );
    }

    #[test]
    fn groups_are_short() {
        let text = "(assert (forall ((x Int)) (=> (p x 1) (p 2 x))))\n".repeat(1000);
        let source = Source::from_text("t", text.as_str());
        let (t, mut commands) = (Terms::new(), Commands::new(&source));
        let mut ast = Ast::new(&t);
        let (mut count, mut largest) = (0, 0);
        while let Ok(Some((Command::Assert { term }, span))) = commands.next_command(&mut ast, &t) {
            assert_eq!(source.slice(span).len(), 48, "{}", source.slice(span));
            assert_eq!(term.len(), 9);
            assert_eq!(ast.sorts_at_hand().len(), 1);
            (count, largest) = (count + 1, largest.max(ast.code.len()));
        }
        assert_eq!(count, 1000);
        assert!(
            (18..=400).contains(&largest),
            "{largest} instructions at once"
        );
    }

    #[test]
    fn a_command_is_read_again_alone() {
        let source = Source::from_text("t", "(assert p)(assert (q 1 2))(assert r)");
        let (t, mut commands) = (Terms::new(), Commands::new(&source));
        let mut ast = Ast::new(&t);
        let mut next = || commands.next_command(&mut ast, &t).expect("it is right");
        let (_, (_, span)) = (next(), next().expect("a second command"));
        let Some(Command::Assert { term }) = commands.read_again(&mut ast, &t, span) else {
            panic!("it was an assertion");
        };
        let code: Vec<_> = term
            .indices()
            .map(|at| show(&ast, at, &t, &source))
            .collect();
        assert_eq!(code.join(" "), "1 2 q/2");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_met_where_they_stand() {
        for (bytes, expected) in [
            (&b"(exit)\xff"[..], 1),
            (b"(exit)(assert \xff)", 1),
            (b"\xff", 0),
        ] {
            let source = Source::new("t", bytes.to_vec());
            let mut commands = Commands::new(&source);
            let t = Terms::new();
            let mut ast = Ast::new(&t);
            let mut seen = 0;
            let error = loop {
                match commands.next_command(&mut ast, &t) {
                    Ok(Some(_)) => seen += 1,
                    Ok(None) => panic!("the end was reached"),
                    Err(error) => break error,
                }
            };
            assert_eq!(seen, expected);
            assert!(matches!(*error, SyntaxError::NotUtf8 { .. }), "{error}");
        }
    }
}
