//! A system of clauses as SMT-LIB text, which reads back as an equal system.
//!
//! Sorts and datatypes come first, then predicates, then one assertion a clause; clauses that were
//! split from one named assertion are printed as one conjunction again, so that the name is given
//! once. Instances of a parametric datatype are turned back into one declaration with `par` that
//! has all of them. Names of clauses that functions have too are left out.

use crate::chc::{Clause, System};
use crate::term::{DatatypeId, Printer, Sort, SortKind, Symbol, Term, Terms, Value, quote_symbol};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Display, Formatter, Write as _};

/// Writes single clauses of a system, as [`system_text`] does.
pub struct ClausePrinter<'a> {
    text: SystemText<'a>,
    taken: FxHashSet<Symbol>,
}

impl<'a> ClausePrinter<'a> {
    /// Of this system.
    pub fn new(t: &'a Terms, system: &'a System) -> Self {
        ClausePrinter {
            text: SystemText { t, system },
            taken: Sorts::of(t, system).function_names(t, system),
        }
    }

    /// The names of all functions of the system, those of datatypes included.
    pub fn function_names(&self) -> impl Iterator<Item = Symbol> {
        self.taken.iter().copied()
    }

    /// The variables of a clause, under the names that its text has.
    pub fn variables(&self, clause: &Clause) -> Vec<String> {
        let t = self.text.t;
        let renamed = other_names(t, clause, &self.taken);
        let name = |&var: &Term| match renamed.get(&var) {
            Some(name) => quote_symbol(name).into_owned(),
            None => t.display(var).to_string(),
        };
        clause.vars.iter().map(name).collect()
    }

    /// A clause as a closed formula. Where it has no head it implies `goal`.
    pub fn clause<'c>(&'c self, clause: &'c Clause, goal: &'c str) -> impl Display + 'c {
        ClauseText {
            printer: self,
            clause,
            goal,
        }
    }

    /// A clause with values in the place of its variables. Where it has no head it implies `goal`.
    pub fn instance<'c>(
        &'c self,
        clause: &'c Clause,
        values: &'c [Value],
        goal: &'c str,
    ) -> impl Display + 'c {
        InstanceText {
            text: &self.text,
            clause,
            values,
            goal,
        }
    }
}

struct InstanceText<'c> {
    text: &'c SystemText<'c>,
    clause: &'c Clause,
    values: &'c [Value],
    goal: &'c str,
}

impl Display for InstanceText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (t, vars) = (self.text.t, &self.clause.vars);
        let value = |var: Term| {
            let place = vars.iter().position(|&own| own == var)?;
            let value = t.value_term(self.values.get(place)?, t.sort_of(var));
            Some(t.display(value).to_string())
        };
        let write =
            |f: &mut Formatter<'_>, term: Term| Printer::new(t).with_vars(&value).write(f, term);
        (self.text).write_implication(f, self.clause, self.goal, &write)
    }
}

struct ClauseText<'c> {
    printer: &'c ClausePrinter<'c>,
    clause: &'c Clause,
    goal: &'c str,
}

impl Display for ClauseText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ClausePrinter { text, taken } = self.printer;
        text.write_clause(f, self.clause, taken, self.goal)
    }
}

/// The system, ready to be written.
pub fn system_text<'a>(t: &'a Terms, system: &'a System) -> impl Display + 'a {
    SystemText { t, system }
}

struct SystemText<'a> {
    t: &'a Terms,
    system: &'a System,
}

