//! The places of a file that are mutated.

use proc_macro2::Span;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ReturnType, Type, UnOp};

/// A place with mutants.
pub(crate) struct Site {
    /// The bytes that the mutants replace; empty at the beginning of a function's body.
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// The name of the function.
    pub(crate) function: String,
    /// An expression, or a place for statements?
    pub(crate) is_expression: bool,
    pub(crate) mutations: Vec<Mutation>,
}

/// A mutant.
pub(crate) struct Mutation {
    pub(crate) number: u32,
    /// What takes the place of the original.
    pub(crate) code: String,
    /// The change, for a list.
    pub(crate) change: String,
}

/// The places of a file, in the order of their beginning, and outer ones before inner ones. Their
/// mutants are numbered from `next` on.
pub(crate) fn find(file: &syn::File, text: &str, next: &mut u32) -> Vec<Site> {
    let mut finder = Finder {
        text,
        function: String::new(),
        sites: Vec::new(),
    };
    finder.visit_file(file);
    let mut sites = finder.sites;
    sites.sort_by_key(|site| (site.start, std::cmp::Reverse(site.end)));
    for mutation in sites.iter_mut().flat_map(|site| &mut site.mutations) {
        mutation.number = *next;
        *next += 1;
    }
    sites
}

/// The longest part of an operand that a list shows.
const SHOWN: usize = 40;

struct Finder<'a> {
    text: &'a str,
    function: String,
    sites: Vec<Site>,
}

impl Finder<'_> {
    fn text(&self, range: Range<usize>) -> &str {
        &self.text[range]
    }

    fn add(&mut self, range: Range<usize>, place: Span, codes: Vec<(String, String)>) {
        if codes.is_empty() || self.function.is_empty() {
            return;
        }
        let start = place.start();
        let mutation = |(code, change)| Mutation {
            number: 0,
            code,
            change,
        };
        self.sites.push(Site {
            is_expression: !range.is_empty(),
            start: range.start,
            end: range.end,
            line: start.line,
            column: start.column + 1,
            function: self.function.clone(),
            mutations: codes.into_iter().map(mutation).collect(),
        });
    }

    fn binary(&mut self, binary: &syn::ExprBinary) {
        let is_let = |operand: &Expr| has_let(operand);
        if is_let(&binary.left) || is_let(&binary.right) {
            return;
        }
        let left = self.text(binary.left.span().byte_range()).to_string();
        let right = self.text(binary.right.span().byte_range()).to_string();
        let old = self.text(binary.op.span().byte_range()).to_string();
        let shown = (last_part(&left), first_part(&right));
        let mutant = |new: &&str| {
            let code = match binary.op {
                BinOp::AddAssign(_) | BinOp::SubAssign(_) => format!("{left} {new} {right}"),
                _ => format!("({left}) {new} ({right})"),
            };
            let change = format!("`{} {old} {}` has {new}", shown.0, shown.1);
            (code, change)
        };
        let codes = others(&binary.op).iter().map(mutant).collect();
        self.add(binary.span().byte_range(), binary.op.span(), codes);
    }

    /// A function with its body. Those that are evaluated by the compiler cannot have mutants, and
    /// the text of messages is not tested word by word.
    fn function(
        &mut self,
        signature: &syn::Signature,
        body: &syn::Block,
        attributes: &[syn::Attribute],
    ) {
        let name = signature.ident.to_string();
        if signature.constness.is_some() || is_test(attributes) || name == "fmt" {
            return;
        }
        let outer = std::mem::replace(&mut self.function, name);
        if let ReturnType::Type(_, returned) = &signature.output {
            let values = values(returned);
            let code = |value: &&str| {
                let change = format!("returns {value}");
                (format!("return {value};"), change)
            };
            let codes = values.iter().map(code).collect();
            let begin = body.brace_token.span.open().byte_range().end;
            self.add(begin..begin, signature.ident.span(), codes);
        }
        visit::visit_block(self, body);
        self.function = outer;
    }
}

