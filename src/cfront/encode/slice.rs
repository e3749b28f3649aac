//! What of a program matters to its errors: the variables that conditions on the way depend on (the
//! cone of influence), and tests whose two ways are the same.

use super::crash::{Crash, for_each_crash};
use crate::cfront::float::passed_as;
use crate::cfront::flow::{Flow, Root};
use crate::cfront::ir::{
    Argument, Base, Callee, Cfa, Expr, ExprKind, FuncId, Instr, Lvalue, Mark, NodeId, Unknown,
};
use crate::cfront::memory::{Access, Memory, PartId};
use crate::cfront::program::{Program, scalar_pairs};
use crate::cfront::types::CType;
use rustc_hash::FxHashSet;

/// The variables that a step reads and writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effect {
    pub(crate) reads: Vec<PartId>,
    /// Written as a whole: what was there before does not matter.
    pub(crate) writes: Vec<PartId>,
    /// Written in part.
    pub(crate) changes: Vec<PartId>,
}

/// The parameters that arguments of a call go to, with what they are.
pub(crate) fn passed(program: &Program, f: FuncId, arguments: &[Argument]) -> Vec<(Lvalue, Expr)> {
    let params = &program.function(f).params;
    let mut pairs = Vec::new();
    for (&param, argument) in params.iter().zip(arguments) {
        let target = Lvalue::of(param, program.object(param).ty.clone());
        match argument {
            Argument::Scalar(e) => {
                let ty = target.ty.scalar(program.model);
                pairs.push((target, passed_as(e.clone(), ty)));
            }
            Argument::Struct(source) => {
                for (to, from) in scalar_pairs(program, &target, source) {
                    if let Some(ty) = to.ty.scalar(program.model) {
                        let kind = ExprKind::Load(Box::new(from));
                        pairs.push((to, Expr { kind, ty }));
                    }
                }
            }
        }
    }
    pairs
}

/// Looks into steps.
pub(crate) struct Effects<'a> {
    pub(crate) program: &'a Program,
    pub(crate) memory: &'a Memory,
}