impl Display for SystemText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (t, system) = (self.t, self.system);
        writeln!(f, "(set-logic HORN)")?;
        let sorts = Sorts::of(t, system);
        sorts.write(t, f)?;
        for pred in &system.preds {
            let func = t.func(pred.func);
            write!(f, "(declare-fun {} (", t.display_symbol(func.name))?;
            for (at, &sort) in func.params.iter().enumerate() {
                let space = if at == 0 { "" } else { " " };
                write!(f, "{space}{}", t.display_sort(sort))?;
            }
            writeln!(f, ") Bool)")?;
        }
        let taken = sorts.function_names(t, system);
        let mut rest = &system.clauses[..];
        while let Some(first) = rest.first() {
            let same =
                |clause: &&Clause| clause.origin.name.is_some() && clause.origin == first.origin;
            let count = rest.iter().take_while(same).count().max(1);
            let (group, others) = rest.split_at(count);
            self.write_assertion(f, group, &taken)?;
            rest = others;
        }
        writeln!(f, "(check-sat)")
    }
}

impl SystemText<'_> {
    /// Clauses of one assertion.
    fn write_assertion(
        &self,
        f: &mut Formatter<'_>,
        group: &[Clause],
        taken: &FxHashSet<Symbol>,
    ) -> fmt::Result {
        let name = group[0].origin.name.filter(|name| !taken.contains(name));
        f.write_str("(assert ")?;
        if name.is_some() {
            f.write_str("(! ")?;
        }
        if group.len() > 1 {
            f.write_str("(and")?;
        }
        for clause in group {
            if group.len() > 1 {
                f.write_char(' ')?;
            }
            self.write_clause(f, clause, taken, "false")?;
        }
        if group.len() > 1 {
            f.write_char(')')?;
        }
        if let Some(name) = name {
            write!(f, " :named {})", self.t.display_symbol(name))?;
        }
        writeln!(f, ")")
    }

    fn write_clause(
        &self,
        f: &mut Formatter<'_>,
        clause: &Clause,
        taken: &FxHashSet<Symbol>,
        goal: &str,
    ) -> fmt::Result {
        let t = self.t;
        let renamed = other_names(t, clause, taken);
        let var = |var: Term| {
            renamed
                .get(&var)
                .map(|name| quote_symbol(name).into_owned())
        };
        let write =
            |f: &mut Formatter<'_>, term: Term| Printer::new(t).with_vars(&var).write(f, term);
        if !clause.vars.is_empty() {
            f.write_str("(forall (")?;
            for (at, &var) in clause.vars.iter().enumerate() {
                f.write_str(if at == 0 { "(" } else { " (" })?;
                write(f, var)?;
                write!(f, " {})", t.display_sort(t.sort_of(var)))?;
            }
            f.write_str(") ")?;
        }
        self.write_implication(f, clause, goal, &write)?;
        if !clause.vars.is_empty() {
            f.write_char(')')?;
        }
        Ok(())
    }

    /// The clause without its quantifier, whose terms are written by `write`.
    fn write_implication(
        &self,
        f: &mut Formatter<'_>,
        clause: &Clause,
        goal: &str,
        write: &dyn Fn(&mut Formatter<'_>, Term) -> fmt::Result,
    ) -> fmt::Result {
        let t = self.t;
        let constraint = (clause.constraint != Term::TRUE).then_some(clause.constraint);
        let body = clause
            .body
            .iter()
            .map(|atom| self.system.atom_term(t, atom));
        let body: Vec<Term> = body.chain(constraint).collect();
        if !body.is_empty() || clause.head.is_none() {
            f.write_str("(=> ")?;
        }
        match body[..] {
            [] if clause.head.is_none() => f.write_str("true ")?,
            [] => {}
            [only] => {
                write(f, only)?;
                f.write_char(' ')?;
            }
            _ => {
                f.write_str("(and")?;
                for &conjunct in &body {
                    f.write_char(' ')?;
                    write(f, conjunct)?;
                }
                f.write_str(") ")?;
            }
        }
        match &clause.head {
            Some(head) => write(f, self.system.atom_term(t, head))?,
            None => f.write_str(goal)?,
        }
        if !body.is_empty() || clause.head.is_none() {
            f.write_char(')')?;
        }
        Ok(())
    }
}

