//! Models of the C library's functions: C text that stands for what a program calls and does not
//! define.
//!
//! The models are what the standard says of each function, where it says something. They use these
//! words, which `lower::model` knows:
//!
//! | word | meaning |
//! |---|---|
//! | `horn_element` | the type of the elements that the pointers of the call point to |
//! | `horn_allocate(bytes)` | a pointer to new memory |
//! | `horn_size_of(pointer)` | the bytes that were allocated there |
//! | `horn_free(pointer)` | the memory there is given back |
//! | `horn_zero(place)` | zeros in all of a place |
//! | `horn_input(place)` | an input of the program |
//! | `horn_unspecified(place)` | any value: the standard leaves it open |
//! | `horn_any(place, "what")` | any value, where the model knows less than the standard says |
//! | `horn_assume(condition)` | other runs have no meaning, or do not exist |
//! | `horn_unsupported("what")` | runs that come here are not modelled |

mod names;

use super::parse::parse;
use super::source::CText;
use lang_c::ast::{
    DeclaratorKind, DerivedDeclarator, ExternalDeclaration, FunctionDefinition, TranslationUnit,
};
use lang_c::span::Node;
use rustc_hash::FxHashMap;

pub(crate) use names::{format_position, is_function, is_sized, is_variable, writes_nothing};

/// The models, those of memory last: they use the signs of strings.
const TEXT: &str = concat!(
    include_str!("stdio.c"),
    include_str!("string.c"),
    include_str!("wchar.c"),
    include_str!("ctype.c"),
    include_str!("stdlib.c"),
    include_str!("print.c"),
    include_str!("builtin.c"),
    include_str!("atomic.c"),
    include_str!("memory.c"),
);

/// The words of the models where they are executed.
const FREESTANDING: &str = "\
typedef char horn_element;
static int horn_errno;
int *__errno_location(void) { return &horn_errno; }
#define horn_error_number(number) (horn_errno = (number))
#define horn_allocate(bytes) malloc(bytes)
#define horn_assume(condition) ((void)0)
#define horn_any(place, what) ((place) = 0)
#define horn_input(place) ((place) = 0)
#define horn_unspecified(place) ((place) = 0)
#define horn_unsupported(what) __builtin_trap()
";

/// What the type of elements is called in the models.
pub(crate) const ELEMENT: &str = "horn_element";

/// The models, as a syntax tree.
pub(crate) struct Library {
    pub(crate) source: CText,
    pub(crate) unit: TranslationUnit,
    /// Where in the unit each function is.
    functions: FxHashMap<String, usize>,
}

impl Library {
    /// Can there be a model of a function of this name? The answer needs no syntax tree.
    pub(crate) fn mentions(name: &str) -> bool {
        let is_at = |ending: &str| TEXT.contains(&format!(" {name}{ending}"));
        let pointer = |ending: &str| TEXT.contains(&format!("*{name}{ending}"));
        ["(", "_numbers(", "_bytes("]
            .iter()
            .any(|ending| is_at(ending) || pointer(ending))
    }

    pub(crate) fn new() -> Self {
        let text = format!("typedef int {ELEMENT};\n{TEXT}");
        let source = CText::of_preprocessed("<library>", &text).expect("the models are C");
        let unit = parse(&source).expect("the models are C");
        let mut functions = FxHashMap::default();
        for (at, item) in unit.0.iter().enumerate() {
            if let ExternalDeclaration::FunctionDefinition(f) = &item.node
                && let DeclaratorKind::Identifier(name) = &f.node.declarator.node.kind.node
            {
                functions.insert(name.node.name.clone(), at);
            }
        }
        Library {
            source,
            unit,
            functions,
        }
    }

    /// The definition of a function.
    pub(crate) fn function(&self, name: &str) -> Option<&Node<FunctionDefinition>> {
        let at = *self.functions.get(name)?;
        match &self.unit.0[at].node {
            ExternalDeclaration::FunctionDefinition(f) => Some(f),
            _ => None,
        }
    }

