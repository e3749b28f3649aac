//! Congruence closure: classes of terms that are equal, with explanations \[NO07\].
//!
//! A node is a term. Merging two nodes joins their classes; if that makes the arguments of two
//! applications of one function equal, their classes are joined, too. Every join is an edge of the
//! *proof forest*, which has a tree for each class: the path between two nodes of a class says why
//! they are equal.
//!
//! An application takes part only while it is *active*. So the terms of closed scopes and of
//! branches that are not taken cost nothing.
//!
//! Constructors of datatypes take part in the closure (\[BST07\], the rules that need no case
//! distinction): they are injective, two of them are different, and a selector or a tester of a
//! term that equals a constructor term has its value. They are in `constructors`.
//!
//! Everything can be taken back to a mark. DIVERGENCE from \[NO07\]: signatures of classes that
//! were joined stay in the table. No look-up finds them while their class is not a root, and they
//! are right again when the join is taken back.
//!
//! Invariant: after [`EGraph::close`], two active applications of one function whose arguments are
//! in the same classes are in one class. The debug assertion `is_closed` checks it.

mod constructors;
mod explain;

use super::literal::{Lit, Var};
use crate::term::{Op, Sort, Term, TermMap, Terms};
use crate::work;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A term of the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Node(u32);

impl Node {
    /// The node of `true`.
    pub(super) const TRUE: Node = Node(0);
    /// The node of `false`.
    pub(super) const FALSE: Node = Node(1);

    fn index(self) -> usize {
        self.0 as usize
    }

    /// A number that no other node has.
    pub(super) fn number(self) -> u64 {
        u64::from(self.0)
    }
}

/// Why two nodes are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// This literal, which is true, says so.
    Literal(Lit),
    /// They are applications of one function to equal arguments.
    Congruence,
    /// A rule about constructors says so, since these two nodes are equal.
    Constructor(Node, Node),
}

/// Two nodes of one class that cannot be equal: by themselves, or by a literal that is true.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clash {
    pub(super) nodes: (Node, Node),
    pub(super) unless: Option<Lit>,
}

/// A literal that follows, since two nodes are equal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Implied {
    pub(super) literal: Lit,
    pub(super) nodes: (Node, Node),
}

/// After a join, debug assertions visit each node of a class of at most 32 nodes.
const CHECKED_CLASS: usize = 32;

/// The head and the classes of the arguments of an application.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Signature {
    op: Op,
    /// Tells constant arrays of different index sorts apart.
    sort: Sort,
    args: SmallVec<[Node; 3]>,
}

#[derive(Debug)]
struct NodeData {
    term: Term,
    root: Node,
    /// The next node of the class, in a circle.
    next: Node,
    /// The edge of the proof forest towards the root of its tree.
    edge: Option<(Node, Cause)>,
    active: bool,
    /// Where the arguments of an active application are in [`EGraph::arguments`].
    args: (u32, u32),
    /// Variables that say that this node equals another one.
    equations: Vec<(Node, Var)>,
    /// The literal that is true if this node of sort `Bool` is.
    literal: Option<Lit>,
    // The rest is about the class, and kept at its root.
    size: u32,
    /// Active applications that have an argument in the class.
    uses: Vec<Node>,
    /// A constant in the class.
    constant: Option<Node>,
    /// An active constructor term in the class.
    constructor: Option<Node>,
    /// Nodes of the class, nodes that they differ from, and the literals that say so.
    unequal: Vec<(Node, Node, Lit)>,
}

/// A change that can be taken back.
#[derive(Debug)]
enum Change {
    Activated(Node),
    Signed(Signature),
    Separated(Node, Node),
    Constructor(Node),
    Joined {
        edge: (Node, Node),
        small: Node,
        big: Node,
        uses: usize,
        unequal: usize,
        constant: Option<Node>,
        constructor: Option<Node>,
    },
}