/// The clauses of a system, each as a query.
pub struct ClauseQueries<'a> {
    t: &'a Terms,
    system: &'a System,
    sorts: Sorts,
    taken: FxHashSet<Symbol>,
}

impl<'a> ClauseQueries<'a> {
    /// The queries of a system.
    pub fn new(t: &'a Terms, system: &'a System) -> Self {
        let sorts = Sorts::of(t, system);
        let taken = sorts.function_names(t, system);
        ClauseQueries {
            t,
            system,
            sorts,
            taken,
        }
    }

    /// The declarations of sorts and datatypes that the system needs.
    pub fn declarations(&self) -> String {
        struct Declarations<'a>(&'a Terms, &'a Sorts);
        impl Display for Declarations<'_> {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                self.1.write(self.0, f)
            }
        }
        Declarations(self.t, &self.sorts).to_string()
    }

    /// Do all variables of a clause keep their names? Not where a name means a function, too.
    pub fn keeps_names(&self, clause: &Clause) -> bool {
        other_names(self.t, clause, &self.taken).is_empty()
    }

    /// The names of those variables of a clause that have other ones in its query, as they are
    /// written.
    pub fn other_names(&self, clause: &Clause) -> FxHashMap<Term, String> {
        let mut names = other_names(self.t, clause, &self.taken);
        for name in names.values_mut() {
            *name = quote_symbol(name).into_owned();
        }
        names
    }

    /// The declarations of a clause's variables, and assertions that it fails: its premises, its
    /// constraint, and the negation of its head. Predicates are applied, not defined.
    ///
    /// # Errors
    /// The errors of the writer.
    pub fn write(&self, out: &mut dyn fmt::Write, clause: &Clause) -> fmt::Result {
        let t = self.t;
        let renamed = other_names(t, clause, &self.taken);
        let var = |var: Term| (renamed.get(&var)).map(|name| quote_symbol(name).into_owned());
        let text = |term: Term| Printer::new(t).with_vars(&var).text(term).to_string();
        for &var in &clause.vars {
            let sort = t.display_sort(t.sort_of(var));
            writeln!(out, "(declare-const {} {sort})", text(var))?;
        }
        for atom in &clause.body {
            writeln!(out, "(assert {})", text(self.system.atom_term(t, atom)))?;
        }
        if clause.constraint != Term::TRUE {
            writeln!(out, "(assert {})", text(clause.constraint))?;
        }
        if let Some(head) = &clause.head {
            writeln!(
                out,
                "(assert (not {}))",
                text(self.system.atom_term(t, head))
            )?;
        }
        Ok(())
    }
}

/// Other names for those variables of a clause whose names mean a function, or another variable
/// before.
fn other_names(t: &Terms, clause: &Clause, taken: &FxHashSet<Symbol>) -> FxHashMap<Term, String> {
    let mut used: FxHashSet<Symbol> = FxHashSet::default();
    let mut renamed = FxHashMap::default();
    for &var in &clause.vars {
        let name = t
            .as_var(var)
            .expect("the variables of a clause are variables");
        if taken.contains(&name) || !used.insert(name) {
            let number = renamed.len();
            let mut other = format!("{}!{number}", t.name(name));
            while t.has_symbol(&other) {
                other.push('!');
            }
            renamed.insert(var, other);
        }
    }
    renamed
}

/// The sorts that a system needs declarations for.
#[derive(Default)]
struct Sorts {
    /// Declared sorts and their arities.
    declared: Vec<(Symbol, usize)>,
    /// Datatypes by name, each with its instances, in the order in which they were met.
    families: Vec<Vec<DatatypeId>>,
}

