"""Instances of assertions, and questions about them case by case."""
from recursion import conjuncts
from smtlib import plain, read, show, within

DEFAULTS = {"Int": "0", "Real": "0.0", "Bool": "false"}


def without_name(formula):
    return formula[1] if isinstance(formula, list) and formula and formula[0] == "!" else formula


def front(formula, negated=False):
    """The variables that a formula has in front, or its negation: those that are bound by `forall`. Answers them, what is behind
    them, and whether that is negated."""
    variables = []
    while isinstance(formula := without_name(formula), list) and formula:
        if formula[0] == "not":
            formula, negated = formula[1], not negated
        elif formula[0] == ("exists" if negated else "forall"):
            variables += formula[1]
            formula = formula[2]
        else:
            break
    return variables, formula, negated


def instance(formula, listed, fresh):
    """An instance of an assertion: the variables in front have the values that are listed for their names. One that is not
    listed has the value at its place, if as many are listed as there are variables; else it has any value."""
    variables, formula, negated = front(formula)
    values = {value["variable"]: value["value"] for value in listed}
    bindings = []
    for place, (name, sort) in enumerate(variables):
        at_place = listed[place]["value"] if len(listed) == len(variables) else DEFAULTS.get(show(sort))
        value = values.get(plain(name), at_place)
        if value is None:
            value = f"|any value {len(fresh)}|"
            fresh.append(f"(declare-const {value} {show(sort)})")
        bindings.append(f"({name} {value})")
    body = f"(let ({' '.join(bindings)}) {show(formula)})" if bindings else show(formula)
    return f"(not {body})" if negated else body


def premises(formula, predicates):
    """The applications of predicates that hold wherever a formula does, each with the bindings of the `let` that it stands in."""
    found, todo = [], [(formula, True, [])]
    while todo:
        item, holds, around = todo.pop()
        item = without_name(item)
        head = item[0] if isinstance(item, list) and item else item
        if head == "not":
            todo.append((item[1], not holds, around))
        elif head == ("and" if holds else "or"):
            todo += [(part, holds, around) for part in item[1:]]
        elif head == "=>" and not holds:
            todo += [(part, True, around) for part in item[1:-1]] + [(item[-1], False, around)]
        elif head == "let":
            todo.append((item[2], holds, [*around, item[1]]))
        elif holds and isinstance(head, str) and plain(head) in predicates:
            found.append((item, around))
    return found


def disjuncts(command):
    """Definitions of predicates, for the disjuncts of a conjunct of the definition of one: the conjunct that has the most."""
    around, body = [], command[4]
    while body[0] == "let":
        around.append(body[1])
        body = body[2]
    parts = max((part[1:] for part in conjuncts(body) if part[0] == "or"), key=len, default=[])
    name = plain(command[1])
    return [["define-fun", f"|case {place} of {name}|", *command[2:4], within(around, part)] for place, part in enumerate(parts)]


def cases(script):
    """A question with constants in place of the variables that exist, as a script, and the question case by case: scripts that are
    all answered by `unsat` only if it is. They are about the disjuncts in the definition of a predicate that is a premise of the
    question: each but the last about one of them, and the last about none. Without a premise there are no cases."""
    text, definitions, split = [], {}, []
    for _, _, command in read(script):
        if command[0] == "define-fun" and (parts := disjuncts(command)):
            definitions[plain(command[1])] = parts
        elif command[0] == "assert":
            # A constant for each variable that exists.
            variables, formula, negated = front(command[1], True)
            constants = [[name, f"|value {len(text) + place}|"] for place, (name, _) in enumerate(variables)]
            text += [f"(declare-const {value} {show(sort)})" for (_, value), (_, sort) in zip(constants, variables)]
            formula = within([constants] if constants else [], formula if negated else ["not", formula])
            split = split or premises(formula, definitions)
            command = ["assert", formula]
        if command[0] not in ("push", "pop", "reset", "check-sat"):
            text.append(show(command))
    whole = "\n".join([*text, "(check-sat)"])
    if not split:
        return [whole]
    application, around = split[0]
    name, arguments = (application[0], application[1:]) if isinstance(application, list) else (application, [])
    parts = definitions[plain(name)]
    holds = [within(around, [part[1], *arguments] if arguments else part[1]) for part in parts]
    further = [[part, ["assert", formula]] for part, formula in zip(parts, holds)]
    further.append([*parts, *(["assert", ["not", formula]] for formula in holds)])
    return [whole, *("\n".join([*text, *map(show, commands), "(check-sat)"]) for commands in further)]
