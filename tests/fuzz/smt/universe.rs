//! What a profile declares by text: constants of arrays and datatypes, and functions over them.

use horn::smtlib::{SmtReader, Source, Uninterpreted};
use horn::term::{FuncId, SelectorId, Sort, SortKind, Terms};

/// The declarations of a profile, carried out in one store. Datatypes are made anew by each
/// declaration, so all scripts of a store share one universe.
#[derive(Debug, Default)]
pub(crate) struct Universe {
    /// Name and sort of each constant.
    pub(crate) constants: Vec<(String, Sort)>,
    /// The sorts of arrays and datatypes, each once.
    pub(crate) structures: Vec<Sort>,
    /// What terms can be read with, and the sort of what is read.
    readers: Vec<(Sort, Reader)>,
}

/// What reads from an array, a value of a datatype, or any arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reader {
    /// Reads an element of an array of this sort.
    Select(Sort),
    /// Reads a field.
    Field(SelectorId),
    /// Applies a function.
    Apply(FuncId),
}

impl Universe {
    /// Carries out declarations, which are SMT-LIB commands.
    pub(crate) fn declare(t: &Terms, declarations: &str) -> Self {
        let source = Source::from_text("declarations", declarations);
        let mut reader = SmtReader::new(t, &source);
        while let Some((_step, _)) = reader.next_step().unwrap_or_else(|e| panic!("{e}")) {}
        let mut universe = Universe::default();
        let mut sorts = Vec::new();
        for &declared in reader.declared() {
            match declared {
                Uninterpreted::Constant(constant) => {
                    let name = t.name(t.as_var(constant).expect("a constant is a variable"));
                    let sort = t.sort_of(constant);
                    universe.constants.push((name.to_owned(), sort));
                    sorts.push(sort);
                }
                Uninterpreted::Function(func) => {
                    let decl = t.func(func);
                    universe.readers.push((decl.result, Reader::Apply(func)));
                    sorts.extend(decl.params.iter().chain([&decl.result]));
                }
            }
        }
        for sort in made_of(t, sorts) {
            universe.add_structure(t, sort);
        }
        universe
    }

    /// Notes how terms of a sort are read, if it is one of arrays or a datatype.
    fn add_structure(&mut self, t: &Terms, sort: Sort) {
        match *t.sort_kind(sort) {
            SortKind::Array(_, element) => self.readers.push((element, Reader::Select(sort))),
            SortKind::Datatype(id) => {
                let ctors = t.datatype(id).ctors().iter();
                let fields = ctors.flat_map(|&ctor| &t.ctor(ctor).fields);
                let read = |&field: &SelectorId| (t.selector(field).sort, Reader::Field(field));
                self.readers.extend(fields.map(read));
            }
            _ => return,
        }
        self.structures.push(sort);
    }

    /// Are terms of this sort made by what was declared?
    pub(crate) fn has_structure(&self, sort: Sort) -> bool {
        self.structures.contains(&sort)
    }

    /// What reads terms of a sort.
    pub(crate) fn readers_of(&self, sort: Sort) -> Vec<Reader> {
        let readers = self.readers.iter().filter(|(read, _)| *read == sort);
        readers.map(|&(_, reader)| reader).collect()
    }
}

/// Sorts and the sorts that their values are made of, each once.
pub(crate) fn made_of(t: &Terms, roots: impl IntoIterator<Item = Sort>) -> Vec<Sort> {
    let mut found: Vec<Sort> = Vec::new();
    let mut todo: Vec<Sort> = roots.into_iter().collect();
    todo.reverse();
    while let Some(sort) = todo.pop() {
        if found.contains(&sort) {
            continue;
        }
        found.push(sort);
        todo.extend(t.array_parts(sort).into_iter().flat_map(|(i, e)| [i, e]));
        todo.extend(t.field_sorts(sort));
    }
    found
}