/// The graph.
pub(super) struct EGraph<'t> {
    t: &'t Terms,
    nodes: Vec<NodeData>,
    of_term: TermMap<Node>,
    arguments: Vec<Node>,
    table: FxHashMap<Signature, Node>,
    /// Active nodes, in the order of their activation.
    active: Vec<Node>,
    /// Pairs of nodes that literals keep apart, and the literals.
    separations: Vec<(Node, Node, Lit)>,
    changes: Vec<Change>,
    /// Joins to be made.
    pending: Vec<(Node, Node, Cause)>,
    /// Constructor terms of one class whose arguments are to be joined.
    same_class: Vec<(Node, Node)>,
    /// Literals that follow from joins, until [`EGraph::take_implied`].
    implied: Vec<Implied>,
}

impl<'t> EGraph<'t> {
    /// The graph of `true` and `false`.
    pub(super) fn new(t: &'t Terms) -> Self {
        let mut graph = EGraph {
            t,
            nodes: Vec::new(),
            of_term: TermMap::default(),
            arguments: Vec::new(),
            table: FxHashMap::default(),
            active: Vec::new(),
            separations: Vec::new(),
            changes: Vec::new(),
            pending: Vec::new(),
            same_class: Vec::new(),
            implied: Vec::new(),
        };
        let made = [Term::TRUE, Term::FALSE].map(|x| graph.node(x));
        debug_assert_eq!(made, [Node::TRUE, Node::FALSE]);
        graph
    }

    /// The node of a term. It is not active, unless it was before.
    pub(super) fn node(&mut self, term: Term) -> Node {
        if let Some(&node) = self.of_term.get(&term) {
            return node;
        }
        work::spend(4);
        let node = Node(u32::try_from(self.nodes.len()).expect("fewer nodes than terms"));
        let constant = self.t.is_distinct_constant(term).then_some(node);
        self.nodes.push(NodeData {
            term,
            root: node,
            next: node,
            edge: None,
            active: false,
            args: (0, 0),
            equations: Vec::new(),
            literal: None,
            size: 1,
            uses: Vec::new(),
            constant,
            constructor: None,
            unequal: Vec::new(),
        });
        self.of_term.insert(term, node);
        node
    }

    /// The node of a term, if there is one.
    pub(super) fn find(&self, term: Term) -> Option<Node> {
        self.of_term.get(&term).copied()
    }

    /// The term of a node.
    pub(super) fn term(&self, node: Node) -> Term {
        self.nodes[node.index()].term
    }

    /// The node that stands for the class of a node.
    pub(super) fn root(&self, node: Node) -> Node {
        self.nodes[node.index()].root
    }

    /// Are two nodes in one class?
    pub(super) fn are_equal(&self, a: Node, b: Node) -> bool {
        self.root(a) == self.root(b)
    }

    /// Has the class of a node no other nodes?
    pub(super) fn is_alone(&self, node: Node) -> bool {
        self.nodes[node.index()].next == node
    }

    /// The nodes of the class of a node.
    pub(super) fn class(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let mut at = Some(node);
        std::iter::from_fn(move || {
            let here = at?;
            let next = self.nodes[here.index()].next;
            at = (next != node).then_some(next);
            Some(here)
        })
    }

    /// The arguments of an active application.
    pub(super) fn args(&self, node: Node) -> &[Node] {
        let (start, end) = self.nodes[node.index()].args;
        &self.arguments[start as usize..end as usize]
    }

    /// Does the node take part as an application?
    pub(super) fn is_active(&self, node: Node) -> bool {
        self.nodes[node.index()].active
    }

    /// The active applications, in the order of their activation.
    pub(super) fn active(&self) -> &[Node] {
        &self.active
    }

