//! The rules by which words are replaced: see the table of the module.

use super::tokens::{Kind, Token, closes, opens, tokens};
use super::{COMPATIBLE, GOTO, LABEL, Refused, SAME};
use std::cell::Cell;
use std::ops::Range;

/// Words that a declaration may begin with.
const DECLARING: [&str; 30] = [
    "_Alignas",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Static_assert",
    "_Thread_local",
    "__auto_type",
    "__extension__",
    "__inline",
    "__typeof__",
    "auto",
    "char",
    "const",
    "double",
    "enum",
    "extern",
    "float",
    "inline",
    "int",
    "long",
    "register",
    "short",
    "signed",
    "static",
    "struct",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
];

/// Words that are no names, and may stand before a bracket or another word.
const KEYWORDS: [&str; 29] = [
    "_Alignof",
    "_Generic",
    "__alignof",
    "__alignof__",
    "__asm",
    "__asm__",
    "__attribute",
    "__attribute__",
    "__declspec",
    "__extension__",
    "__imag__",
    "__real__",
    "__typeof",
    "__typeof__",
    "asm",
    "break",
    "case",
    "continue",
    "default",
    "do",
    "else",
    "for",
    "goto",
    "if",
    "return",
    "sizeof",
    "switch",
    "typeof",
    "while",
];

/// Finds what is to be replaced in a text.
pub(super) struct Rules<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    changes: Vec<(Range<usize>, String)>,
    /// The bytes that may still be written twice.
    room: &'t Cell<usize>,
    /// The brackets that are open, as numbers of tokens.
    open: Vec<usize>,
    /// Does a declaration outside of functions begin here?
    fresh: bool,
    refused: Option<Refused>,
}

impl<'t> Rules<'t> {
    pub(super) fn new(text: &'t str, room: &'t Cell<usize>) -> Self {
        Rules {
            text,
            room,
            tokens: tokens(text),
            changes: Vec::new(),
            open: Vec::new(),
            fresh: true,
            refused: None,
        }
    }

    /// What is replaced by what. The parts may stand in any order.
    pub(super) fn changes(mut self) -> Result<Vec<(Range<usize>, String)>, Refused> {
        let mut at = 0;
        while at < self.tokens.len() {
            let next = match self.tokens[at].kind {
                Kind::Word => self.word(at),
                Kind::Sign => self.sign(at),
                Kind::Text => self.text(at),
                Kind::Number => at + 1,
            };
            // After its members, what a structure is the type of is declared.
            let begins = match self.token(next - 1) {
                ";" => true,
                "}" | "%>" => !self.is_of_structure(self.tokens[next - 1].partner),
                _ => false,
            };
            self.fresh = self.open.is_empty() && begins;
            at = next;
        }
        self.refused.map_or(Ok(self.changes), Err)
    }

