//! Functions that call themselves, also by way of others.

use crate::cfront::ir::{Callee, FuncId, Instr, Lvalue};
use crate::cfront::memory::{Calls, Memory};
use crate::cfront::program::Program;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// The sets of functions that call each other.
///
/// # Errors
/// A function of one of them may call another of the same set by a pointer: its name.
pub(super) fn recursions(program: &Program, memory: &Memory) -> Result<Vec<Vec<FuncId>>, String> {
    let calls = Calls::of(program, &memory.points_to);
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    let nodes: Vec<NodeIndex> = calls.of.iter().map(|_| graph.add_node(())).collect();
    for (at, callees) in calls.of.iter().enumerate() {
        for (callee, _) in callees {
            graph.update_edge(nodes[at], nodes[callee.0], ());
        }
    }
    let mut found = Vec::new();
    for members in kosaraju_scc(&graph) {
        let mut members: Vec<FuncId> = members.iter().map(|node| FuncId(node.index())).collect();
        members.sort_unstable();
        if !memory.recursive[members[0].0] {
            continue;
        }
        for &member in &members {
            if calls_by_pointer(program, memory, member, &members) {
                return Err(program.function(member).name.to_string());
            }
        }
        found.push(members);
    }
    Ok(found)
}

/// Does a function call one of these by a pointer?
fn calls_by_pointer(program: &Program, memory: &Memory, of: FuncId, members: &[FuncId]) -> bool {
    let edges = program.function(of).cfa.iter().flat_map(|cfa| &cfa.edges);
    edges.into_iter().any(|edge| match &edge.instr {
        Instr::Call(callee @ Callee::Pointer(_), ..) => {
            let callees = memory.points_to.callees(program, callee);
            callees.iter().any(|callee| members.contains(callee))
        }
        _ => false,
    })
}

/// The parameters of the first of some functions that all of them have at the same position, as
/// numbers or pointers.
pub(super) fn shared_parameters(program: &Program, members: &[FuncId]) -> Vec<Lvalue> {
    let params = |func: FuncId| &program.function(func).params;
    let is_shared = |at: usize| {
        members.iter().all(|&member| {
            let param = params(member).get(at).map(|&param| program.object(param));
            param.is_some_and(|param| {
                let fits = param.ty.int(program.model).is_some_and(|ty| ty.bits <= 64);
                fits && param.ty.is_scalar()
            })
        })
    };
    let shared = params(members[0]).iter().enumerate();
    let shared = shared.take_while(|(at, _)| is_shared(*at));
    shared
        .map(|(_, &param)| Lvalue::of(param, program.object(param).ty.clone()))
        .collect()
}