impl Sorts {
    fn of(t: &Terms, system: &System) -> Self {
        let params = system
            .preds
            .iter()
            .flat_map(|pred| t.func(pred.func).params.iter().copied());
        let roots = system.clauses.iter().flat_map(Clause::terms);
        let mut open: Vec<Sort> = t.post_order(roots).map(|term| t.sort_of(term)).collect();
        open.extend(params);
        open.reverse();
        let mut seen = FxHashSet::default();
        let mut sorts = Sorts::default();
        let mut family_of: FxHashMap<Symbol, usize> = FxHashMap::default();
        while let Some(sort) = open.pop() {
            if !seen.insert(sort) {
                continue;
            }
            match t.sort_kind(sort) {
                SortKind::Uninterpreted(name, args) => {
                    let declared = (*name, args.len());
                    if !sorts.declared.contains(&declared) {
                        sorts.declared.push(declared);
                    }
                }
                SortKind::Datatype(id) => {
                    let count = sorts.families.len();
                    let family = *family_of.entry(t.datatype(*id).name).or_insert(count);
                    if family == count {
                        sorts.families.push(Vec::new());
                    }
                    sorts.families[family].push(*id);
                }
                _ => {}
            }
            open.extend(parts(t, sort));
            open.extend(t.field_sorts(sort));
        }
        sorts
    }

    /// Declarations of sorts and datatypes, those used by others before them.
    fn write(&self, t: &Terms, f: &mut Formatter<'_>) -> fmt::Result {
        for &(name, arity) in &self.declared {
            writeln!(f, "(declare-sort {} {arity})", t.display_symbol(name))?;
        }
        for group in self.groups(t) {
            f.write_str("(declare-datatypes (")?;
            for (at, &family) in group.iter().enumerate() {
                let datatype = t.datatype(self.families[family][0]);
                let space = if at == 0 { "" } else { " " };
                write!(
                    f,
                    "{space}({} {})",
                    t.display_symbol(datatype.name),
                    datatype.args.len()
                )?;
            }
            f.write_str(") (")?;
            for (at, &family) in group.iter().enumerate() {
                if at > 0 {
                    f.write_char(' ')?;
                }
                write_family(t, f, &self.families[family])?;
            }
            writeln!(f, "))")?;
        }
        Ok(())
    }

    /// Families of datatypes in groups: families that mention each other are in one group, and a
    /// group follows the groups that it mentions.
    fn groups(&self, t: &Terms) -> Vec<Vec<usize>> {
        let mut family_of: FxHashMap<DatatypeId, usize> = FxHashMap::default();
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        let mut nodes = Vec::new();
        for (family, instances) in self.families.iter().enumerate() {
            family_of.extend(instances.iter().map(|&id| (id, family)));
            nodes.push(graph.add_node(()));
        }
        for (instances, &node) in self.families.iter().zip(&nodes) {
            for used in mentioned(t, instances, &family_of) {
                graph.add_edge(node, nodes[used], ());
            }
        }
        // A component comes after the components that it leads to.
        let group = |component: Vec<NodeIndex>| {
            let mut group: Vec<usize> = component.into_iter().map(NodeIndex::index).collect();
            group.sort_unstable();
            group
        };
        kosaraju_scc(&graph).into_iter().map(group).collect()
    }

    /// The names that mean functions in the printed text.
    fn function_names(&self, t: &Terms, system: &System) -> FxHashSet<Symbol> {
        let mut names: FxHashSet<Symbol> = system
            .preds
            .iter()
            .map(|pred| t.func(pred.func).name)
            .collect();
        for &datatype in self.families.iter().flatten() {
            for &ctor in t.datatype(datatype).ctors() {
                let ctor = t.ctor(ctor);
                names.insert(ctor.name);
                names.extend(ctor.fields.iter().map(|&field| t.selector(field).name));
            }
        }
        for name in super::elab::theory_names() {
            names.insert(t.symbol(name));
        }
        names
    }
}

/// The families that occur in the fields of others.
fn mentioned(
    t: &Terms,
    instances: &[DatatypeId],
    family_of: &FxHashMap<DatatypeId, usize>,
) -> Vec<usize> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open: Vec<Sort> = instances
        .iter()
        .flat_map(|&id| t.field_sorts(t.datatype(id).sort))
        .collect();
    while let Some(sort) = open.pop() {
        if seen.insert(sort) {
            found.extend(t.datatype_of(sort).map(|id| family_of[&id]));
            open.extend(parts(t, sort));
        }
    }
    found
}