    /// The nodes that matter, each once: active applications, their arguments, and what is to be
    /// different.
    pub(super) fn relevant(&self) -> Vec<Node> {
        let of_applications = self.active.iter().flat_map(|&x| {
            let args = self.args(x).iter().copied();
            [x].into_iter().chain(args)
        });
        let separate = self.separations.iter().flat_map(|&(a, b, _)| [a, b]);
        let mut seen = vec![false; self.nodes.len()];
        let nodes = of_applications.chain(separate);
        let nodes: Vec<Node> = nodes
            .filter(|x| !std::mem::replace(&mut seen[x.index()], true))
            .collect();
        work::spend_on(4 * nodes.len());
        nodes
    }

    /// Active applications that have an argument in the class of a node, some of them twice.
    pub(super) fn uses(&self, node: Node) -> &[Node] {
        &self.nodes[self.root(node).index()].uses
    }

    /// An active constructor term of the class of a node.
    pub(super) fn constructor(&self, node: Node) -> Option<Node> {
        self.nodes[self.root(node).index()].constructor
    }

    /// A constant of the class of a node.
    pub(super) fn constant(&self, node: Node) -> Option<Node> {
        self.nodes[self.root(node).index()].constant
    }

    /// The literal that is true if a node of sort `Bool` is.
    pub(super) fn literal(&self, node: Node) -> Option<Lit> {
        self.nodes[node.index()].literal
    }

    /// Takes note of the literal that is true if a node of sort `Bool` is.
    pub(super) fn set_literal(&mut self, node: Node, literal: Lit) {
        self.nodes[node.index()].literal = Some(literal);
    }

    /// Takes note of a variable that says that two nodes are equal.
    pub(super) fn add_equation(&mut self, a: Node, b: Node, var: Var) {
        self.nodes[a.index()].equations.push((b, var));
        self.nodes[b.index()].equations.push((a, var));
    }

    /// Takes back all changes since a [`mark`](EGraph::mark).
    pub(super) fn backtrack(&mut self, mark: usize) {
        self.pending.clear();
        self.same_class.clear();
        self.implied.clear();
        while self.changes.len() > mark {
            work::spend(1);
            match self
                .changes
                .pop()
                .expect("there are more than the mark says")
            {
                Change::Activated(node) => self.deactivate(node),
                Change::Signed(signature) => {
                    let removed = self.table.remove(&signature);
                    debug_assert!(removed.is_some(), "what was signed is in the table");
                }
                Change::Separated(a, b) => {
                    let one = self.nodes[a.index()].unequal.pop();
                    let other = self.nodes[b.index()].unequal.pop();
                    let separation = self.separations.pop();
                    debug_assert_eq!(one, separation, "the last separation is taken back");
                    debug_assert_eq!(other, one.map(|(x, y, lit)| (y, x, lit)));
                }
                Change::Constructor(root) => {
                    debug_assert_eq!(self.root(root), root, "later joins are taken back");
                    self.nodes[root.index()].constructor = None;
                }
                joined @ Change::Joined { .. } => self.part(joined),
            }
        }
        debug_assert_eq!(
            self.active
                .last()
                .map(|&x| self.nodes[x.index()].args.1 as usize),
            (!self.active.is_empty()).then_some(self.arguments.len()),
            "the arguments are those of active applications"
        );
    }

    /// The number of changes so far.
    pub(super) fn mark(&self) -> usize {
        self.changes.len()
    }

    /// Lets an application take part. What follows is found by [`EGraph::close`].
    pub(super) fn activate(&mut self, node: Node) {
        if self.is_active(node) {
            return;
        }
        let (t, term) = (self.t, self.term(node));
        let args: SmallVec<[Node; 4]> = t.args(term).iter().map(|&x| self.node(x)).collect();
        work::spend_on(4 + args.len());
        let place = |n: usize| u32::try_from(n).expect("fewer arguments than terms");
        let start = place(self.arguments.len());
        self.arguments.extend_from_slice(&args);
        let data = &mut self.nodes[node.index()];
        data.active = true;
        data.args = (start, place(self.arguments.len()));
        self.active.push(node);
        self.changes.push(Change::Activated(node));
        for &arg in &args {
            let root = self.root(arg);
            self.nodes[root.index()].uses.push(node);
        }
        self.sign(node);
        self.activate_constructors(node);
    }