impl Effects<'_> {
    pub(crate) fn reads(&self, e: &Expr, reads: &mut Vec<PartId>) {
        e.walk(&mut |part| self.read(part, reads));
    }

    fn place_reads(&self, place: &Lvalue, reads: &mut Vec<PartId>) {
        place.walk(&mut |part| self.read(part, reads));
    }

    /// The variables that this part of an expression may be the value of.
    fn read(&self, part: &Expr, reads: &mut Vec<PartId>) {
        let place = match &part.kind {
            ExprKind::Load(place) => place,
            ExprKind::Address(place) => return reads.extend(self.lengths(place)),
            ExprKind::Move(_, _, stride) => return reads.extend(self.kept(&stride.of)),
            _ => return,
        };
        match self.memory.access(self.program, place) {
            Ok(Access::Scalar(part, _) | Access::Array(part)) => reads.push(part),
            Ok(Access::Element) => reads.extend(self.elements(place)),
            _ => {}
        }
        reads.extend(self.lengths(place));
    }

    /// The variables that keep the lengths of the arrays that an element is of: its indices are
    /// below them, and its address depends on them.
    fn lengths(&self, place: &Lvalue) -> Vec<PartId> {
        if !place.has_index() {
            return Vec::new();
        }
        match &place.base {
            Base::Object(object) => self.kept(&self.program.object(*object).ty),
            Base::Deref(_, ty) => self.kept(ty),
        }
    }

    /// The variables that keep the lengths in a type.
    fn kept(&self, ty: &CType) -> Vec<PartId> {
        let parts = ty.lengths().into_iter();
        parts
            .filter_map(|variable| self.memory.parts_of(variable).first().copied())
            .collect()
    }

    fn elements(&self, place: &Lvalue) -> impl Iterator<Item = PartId> {
        let elements = self.memory.elements(self.program, place).into_iter();
        elements.map(|(_, part)| part)
    }

    fn write(&self, place: &Lvalue, effect: &mut Effect) {
        self.place_reads(place, &mut effect.reads);
        effect.reads.extend(self.lengths(place));
        match self.memory.access(self.program, place) {
            Ok(Access::Scalar(part, _)) => effect.writes.push(part),
            Ok(Access::Array(part)) => effect.changes.push(part),
            Ok(Access::Element) => effect.changes.extend(self.elements(place)),
            _ => {}
        }
    }

    fn write_all(&self, place: &Lvalue, effect: &mut Effect) {
        self.place_reads(place, &mut effect.reads);
        for cell in self
            .memory
            .all_cells(self.program, place)
            .unwrap_or_default()
        {
            if let Some(part) = self.memory.part_of(cell) {
                let info = &self.memory.parts[part.0];
                if !info.array || info.cells.len() == 1 {
                    effect.writes.push(part);
                } else {
                    effect.changes.push(part);
                }
            }
        }
    }

    /// The variables that a step reads and writes. For a call of a function with an automaton, only
    /// the arguments.
    pub(crate) fn of(&self, instr: &Instr) -> Effect {
        let mut effect = Effect::default();
        match instr {
            Instr::Assume(e, _) => self.reads(e, &mut effect.reads),
            Instr::Assign(place, e) => {
                self.reads(e, &mut effect.reads);
                self.write(place, &mut effect);
            }
            Instr::Havoc(place, _) | Instr::Fill(place, _) => {
                if place.ty.is_scalar() {
                    self.write(place, &mut effect);
                } else {
                    self.write_all(place, &mut effect);
                }
            }
            Instr::Allocate(place, heap, size) => {
                self.reads(size, &mut effect.reads);
                self.write(place, &mut effect);
                if self.memory.once.contains(heap) {
                    let whole = Lvalue::of(*heap, self.program.object(*heap).ty.clone());
                    self.write_all(&whole, &mut effect);
                } else {
                    effect.reads.push(self.memory.next);
                    effect.writes.push(self.memory.next);
                }
            }
            Instr::Call(Callee::Function(f), arguments, _) => {
                for (_, e) in passed(self.program, *f, arguments) {
                    self.reads(&e, &mut effect.reads);
                }
            }
            Instr::Call(Callee::Pointer(e), ..) => self.reads(e, &mut effect.reads),
            // Silent steps and ends of runs use no variable.
            Instr::Skip
            | Instr::Enter(_)
            | Instr::Leave(_)
            | Instr::Error(_)
            | Instr::Unsupported(_)
            | Instr::Mark(_) => {}
        }
        effect
    }

    /// The variables that conditions depend on, in any of the automata.
    pub(crate) fn relevant(&self, flow: &Flow) -> FxHashSet<PartId> {
        let mut relevant: FxHashSet<PartId> = FxHashSet::default();
        let mut rules: Vec<(Vec<PartId>, Vec<PartId>)> = Vec::new();
        for edge in flow.roots.iter().flat_map(|root| &root.cfa.edges) {
            match &edge.instr {
                Instr::Assume(..) => relevant.extend(self.of(&edge.instr).reads),
                Instr::Call(Callee::Function(f), arguments, _) => {
                    for (place, e) in passed(self.program, *f, arguments) {
                        let mut reads = Vec::new();
                        self.reads(&e, &mut reads);
                        let mut effect = Effect::default();
                        self.write(&place, &mut effect);
                        effect.writes.append(&mut effect.changes);
                        rules.push((effect.writes, reads));
                    }
                }
                Instr::Assign(..) => {
                    for_each_crash(&edge.instr, &mut |use_of| {
                        let (Crash::Divisor(e) | Crash::Pointer(_, e)) = use_of;
                        let mut reads = Vec::new();
                        self.reads(e, &mut reads);
                        relevant.extend(reads);
                    });
                    let mut effect = self.of(&edge.instr);
                    effect.writes.append(&mut effect.changes);
                    rules.push((effect.writes, effect.reads));
                }
                other => {
                    let mut effect = self.of(other);
                    effect.writes.append(&mut effect.changes);
                    rules.push((effect.writes, effect.reads));
                }
            }
        }
        loop {
            let before = relevant.len();
            rules.retain(|(writes, reads)| {
                let matters = writes.iter().any(|part| relevant.contains(part));
                if matters {
                    relevant.extend(reads.iter().copied());
                }
                !matters
            });
            if relevant.len() == before {
                return relevant;
            }
        }
    }

    /// Makes steps empty that change nothing that matters, joins chains of empty steps, and leaves
    /// out tests that decide nothing; answers the variables that matter then.
    pub(crate) fn slice(&self, flow: &mut Flow) -> FxHashSet<PartId> {
        loop {
            let relevant = self.relevant(flow);
            let mut changed = false;
            for root in &mut flow.roots {
                for edge in &mut root.cfa.edges {
                    if self.is_empty(&edge.instr, &relevant) {
                        edge.instr = Instr::Skip;
                    }
                }
                changed |= contract(root);
            }
            if !changed {
                return relevant;
            }
        }
    }

    /// Does a step change nothing that matters?
    fn is_empty(&self, instr: &Instr, relevant: &FxHashSet<PartId>) -> bool {
        match instr {
            // Runs show inputs, and what is freed, also where that does not matter.
            Instr::Mark(Mark::Free(_)) | Instr::Havoc(_, Unknown::Input(_)) => false,
            Instr::Mark(_) => true,
            Instr::Assign(..) | Instr::Havoc(..) | Instr::Fill(..) | Instr::Allocate(..) => {
                let effect = self.of(instr);
                let mut writes = effect.writes.iter().chain(&effect.changes);
                let mut crashes = false;
                for_each_crash(instr, &mut |_| crashes = true);
                let known = match instr {
                    Instr::Assign(place, _) => match self.memory.access(self.program, place) {
                        // An index out of bounds ends the run.
                        Ok(Access::Element) => self.elements(place).next().is_some(),
                        access => access.is_ok(),
                    },
                    Instr::Havoc(place, _) | Instr::Fill(place, _) => {
                        self.memory.all_cells(self.program, place).is_ok()
                    }
                    _ => true,
                };
                known && !crashes && !writes.any(|part| relevant.contains(part))
            }
            _ => false,
        }
    }
}