impl Visit<'_> for Finder<'_> {
    fn visit_item_mod(&mut self, module: &syn::ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_fn(&mut self, item: &syn::ItemFn) {
        self.function(&item.sig, &item.block, &item.attrs);
    }

    fn visit_impl_item_fn(&mut self, item: &syn::ImplItemFn) {
        self.function(&item.sig, &item.block, &item.attrs);
    }

    fn visit_trait_item_fn(&mut self, item: &syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.function(&item.sig, body, &item.attrs);
        }
    }

    fn visit_item_const(&mut self, _: &syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &syn::TraitItemConst) {}
    fn visit_item_static(&mut self, _: &syn::ItemStatic) {}
    fn visit_pat(&mut self, _: &syn::Pat) {}
    fn visit_type(&mut self, _: &Type) {}
    fn visit_attribute(&mut self, _: &syn::Attribute) {}
    fn visit_expr_const(&mut self, _: &syn::ExprConst) {}

    fn visit_expr_repeat(&mut self, repeat: &syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_expr_binary(&mut self, binary: &syn::ExprBinary) {
        self.binary(binary);
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &syn::ExprUnary) {
        if matches!(unary.op, UnOp::Not(_)) {
            let operand = self.text(unary.expr.span().byte_range()).to_string();
            let change = format!("`!{}` without !", first_part(&operand));
            self.add(
                unary.span().byte_range(),
                unary.span(),
                vec![(operand, change)],
            );
        }
        visit::visit_expr_unary(self, unary);
    }
}

/// The operators that take the place of one.
fn others(op: &BinOp) -> &'static [&'static str] {
    match op {
        BinOp::Eq(_) => &["!="],
        BinOp::Ne(_) => &["=="],
        BinOp::Lt(_) => &["<=", ">="],
        BinOp::Le(_) => &["<", ">"],
        BinOp::Gt(_) => &[">=", "<="],
        BinOp::Ge(_) => &[">", "<"],
        BinOp::And(_) => &["||"],
        BinOp::Or(_) => &["&&"],
        BinOp::Add(_) => &["-"],
        BinOp::Sub(_) => &["+"],
        BinOp::Mul(_) => &["+"],
        BinOp::AddAssign(_) => &["-="],
        BinOp::SubAssign(_) => &["+="],
        _ => &[],
    }
}

/// The values that a function with this type returns in its mutants.
fn values(returned: &Type) -> &'static [&'static str] {
    let Type::Path(path) = returned else {
        return &[];
    };
    let Some(last) = path.path.segments.last() else {
        return &[];
    };
    match last.ident.to_string().as_str() {
        "bool" => &["true", "false"],
        "Option" => &["None"],
        "Vec" => &["Vec::new()"],
        "usize" | "u64" | "u32" | "u16" | "u8" => &["0", "1"],
        "Result" => match first_argument(last) {
            Some(Type::Tuple(tuple)) if tuple.elems.is_empty() => &["Ok(())"],
            Some(Type::Path(path)) if path.path.is_ident("bool") => &["Ok(true)", "Ok(false)"],
            _ => &[],
        },
        _ => &[],
    }
}

fn first_argument(segment: &syn::PathSegment) -> Option<&Type> {
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    match arguments.args.first() {
        Some(syn::GenericArgument::Type(argument)) => Some(argument),
        _ => None,
    }
}

/// Is it a test, or compiled for tests alone?
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path = attribute.path();
        let of_cfg = |list: &syn::MetaList| list.tokens.to_string() == "test";
        path.is_ident("test")
            || path.is_ident("cfg") && attribute.meta.require_list().is_ok_and(of_cfg)
    })
}

/// Is it a condition that binds variables by `let`?
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// The beginning of a text, on one line.
fn first_part(text: &str) -> String {
    let line = on_one_line(text);
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// The end of a text, on one line.
fn last_part(text: &str) -> String {
    let line = on_one_line(text);
    match line.char_indices().rev().nth(SHOWN) {
        Some((begin, _)) => format!("…{}", &line[begin..]),
        None => line,
    }
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