    fn deactivate(&mut self, node: Node) {
        let popped = self.active.pop();
        debug_assert_eq!(popped, Some(node));
        let (start, end) = self.nodes[node.index()].args;
        for i in (start..end).rev() {
            let root = self.root(self.arguments[i as usize]);
            let used = self.nodes[root.index()].uses.pop();
            debug_assert_eq!(used, Some(node));
        }
        self.arguments.truncate(start as usize);
        let data = &mut self.nodes[node.index()];
        (data.active, data.args) = (false, (0, 0));
    }

    fn signature(&self, node: Node) -> Signature {
        Signature {
            op: self.t.op(self.term(node)),
            sort: self.t.sort_of(self.term(node)),
            args: self.args(node).iter().map(|&x| self.root(x)).collect(),
        }
    }

    /// Enters the signature of an application, or finds it equal to another one.
    fn sign(&mut self, node: Node) {
        let signature = self.signature(node);
        match self.table.get(&signature) {
            Some(&other) if self.are_equal(node, other) => {}
            Some(&other) => self.pending.push((node, other, Cause::Congruence)),
            None => {
                self.table.insert(signature.clone(), node);
                self.changes.push(Change::Signed(signature));
            }
        }
    }

    /// Makes two nodes equal, because a literal says so. What follows is found by
    /// [`EGraph::close`].
    pub(super) fn merge(&mut self, a: Node, b: Node, because: Lit) {
        self.pending.push((a, b, Cause::Literal(because)));
    }

    /// Two nodes are different, because a literal says so.
    pub(super) fn separate(&mut self, a: Node, b: Node, because: Lit) -> Result<(), Clash> {
        let (x, y) = (self.root(a), self.root(b));
        if x == y {
            return Err(Clash {
                nodes: (a, b),
                unless: Some(because),
            });
        }
        self.nodes[x.index()].unequal.push((a, b, because));
        self.nodes[y.index()].unequal.push((b, a, because));
        self.separations.push((a, b, because));
        self.changes.push(Change::Separated(x, y));
        Ok(())
    }

    /// The pairs of nodes that literals keep apart, and the literals.
    pub(super) fn separations(&self) -> &[(Node, Node, Lit)] {
        &self.separations
    }