    /// Does a function depend on the type of the elements it works on?
    pub(crate) fn is_generic(&self, f: &Node<FunctionDefinition>) -> bool {
        self.text(f).contains(ELEMENT)
    }

    /// The text of a function.
    fn text(&self, f: &Node<FunctionDefinition>) -> &str {
        &self.source.text[f.span.start..f.span.end]
    }

    /// The models of strings, characters and numbers, as C text for a program without the C
    /// library. What gives inputs is not among them.
    pub(crate) fn freestanding() -> String {
        [
            FREESTANDING,
            include_str!("string.c"),
            include_str!("ctype.c"),
            include_str!("stdlib.c"),
        ]
        .concat()
    }

    /// `scanf` and `fscanf` for harnesses, under all names that they have for the linker.
    /// `horn_scan_next` is left to the caller.
    pub(crate) fn scan_functions() -> String {
        let mut text = include_str!("scan.c").to_owned();
        for (name, before) in [("scanf", ""), ("fscanf", "void *file, ")] {
            for prefix in ["", "__isoc99_", "__isoc23_"] {
                text.push_str(&format!(
                    "int horn{prefix}_{name}({before}const char *format, ...) __asm__(\"{prefix}{name}\");\n\
                     int horn{prefix}_{name}({before}const char *format, ...) {{\n  \
                     __builtin_va_list items;\n  __builtin_va_start(items, format);\n  \
                     int count = horn_scan(format, items);\n  __builtin_va_end(items);\n  return count;\n}}\n"
                ));
            }
        }
        text
    }

    /// The model of a function that gives inputs, as a function of another name with this name for
    /// the linker; `None` for other functions. In it, `horn_input` and `horn_assume` are left to
    /// the caller.
    pub(crate) fn input_function(&self, name: &str, own: &str) -> Option<String> {
        let f = self.function(name)?;
        if !self.text(f).contains("horn_input") {
            return None;
        }
        let DeclaratorKind::Identifier(id) = &f.node.declarator.node.kind.node else {
            return None;
        };
        let text = &self.source.text;
        let head = format!(
            "{}{own}{}",
            &text[f.span.start..id.span.start],
            &text[id.span.end..f.node.statement.span.start]
        );
        let body = &text[f.node.statement.span.start..f.span.end];
        let head = head.trim_end();
        Some(format!("{head} __asm__(\"{name}\");\n{head} {body}\n"))
    }
}

/// The number of parameters of a definition.
pub(crate) fn parameters(f: &FunctionDefinition) -> usize {
    let derived = f.declarator.node.derived.iter();
    let functions = derived.filter_map(|d| match &d.node {
        DerivedDeclarator::Function(f) => Some(f.node.parameters.len()),
        _ => None,
    });
    let count = functions.sum();
    // `(void)` declares none, and is the only parameter without a name.
    let void = f.declarator.node.derived.iter().any(|d| {
        matches!(&d.node, DerivedDeclarator::Function(f)
            if f.node.parameters.iter().any(|p| p.node.declarator.is_none()))
    });
    if void { 0 } else { count }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_found_by_their_names() {
        let library = Library::new();
        for name in ["strlen", "strchr", "getchar", "div", "__errno_location"] {
            assert!(Library::mentions(name), "{name}");
            assert!(library.function(name).is_some(), "{name}");
        }
        for name in ["qsort", "memset", "memcmp", "memchr"] {
            assert!(Library::mentions(name), "{name}");
        }
        for name in ["main", "len", "str", "strlens"] {
            assert!(!Library::mentions(name), "{name}");
        }
    }

    #[test]
    fn inputs_have_their_models_in_harnesses() {
        let library = Library::new();
        let text = library.input_function("getchar", "own").expect("an input");
        assert!(
            text.starts_with("int own(void) __asm__(\"getchar\");\nint own(void) {"),
            "{text}"
        );
        assert_eq!(library.input_function("strlen", "own"), None);
    }
}