/// The sorts that a sort is applied to.
fn parts(t: &Terms, sort: Sort) -> Vec<Sort> {
    match t.sort_kind(sort) {
        SortKind::Array(index, element) => vec![*index, *element],
        SortKind::Datatype(id) => t.datatype(*id).args.to_vec(),
        SortKind::Uninterpreted(_, args) => args.to_vec(),
        _ => Vec::new(),
    }
}

/// The body of a datatype declaration that has all these instances.
fn write_family(t: &Terms, f: &mut Formatter<'_>, instances: &[DatatypeId]) -> fmt::Result {
    let first = t.datatype(instances[0]);
    let arity = first.args.len();
    if arity > 0 {
        f.write_str("(par (")?;
        for at in 0..arity {
            let space = if at == 0 { "" } else { " " };
            write!(f, "{space}{}", parameter(t, at))?;
        }
        f.write_str(") ")?;
    }
    f.write_char('(')?;
    for (at, &ctor) in first.ctors().iter().enumerate() {
        if at > 0 {
            f.write_char(' ')?;
        }
        write!(f, "({}", t.display_symbol(t.ctor(ctor).name))?;
        for (field, &selector) in t.ctor(ctor).fields.iter().enumerate() {
            let sort_in = |&id: &DatatypeId| {
                let ctor = t.datatype(id).ctors()[at];
                t.selector(t.ctor(ctor).fields[field]).sort
            };
            let sorts: Vec<Sort> = instances.iter().map(sort_in).collect();
            write!(f, " ({} ", t.display_symbol(t.selector(selector).name))?;
            write_generalised(t, f, instances, &sorts)?;
            f.write_char(')')?;
        }
        f.write_char(')')?;
    }
    f.write_char(')')?;
    if arity > 0 {
        f.write_char(')')?;
    }
    Ok(())
}

/// The name of a sort parameter, which nothing else in the store has.
fn parameter(t: &Terms, index: usize) -> String {
    let mut name = format!("T{index}");
    while t.has_symbol(&name) {
        name.push('!');
    }
    name
}

/// A sort over parameters that is `sorts[k]` for the arguments of the instance `k`.
///
/// There is one, since all instances come from one declaration; the declaration's own may be
/// another. Where a part is in all instances their argument of some position, that parameter is
/// taken; otherwise the parts have the same head in all.
fn write_generalised(
    t: &Terms,
    f: &mut Formatter<'_>,
    instances: &[DatatypeId],
    sorts: &[Sort],
) -> fmt::Result {
    let arity = t.datatype(instances[0]).args.len();
    let is_argument = |&at: &usize| {
        instances
            .iter()
            .zip(sorts)
            .all(|(&id, &sort)| t.datatype(id).args[at] == sort)
    };
    if let Some(at) = (0..arity).find(is_argument) {
        return f.write_str(&parameter(t, at));
    }
    let below: Vec<Vec<Sort>> = sorts.iter().map(|&sort| parts(t, sort)).collect();
    if below[0].is_empty() {
        return write!(f, "{}", t.display_sort(sorts[0]));
    }
    match t.sort_kind(sorts[0]) {
        SortKind::Datatype(id) => write!(f, "({}", t.display_symbol(t.datatype(*id).name))?,
        SortKind::Uninterpreted(name, _) => write!(f, "({}", t.display_symbol(*name))?,
        _ => f.write_str("(Array")?,
    }
    for at in 0..below[0].len() {
        let sorts: Vec<Sort> = below.iter().map(|parts| parts[at]).collect();
        f.write_char(' ')?;
        write_generalised(t, f, instances, &sorts)?;
    }
    f.write_char(')')
}