    /// Does a literal say that two classes are different?
    pub(super) fn are_separate(&self, a: Node, b: Node) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        let (few, other) = match self.nodes[a.index()].unequal.len() {
            n if n <= self.nodes[b.index()].unequal.len() => (a, b),
            _ => (b, a),
        };
        let mut unequal = self.nodes[few.index()].unequal.iter();
        unequal.any(|&(_, y, _)| self.root(y) == other)
    }

    /// Are two classes known to be different: by a literal, or since they have different constants?
    pub(super) fn differ(&self, a: Node, b: Node) -> bool {
        let constants = || self.constant(self.root(a)).zip(self.constant(self.root(b)));
        !self.are_equal(a, b) && (constants().is_some() || self.are_separate(a, b))
    }

    /// Makes all joins that follow.
    ///
    /// # Errors
    /// Two nodes of one class cannot be equal. Then the graph is closed again when it has gone back
    /// to before what made them equal.
    pub(super) fn close(&mut self) -> Result<(), Clash> {
        loop {
            let done = if let Some((c, d)) = self.same_class.pop() {
                self.decompose(c, d)
            } else if let Some((a, b, cause)) = self.pending.pop() {
                match self.are_equal(a, b) {
                    true => Ok(()),
                    false => self.join(a, b, cause),
                }
            } else {
                return Ok(());
            };
            if done.is_err() {
                self.pending.clear();
                self.same_class.clear();
                return done;
            }
        }
    }

    /// The literals that follow from what was closed, each once; some may have a value already.
    pub(super) fn take_implied(&mut self) -> Vec<Implied> {
        std::mem::take(&mut self.implied)
    }

    /// Joins two classes.
    fn join(&mut self, a: Node, b: Node, cause: Cause) -> Result<(), Clash> {
        let (x, y) = (self.root(a), self.root(b));
        debug_assert_ne!(x, y, "two classes are joined");
        let (small, big) = match self.nodes[x.index()].size <= self.nodes[y.index()].size {
            true => (x, y),
            false => (y, x),
        };
        let (from, to) = if small == x { (a, b) } else { (b, a) };
        self.collect_implied(small, big);
        self.lead_to(from);
        debug_assert!(
            self.nodes[from.index()].edge.is_none(),
            "it is the root of its tree"
        );
        self.nodes[from.index()].edge = Some((to, cause));
        let members: Vec<Node> = self.class(small).collect();
        work::spend_on(2 * members.len());
        for &member in &members {
            self.nodes[member.index()].root = big;
        }
        self.swap_next(small, big);
        let greater = &self.nodes[big.index()];
        self.changes.push(Change::Joined {
            edge: (from, to),
            small,
            big,
            uses: greater.uses.len(),
            unequal: greater.unequal.len(),
            constant: greater.constant,
            constructor: greater.constructor,
        });
        let [lesser, greater] = self.pair(small, big);
        greater.size += lesser.size;
        greater.unequal.extend_from_slice(&lesser.unequal);
        let constants = (lesser.constant, greater.constant);
        greater.constant = constants.1.or(constants.0);
        if let (Some(c), Some(d)) = constants {
            return Err(Clash {
                nodes: (c, d),
                unless: None,
            });
        }
        self.look_for_unequal(small, big)?;
        self.join_constructors(small, big)?;
        let start = self.nodes[big.index()].uses.len();
        let uses = self.nodes[small.index()].uses.clone();
        self.nodes[big.index()].uses.extend_from_slice(&uses);
        for &user in &uses {
            work::spend(4);
            self.sign(user);
        }
        debug_assert_eq!(self.nodes[big.index()].uses.len(), start + uses.len());
        debug_assert!(
            self.class_is_valid(big),
            "a class is a circle of nodes with one root"
        );
        Ok(())
    }

    /// Is a literal true that keeps the two classes, now one, apart?
    fn look_for_unequal(&self, small: Node, big: Node) -> Result<(), Clash> {
        for &(a, b, because) in &self.nodes[small.index()].unequal {
            if self.root(a) == big && self.root(b) == big {
                return Err(Clash {
                    nodes: (a, b),
                    unless: Some(because),
                });
            }
        }
        Ok(())
    }

    /// Notes the literals that follow from joining two classes.
    fn collect_implied(&mut self, small: Node, big: Node) {
        let mut implied = std::mem::take(&mut self.implied);
        let constants = [small, big].map(|x| self.nodes[x.index()].constant);
        let truth = |c: Option<Node>| match c {
            Some(Node::TRUE) => Some((Node::TRUE, true)),
            Some(Node::FALSE) => Some((Node::FALSE, false)),
            _ => None,
        };
        for (class, constant) in [(small, constants[1]), (big, constants[0])] {
            let Some((node, value)) = truth(constant) else {
                continue;
            };
            for member in self.class(class) {
                if let Some(literal) = self.nodes[member.index()].literal {
                    implied.push(Implied {
                        literal: if value { literal } else { !literal },
                        nodes: (member, node),
                    });
                }
            }
        }
        for member in self.class(small) {
            for &(other, var) in &self.nodes[member.index()].equations {
                if self.root(other) == big {
                    implied.push(Implied {
                        literal: var.positive(),
                        nodes: (member, other),
                    });
                }
            }
        }
        self.implied = implied;
    }

    /// Turns the edges of the proof forest so that this node is the root of its tree.
    fn lead_to(&mut self, node: Node) {
        let mut at = node;
        let mut edge = self.nodes[node.index()].edge.take();
        while let Some((next, cause)) = edge {
            work::spend(1);
            edge = self.nodes[next.index()].edge.replace((at, cause));
            at = next;
        }
    }

    fn swap_next(&mut self, a: Node, b: Node) {
        let [a, b] = self.pair(a, b);
        std::mem::swap(&mut a.next, &mut b.next);
    }

    fn pair(&mut self, a: Node, b: Node) -> [&mut NodeData; 2] {
        let pair = self.nodes.get_disjoint_mut([a.index(), b.index()]);
        pair.expect("two different nodes of the graph")
    }

    /// Takes back a join.
    fn part(&mut self, joined: Change) {
        let Change::Joined {
            edge: (from, to),
            small,
            big,
            uses,
            unequal,
            constant,
            constructor,
        } = joined
        else {
            unreachable!("only joins are parted");
        };
        debug_assert_eq!(self.root(small), big, "later joins are taken back");
        self.swap_next(small, big);
        let members: Vec<Node> = self.class(small).collect();
        for member in members {
            self.nodes[member.index()].root = small;
        }
        // The edge may have been turned by later joins.
        let there = self.nodes[from.index()].edge.take_if(|(end, _)| *end == to);
        if there.is_none() {
            self.nodes[to.index()].edge = None;
        }
        let [lesser, greater] = self.pair(small, big);
        greater.size -= lesser.size;
        greater.uses.truncate(uses);
        greater.unequal.truncate(unequal);
        greater.constant = constant;
        greater.constructor = constructor;
        debug_assert!(!self.are_equal(from, to), "the edge joined the two classes");
        debug_assert!(
            self.class_is_valid(small),
            "a class is a circle of nodes with one root"
        );
        debug_assert!(
            self.class_is_valid(big),
            "a class is a circle of nodes with one root"
        );
    }

    /// Is a class a circle of as many nodes as its root says, which have that root, and are its
    /// constant and its constructor term in it? Of large classes it reads the root only.
    fn class_is_valid(&self, root: Node) -> bool {
        let data = &self.nodes[root.index()];
        let size = data.size as usize;
        let members = || self.class(root).take(size + 1);
        let named = [data.constant, data.constructor];
        data.root == root
            && named.iter().flatten().all(|&x| self.root(x) == root)
            && (size > CHECKED_CLASS
                || members().count() == size && members().all(|x| self.root(x) == root))
    }

    /// Are active applications of one function to equal arguments equal, does the table find them,
    /// and do the classes agree with their roots?
    pub(super) fn is_closed(&self) -> bool {
        let mut known: FxHashMap<Signature, Node> = FxHashMap::default();
        let congruent = self.active.iter().all(|&node| {
            let signature = self.signature(node);
            let signed = self.table.get(&signature);
            let is_found = signed.is_some_and(|&x| self.are_equal(x, node) && self.is_active(x));
            let root = *known.entry(signature).or_insert(self.root(node));
            root == self.root(node) && is_found
        });
        congruent && self.classes_are_valid() && self.pending.is_empty()
    }

    /// Have all nodes of a class the same root, are there as many as the root says, and has each
    /// class one tree of the proof forest, whose edges stay in the class?
    fn classes_are_valid(&self) -> bool {
        let mut trees = vec![0u32; self.nodes.len()];
        let mut sizes = vec![0u32; self.nodes.len()];
        let agree = self.nodes.iter().all(|data| {
            let root = data.root;
            sizes[root.index()] += 1;
            trees[root.index()] += u32::from(data.edge.is_none());
            self.root(root) == root
                && self.root(data.next) == root
                && data.edge.is_none_or(|(to, _)| self.root(to) == root)
        });
        let is_class = |(i, data): (usize, &NodeData)| {
            data.root.index() != i || data.size == sizes[i] && trees[i] == 1
        };
        agree && self.nodes.iter().enumerate().all(is_class)
    }
}