    /// The text of a token; nothing beyond the last.
    fn token(&self, at: usize) -> &'t str {
        match self.tokens.get(at) {
            Some(token) => &self.text[token.start..token.end],
            None => "",
        }
    }

    fn before(&self, at: usize) -> &'t str {
        at.checked_sub(1).map_or("", |at| self.token(at))
    }

    /// Is this token a word that is no keyword?
    fn is_name(&self, at: usize) -> bool {
        let is_word = self
            .tokens
            .get(at)
            .is_some_and(|token| token.kind == Kind::Word);
        is_word && !KEYWORDS.contains(&self.token(at)) && !DECLARING.contains(&self.token(at))
    }

    /// The token after a bracket and what it encloses; after another token, the next.
    fn after(&self, at: usize) -> usize {
        self.tokens
            .get(at)
            .map_or(at, |token| token.partner.max(at))
            + 1
    }

    /// The first token from `at` on with one of these texts, outside of brackets that open there.
    fn find(&self, at: usize, signs: &[&str]) -> Option<usize> {
        let mut at = at;
        while at < self.tokens.len() {
            let token = self.token(at);
            if signs.contains(&token) {
                return Some(at);
            }
            if closes(token) {
                return None;
            }
            at = self.after(at);
        }
        None
    }

    /// Replaces tokens, from the beginning of one to the end of another.
    fn replace(&mut self, from: usize, to: usize, words: impl Into<String>) {
        let range = self.tokens[from].start..self.tokens[to].end;
        self.changes.push((range, words.into()));
    }

    /// Puts words in before a token.
    fn insert(&mut self, at: usize, words: &str) {
        let start = self.tokens[at].start;
        self.changes.push((start..start, words.to_owned()));
    }

    /// Puts words in after a token.
    fn append(&mut self, at: usize, words: &str) {
        let end = self.tokens[at].end;
        self.changes.push((end..end, words.to_owned()));
    }

    /// The rules for words. Answers the next token.
    fn word(&mut self, at: usize) -> usize {
        let word = self.token(at);
        match word {
            "__thread" => self.replace(at, at, ""),
            "__int128" | "__int128_t" | "__uint128_t" => self.replace(at, at, "_Complex"),
            "__float128" => self.replace(at, at, "_Float128"),
            "_Atomic" if self.token(at + 1) == "(" => self.replace(at, at, "__typeof__"),
            "__auto_type" => self.inferred_type(at),
            COMPATIBLE => self.compared_types(at),
            "sizeof" => self.size_of_literal(at),
            "typeof" | "__typeof" | "__typeof__" => self.type_of_comma(at),
            "_Static_assert" => self.assertion(at),
            "_Alignas" if self.is_in_structure() => self.alignment(at),
            "__label__" => self.local_labels(at),
            "__attribute__" | "__attribute" if self.is_of_statement(at) => {
                let end = self.after_attributes(at);
                self.replace(at, end - 1, "");
                return end;
            }
            "goto" if self.token(at + 1) == "*" => self.computed_goto(at),
            "asm" | "__asm__" | "__asm" if self.fresh => {
                if let Some(end) = self.find(at, &[";"]) {
                    self.replace(at, end, "");
                    return end + 1;
                }
            }
            _ => {
                self.mangle(at);
                self.function(at);
            }
        }
        at + 1
    }

    /// The rules for signs. Answers the next token.
    fn sign(&mut self, at: usize) -> usize {
        let sign = self.token(at);
        match sign {
            "<:" => self.replace(at, at, "["),
            ":>" => self.replace(at, at, "]"),
            "<%" => self.replace(at, at, "{"),
            "%>" => self.replace(at, at, "}"),
            "[" if self.token(at + 1) == "[" && self.tokens[at].partner > at => {
                let end = self.tokens[at].partner;
                self.replace(at, end, "");
                return end + 1;
            }
            "?" if self.token(at + 1) == ":" => {
                let range = self.tokens[at].end..self.tokens[at + 1].start;
                self.changes.push((range, SAME.to_owned()));
            }
            "&&" if self.is_prefix(at) && self.is_name(at + 1) => {
                let range = self.tokens[at].start..self.tokens[at + 1].start;
                self.changes.push((range, LABEL.to_owned()));
            }
            ":" => self.labeled(at),
            _ => {}
        }
        if opens(sign) {
            self.open.push(at);
        } else if closes(sign) {
            self.open.pop();
        }
        at + 1
    }

    /// The prefix of a literal: the word that it follows without a blank.
    fn prefix(&self, at: usize) -> &'t str {
        let before = at.checked_sub(1).map(|at| self.tokens[at]);
        let is_beside = before.is_some_and(|before| before.end == self.tokens[at].start);
        let word = if is_beside { self.before(at) } else { "" };
        if matches!(word, "L" | "u" | "U" | "u8") {
            word
        } else {
            ""
        }
    }

    /// The prefix of wide characters that a string literal or one beside it has: they are one
    /// literal together.
    fn common_prefix(&self, at: usize) -> &'t str {
        let is_string = |at: usize| self.token(at).starts_with('"');
        let is_prefix = |at: usize| {
            at + 1 < self.tokens.len() && is_string(at + 1) && !self.prefix(at + 1).is_empty()
        };
        let mut first = at;
        while let Some(before) = first.checked_sub(1)
            && (is_string(before) || is_prefix(before))
        {
            first = before;
        }
        let literals = (first..self.tokens.len()).take_while(|&at| is_string(at) || is_prefix(at));
        let mut prefixes = literals
            .filter(|&at| is_prefix(at))
            .map(|at| self.token(at));
        let wide = prefixes.find(|prefix| matches!(*prefix, "L" | "u" | "U"));
        wide.unwrap_or_default()
    }

    /// Universal character names in literals become what they are in UTF-8, or numbers in wide
    /// literals, and `\e` the character 27. Answers the next token.
    fn text(&mut self, at: usize) -> usize {
        let token = self.tokens[at];
        let own = self.prefix(at);
        let text = self.token(at);
        let prefix = match text.starts_with('"') {
            true => self.common_prefix(at),
            false => own,
        };
        let mut from = 0;
        while let Some(found) = text[from..].find('\\') {
            let start = from + found;
            let digits = match text.as_bytes().get(start + 1) {
                Some(b'u') => 4,
                Some(b'U') => 8,
                Some(b'e') => {
                    let range = token.start + start..token.start + start + 2;
                    self.changes.push((range, "\\033".to_owned()));
                    0
                }
                _ => 0,
            };
            from = (start + 2 + digits).min(text.len());
            while !text.is_char_boundary(from) {
                from += 1;
            }
            let value = u32::from_str_radix(text.get(start + 2..from).unwrap_or(""), 16).ok();
            if let Some(c) = value.and_then(char::from_u32).filter(|_| digits > 0) {
                let range = token.start + start..token.start + from;
                let next = text.starts_with('"').then_some(own);
                self.changes.push((range, character(c, prefix, next)));
            }
        }
        at + 1
    }

    /// Does an operator here have no operand before it?
    fn is_prefix(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return true;
        };
        let text = self.token(before);
        match self.tokens[before].kind {
            Kind::Number | Kind::Text => false,
            Kind::Word => matches!(text, "return" | "case"),
            Kind::Sign if text == ")" => self.is_cast(before),
            Kind::Sign => !matches!(text, "]" | ":>" | "++" | "--" | "}"),
        }
    }

    /// Is the bracket that closes here around a type, of which the next operand becomes one?
    fn is_cast(&self, at: usize) -> bool {
        let open = self.tokens[at].partner;
        let is_type = self.before(at) == "*" || DECLARING.contains(&self.token(open + 1));
        let is_argument = match open.checked_sub(1) {
            Some(before) => match self.tokens[before].kind {
                Kind::Word => !matches!(self.token(before), "return" | "case"),
                Kind::Sign | Kind::Number | Kind::Text => false,
            },
            None => false,
        };
        is_type && !is_argument
    }

    /// Does a declaration begin here?
    fn is_declaration(&self, at: usize) -> bool {
        if DECLARING.contains(&self.token(at)) {
            return true;
        }
        let mut next = at + 1;
        while self.token(next) == "*" {
            next += 1;
        }
        self.is_name(at)
            && self.is_name(next)
            && matches!(self.token(next + 1), "=" | ";" | "," | "[" | "<:")
    }

    /// The token after the attributes that begin here, if there are some.
    fn after_attributes(&self, at: usize) -> usize {
        let mut end = at;
        while matches!(self.token(end), "__attribute__" | "__attribute")
            && self.token(end + 1) == "("
        {
            end = self.after(end + 1);
        }
        end.min(self.tokens.len())
    }

    /// Do the attributes here belong to a label, or to an empty statement?
    fn is_of_statement(&self, at: usize) -> bool {
        let end = self.after_attributes(at);
        if end == at {
            return false;
        }
        let is_block =
            |&open: &usize| matches!(self.token(open), "{" | "<%") && !self.is_of_structure(open);
        match self.before(at) {
            ":" => self.ends_label(at - 1),
            ";" | "{" | "}" | "<%" | "%>" => {
                self.token(end) == ";" && self.open.last().is_some_and(is_block)
            }
            _ => false,
        }
    }

    /// After a label there is a statement: no declaration, and not the end of the block.
    fn labeled(&mut self, at: usize) {
        let next = self.after_attributes(at + 1);
        let is_end = matches!(self.token(next), "}" | "%>");
        if is_end || (self.is_declaration(next) && self.ends_label(at)) {
            self.append(at, ";");
        }
    }

    /// Is the colon here the end of a label in a block?
    fn ends_label(&self, at: usize) -> bool {
        let begins = |at: usize| matches!(self.before(at), ";" | "{" | "}" | ":" | "<%" | "%>");
        let Some(name) = at.checked_sub(1) else {
            return false;
        };
        if begins(name) && (self.is_name(name) || self.token(name) == "default") {
            return true;
        }
        let is_end = |&at: &usize| matches!(self.token(at), ";" | "{" | "}" | "<%" | "%>");
        let mut cases = (0..at).rev().take_while(|at| !is_end(at));
        let Some(case) = cases.find(|&at| self.token(at) == "case" && begins(at)) else {
            return false;
        };
        // The colon of a label is the first that belongs to no `?`.
        let mut questions = 0_usize;
        let mut next = case + 1;
        while next < at {
            match self.token(next) {
                "?" => questions += 1,
                ":" if questions == 0 => return false,
                ":" => questions -= 1,
                _ => {}
            }
            next = self.after(next);
        }
        next == at && questions == 0
    }

    /// `__auto_type x = e`: the type of the value of `e`.
    fn inferred_type(&mut self, at: usize) {
        if !self.is_name(at + 1) || self.token(at + 2) != "=" {
            return;
        }
        let Some(end) = self.find(at + 3, &[";", ","]) else {
            return;
        };
        // Between the tokens there may be lines of directives.
        let value: Vec<&str> = (at + 3..end).map(|at| self.token(at)).collect();
        let value = value.join(" ");
        // The value is written twice, and so is each value within it.
        let Some(left) = self.room.get().checked_sub(value.len()) else {
            return;
        };
        self.room.set(left);
        if let Ok((value, _)) = super::rewrite_within(&value, self.room) {
            self.replace(at, at, format!("__typeof__((0,({value})))"));
        }
    }

    /// Types as arguments are put into `sizeof`.
    fn compared_types(&mut self, at: usize) {
        let Some(comma) = self
            .find(at + 2, &[","])
            .filter(|_| self.token(at + 1) == "(")
        else {
            return;
        };
        self.append(at + 1, "sizeof(");
        self.replace(comma, comma, "),sizeof(");
        self.insert(self.tokens[at + 1].partner, ")");
    }

    /// `sizeof (T){ … }`: the parser takes `sizeof (T)`.
    fn size_of_literal(&mut self, at: usize) {
        let body = self.after(at + 1);
        if self.token(at + 1) != "(" || !matches!(self.token(body), "{" | "<%") {
            return;
        }
        let mut end = self.after(body);
        loop {
            match self.token(end) {
                "[" | "<:" => end = self.after(end),
                "." | "->" => end += 2,
                _ => break,
            }
        }
        self.insert(at + 1, "(");
        self.append(end.min(self.tokens.len()) - 1, ")");
    }

    /// `__typeof__(a, b)`: the parser takes one operand.
    fn type_of_comma(&mut self, at: usize) {
        if self.token(at + 1) == "(" && self.find(at + 2, &[","]).is_some() {
            self.insert(at + 1, "(");
            self.append(self.tokens[at + 1].partner, ")");
        }
    }

    /// Are these the members of a structure, a union or an enumeration?
    fn is_in_structure(&self) -> bool {
        self.open
            .last()
            .is_some_and(|&open| self.is_of_structure(open))
    }

    /// Does this bracket open the members of a structure, a union or an enumeration? Its name, and
    /// attributes, stand before it.
    fn is_of_structure(&self, open: usize) -> bool {
        let mut at = open;
        while let Some(before) = at.checked_sub(1) {
            match self.token(before) {
                "struct" | "union" | "enum" => return true,
                // The brackets of an attribute.
                ")" => at = self.tokens[before].partner.min(before),
                "__attribute__" | "__attribute" => at = before,
                _ if self.is_name(before) && at == open => at = before,
                _ => return false,
            }
        }
        false
    }

    /// `_Alignas` of a member, as an attribute.
    fn alignment(&mut self, at: usize) {
        if self.token(at + 1) != "(" {
            return;
        }
        self.replace(at, at, "__attribute__((aligned");
        self.append(self.tokens[at + 1].partner, "))");
        if DECLARING.contains(&self.token(at + 2)) {
            self.insert(at + 2, "_Alignof(");
            self.insert(self.tokens[at + 1].partner, ")");
        }
    }

    /// An assertion without a message gets one.
    fn assertion(&mut self, at: usize) {
        let end = self.tokens.get(at + 1).map_or(at, |token| token.partner);
        if end > at + 1 && self.find(at + 2, &[","]).is_none() {
            self.insert(end, ", \"\"");
        }
    }

    /// Labels of a block have other names in it than outside.
    fn local_labels(&mut self, at: usize) {
        let (Some(end), Some(&block)) = (self.find(at, &[";"]), self.open.last()) else {
            return;
        };
        let names: Vec<&str> = (at + 1..end)
            .filter(|&at| self.is_name(at))
            .map(|at| self.token(at))
            .collect();
        let number = self.changes.len() + 1;
        for other in end..self.tokens[block].partner {
            let begins = |before| matches!(before, ";" | "{" | "}" | ":" | ")" | "else" | "do");
            let is_label = match self.before(other) {
                "goto" => true,
                "&&" => self.is_prefix(other - 1),
                before => begins(before) && self.token(other + 1) == ":",
            };
            if is_label && names.contains(&self.token(other)) {
                self.append(other, &format!("__{number}"));
            }
        }
        self.replace(at, end, "");
    }

    /// `goto *e;`
    fn computed_goto(&mut self, at: usize) {
        if let Some(end) = self.find(at, &[";"]) {
            self.replace(at, at + 1, format!("{GOTO}("));
            self.insert(end, ")");
        }
    }

    /// A name with characters that the parser does not know gets others.
    fn mangle(&mut self, at: usize) {
        let name = self.token(at);
        if name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        {
            return;
        }
        let mut words = String::new();
        for c in name.chars() {
            match c {
                '\\' => words.push('_'),
                '$' => words.push_str("_dollar_"),
                c if c.is_ascii() => words.push(c),
                c => words.push_str(&format!("_u{:x}", u32::from(c))),
            }
        }
        self.replace(at, at, words);
    }

    /// Old C leaves out `int` before the name of a function that is defined. Functions within
    /// functions are not supported.
    fn function(&mut self, at: usize) {
        if self.token(at + 1) != "(" || !self.is_name(at) {
            return;
        }
        let after = self.after(at + 1);
        let is_body = matches!(self.token(after), "{" | "<%");
        if self.fresh {
            // Parameters in the old style are declared before the body.
            let is_old = self
                .tokens
                .get(after)
                .is_some_and(|token| token.kind == Kind::Word);
            if is_body || (is_old && !self.token(after).starts_with('_')) {
                self.insert(at, "int ");
            }
        } else if is_body && !self.open.is_empty() {
            let before = self.before(at);
            let is_type = before == "*"
                || DECLARING.contains(&before)
                || at.checked_sub(1).is_some_and(|before| self.is_name(before));
            if is_type && self.refused.is_none() {
                let what = "functions within functions are not supported";
                self.refused = Some((self.tokens[at].start, what));
            }
        }
    }
}

/// A character in a literal that is read with this prefix, whatever follows it. The rest of a
/// string can be another literal, with the prefix `next`.
fn character(c: char, prefix: &str, next: Option<&str>) -> String {
    let units: Vec<u32> = match (prefix, u32::from(c)) {
        ("u", 0x80..) => c
            .encode_utf16(&mut [0; 2])
            .iter()
            .map(|&unit| u32::from(unit))
            .collect(),
        ("L" | "U", value @ 0x80..) => vec![value],
        _ => c.encode_utf8(&mut [0; 4]).bytes().map(u32::from).collect(),
    };
    let escapes = units.into_iter().map(|unit| match (unit, next) {
        // The longest number of an octal escape has three digits.
        (..0o1000, _) => format!("\\{unit:03o}"),
        // A digit that follows belongs to another literal.
        (_, Some(next)) => format!("\\x{unit:x}\" {next}\""),
        (_, None) => format!("\\x{unit:x}"),
    });
    escapes.collect()
}