/// Points that are left by one empty step only are passed over; a test with both ways to the same
/// point is no test. Answers whether a test was left out.
fn contract(root: &mut Root) -> bool {
    let cfa = &mut root.cfa;
    let leaving = cfa.leaving();
    let mut next: Vec<usize> = (0..cfa.nodes.len()).collect();
    for node in 0..next.len() {
        if let [edge] = leaving[node][..]
            && matches!(cfa.edges[edge].instr, Instr::Skip)
            && !cfa.nodes[node].loop_head
            && node != cfa.entry
        {
            next[node] = cfa.edges[edge].to.0;
        }
    }
    let end = |from: usize| {
        let (mut at, mut steps) = (from, 0);
        while next[at] != at {
            at = next[at];
            steps += 1;
            if steps > next.len() {
                // Empty steps in a circle: nothing leaves it.
                return from;
            }
        }
        at
    };
    for edge in &mut cfa.edges {
        edge.to = NodeId(end(edge.to.0));
    }
    let mut tests_gone = false;
    for edges in &leaving {
        if let [a, b] = edges[..]
            && cfa.edges[a].to == cfa.edges[b].to
            && let (Instr::Assume(x, _), Instr::Assume(y, _)) =
                (&cfa.edges[a].instr, &cfa.edges[b].instr)
            && x == y
            && x.is_total()
            && cfa.nodes[cfa.edges[a].from.0].claim.is_none()
        {
            cfa.edges[a].instr = Instr::Skip;
            let to = cfa.edges[b].from;
            // The second way is given up below.
            cfa.edges[b].instr = Instr::Skip;
            cfa.edges[b].to = to;
            tests_gone = true;
        }
    }
    cfa.edges
        .retain(|edge| edge.from != edge.to || !matches!(edge.instr, Instr::Skip));
    drop_unreached(cfa);
    let calls_gone = drop_empty_calls(cfa);
    tests_gone || calls_gone
}

/// A body of which nothing is left is no call any more. Answers whether there was one.
fn drop_empty_calls(cfa: &mut Cfa) -> bool {
    let leaving = cfa.leaving();
    let mut gone = false;
    for at in 0..cfa.edges.len() {
        let Instr::Enter(f) = cfa.edges[at].instr else {
            continue;
        };
        if let [leave] = leaving[cfa.edges[at].to.0][..]
            && matches!(cfa.edges[leave].instr, Instr::Leave(g) if g == f)
        {
            cfa.edges[at].instr = Instr::Skip;
            cfa.edges[leave].instr = Instr::Skip;
            gone = true;
        }
    }
    gone
}

fn drop_unreached(cfa: &mut Cfa) {
    let reached = crate::cfront::graph::forward(cfa);
    cfa.edges.retain(|edge| reached[edge.from.0]);
}
