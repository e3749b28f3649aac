"""Functions of datatypes that the models of certificates define by recursion, and statements about them."""
from smtlib import Wrong, plain, read, show, within


def constructors(problem, sort):
    """The constructors of a datatype: names, each with the names of its selectors."""
    name = plain(sort if isinstance(sort, str) else sort[0])
    for _, _, command in read("\n".join(problem.sorts)):
        if command[0] == "declare-datatype":
            known = [(command[1], command[2])]
        elif command[0] == "declare-datatypes":
            known = [(declared[0], body) for declared, body in zip(command[1], command[2], strict=True)]
        else:
            known = []
        for datatype, body in known:
            if plain(datatype) == name:
                cases = body[2] if body[0] == "par" else body
                return {plain(case[0]): [plain(field[0]) for field in case[1:]] for case in cases}
    raise Wrong(f"{name} is no datatype")


def selectors(problem, sort):
    """The constructors of a datatype, as they are written: names, each with the sorts of its fields."""
    known = constructors(problem, sort)
    for _, _, command in read("\n".join(problem.sorts)):
        bodies = [command[2]] if command[0] == "declare-datatype" else command[2] if command[0] == "declare-datatypes" else []
        for body in bodies:
            if body and body[0] != "par" and {plain(case[0] if isinstance(case, list) else case) for case in body} == set(known):
                return {case[0]: [field[1] for field in case[1:]] for case in body}
    raise Wrong(f"the fields of {show(sort)} are not known")


def recursive(problem, command):
    """The names of the functions that a command defines by recursion over the datatype of their first parameters. A test for each
    constructor but the last chooses the value. The functions exist if their evaluation ends (C. S. Lee, N. D. Jones, A. M. Ben-Amram:
    The Size-Change Principle for Program Termination)."""
    one = command[0] == "define-fun-rec"
    signatures, bodies = ([command[1:4]], [command[4]]) if one else (command[1], command[2])
    names = {plain(signature[0]) for signature in signatures}
    graphs = set()
    for (name, parameters, _), body in zip(signatures, bodies, strict=True):
        value, sort = parameters[0]
        places = {plain(parameter): place for place, (parameter, _) in enumerate(parameters)}
        cases = constructors(problem, sort)
        while len(cases) > 1:
            test = body[1] if body[0] == "ite" else None
            if not (isinstance(test, list) and isinstance(test[0], list) and test[0][:2] == ["_", "is"] and test[1] == value):
                raise Wrong(f"{name} has not one case for each constructor")
            case = plain(test[0][2])
            graphs |= applications(names, plain(name), body[2], value, places, case, cases.pop(case))
            body = body[3]
        for case, fields in cases.items():
            graphs |= applications(names, plain(name), body, value, places, case, fields)
    if not terminate(graphs):
        raise Wrong(f"{', '.join(sorted(names))}: the evaluation may have no end")
    return names


def applications(names, caller, body, value, places, case, fields):
    """The applications of the functions that are being defined in one case. Each is the function, the one that is applied, and arcs:
    an argument, the place of the argument that it goes to, and whether that is a field."""
    found, todo = set(), [body]
    while todo:
        item = todo.pop()
        applied = item[0] if isinstance(item, list) and item else item
        if isinstance(item, list):
            if item and item[0] in ("let", "forall", "exists", "match"):
                raise Wrong("a definition by recursion binds variables")
            todo.extend(item[1:] if isinstance(applied, str) else item)
        if not isinstance(applied, str) or plain(applied) not in names:
            continue
        arcs = set()
        for place, part in enumerate(item[1:] if isinstance(item, list) else []):
            whole = [case, *([field, value] for field in fields)] if fields else case
            if isinstance(part, str) and plain(part) in places:
                arcs.add((places[plain(part)], place, False))
            elif isinstance(part, list) and len(part) == 2 and plain_all(part[0]) in fields and part[1] == value:
                arcs.add((0, place, True))
            elif plain_all(part) == plain_all(whole):
                arcs.add((0, place, False))
        found.add((caller, plain(applied), frozenset(arcs)))
    return found


def plain_all(item):
    return [plain_all(part) for part in item] if isinstance(item, list) else plain(item)


def terminate(graphs):
    """Is there no infinite chain of these applications? Each composition of them that is its own composition makes an argument
    smaller."""
    def composed(first, second):
        arcs = {(a, d, s or u) for a, b, s in first[2] for c, d, u in second[2] if b == c}
        return first[0], second[1], frozenset(arc for arc in arcs if arc[2] or (arc[0], arc[1], True) not in arcs)

    known, todo = set(graphs), list(graphs)
    while todo:
        graph = todo.pop()
        if graph[0] == graph[1] and composed(graph, graph) == graph and not any(a == b and s for a, b, s in graph[2]):
            return False
        if len(known) > 4000:
            return False
        for following in graphs:
            if graph[1] == following[0] and (longer := composed(graph, following)) not in known:
                known.add(longer)
                todo.append(longer)
    return True


def conjuncts(formula):
    """The conjuncts of a formula."""
    if isinstance(formula, list) and formula and formula[0] == "and":
        return [conjunct for part in formula[1:] for conjunct in conjuncts(part)]
    return [formula]


def mentions(item, names):
    todo = [item]
    while todo:
        part = todo.pop()
        if isinstance(part, list):
            todo += part
        elif plain(part) in names:
            return True
    return False


def statements(definitions):
    """The conjuncts of definitions of predicates that begin with `forall` and mention no parameter."""
    found = []
    for _, _, command in definitions:
        if command[0] == "define-fun":
            parameters = {plain(name) for name, _ in command[2]}
            for conjunct in conjuncts(command[4]):
                if isinstance(conjunct, list) and conjunct[0] == "forall" and not mentions(conjunct, parameters) and conjunct not in found:
                    found.append(conjunct)
    return found


def induction(statement, constructor, fields):
    """The query that a statement fails at a constructor, although it holds at the fields of the same sort."""
    (variable, sort), *others = statement[1]
    names = [f"|field {place}|" for place in range(len(fields))]
    script = [["push", "1"], *(["declare-const", name, of] for name, of in zip(names, fields))]
    for name, of in zip(names, fields):
        if of == sort:
            said = within([[[variable, name]]], statement[2])
            script.append(["assert", ["forall", others, said] if others else said])
    values = [[name, f"|other {place}|"] for place, (name, _) in enumerate(others)]
    script += [["declare-const", value, of] for (_, value), (_, of) in zip(values, others)]
    said = within([[[variable, [constructor, *names] if names else constructor], *values]], statement[2])
    return "\n".join(map(show, [*script, ["assert", ["not", said]], ["check-sat"], ["pop", "1"]]))


def without(command, known):
    """A definition of a predicate in which conjuncts that are known to hold are `true`; any other command as it is. A parameter can
    have the name of something that a known statement speaks of. A conjunct with that name is about the parameter, and stays."""
    if command[0] != "define-fun" or command[3] != "Bool":
        return command
    parameters = {plain(name) for name, _ in command[2]}
    kept = [part for part in conjuncts(command[4]) if part not in known or mentions(part, parameters)]
    # `and` has two arguments or more.
    return command if kept == conjuncts(command[4]) else [*command[:4], ["and", "true", "true", *kept]]
