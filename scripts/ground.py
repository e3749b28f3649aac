"""Questions with instances of what a model says in place of its definitions. What is left has no quantifiers, as far as the model
and the question have them in front, and functions in it are uninterpreted.

Invariant: a question fails if its script does, whatever instances a certificate lists. Each instance follows from the definitions, or
from lemmas that were proved. Premises say no more than they are defined to say, and conclusions no less. A new constant stands for
what exists, whatever those before it are."""
import re

from instances import front
from recursion import conjuncts, mentions
from smtlib import Wrong, plain, read, show, within

ASKED = ("push", "pop", "reset", "check-sat")


class Definitions:
    """What a model says, for questions about it."""

    def __init__(self, commands, predicates, lemmas):
        """Of the commands of a model, the names of the predicates, and the lemmas among the conjuncts of their definitions that were
        proved."""
        self.predicates, self.lemmas, self.known = predicates, lemmas, {}
        for _, _, command in commands:
            group = zip(command[1], command[2]) if command[0] == "define-funs-rec" else [(command[1:4], command[4])]
            for (name, parameters, sort), body in group:
                self.known[plain(name)] = (name, parameters, sort, body)

    def script(self, commands, instances):
        """A question, as commands, with the instances that are listed. The variables that its assertions have in front are constants
        of the same names."""
        text, hypotheses, asserted, predicates = [], [], [], set()
        for command in commands:
            if command[0] in ("define-fun", "define-fun-rec") and (name := plain(command[1])) in self.known:
                if name in self.predicates:
                    predicates.add(name)
                else:
                    text.append(self.declared(name))
            elif command[0] == "define-funs-rec":
                text += [self.declared(plain(signature[0])) for signature in command[1]]
            elif command[0] == "assert":
                variables, formula, negated = front(command[1], True)
                text += [["declare-const", *variable] for variable in variables]
                formula = formula if negated else ["not", formula]
                if front(formula)[0]:
                    hypotheses.append(formula)
                else:
                    asserted.append(["assert", formula])
            elif command[0] not in ASKED:
                text.append(command)
        concluded = [name for assertion in asserted for name in conclusions(assertion, predicates)]
        constants = [self.constants(name) for name in concluded]
        if len([some for some in constants if some]) > 1 or mentions(hypotheses, predicates):
            raise Wrong("there are constants for one conclusion only")
        text += [["declare-const", *constant] for constant in sum(constants, [])]
        at_premises = {name: [] for name in predicates}
        for listed in instances:
            text += self.instance(listed, hypotheses, at_premises)
        for name in sorted(predicates):
            text.append(self.as_premise(name, at_premises[name]))
            if name in concluded:
                text.append(self.as_conclusion(name))
        return "\n".join([*map(show, text), *map(show, asserted), "(check-sat)"])

    def for_lemma(self, statement, listed):
        """The instances that are listed for a lemma, for each constructor."""
        for lemma in listed:
            try:
                if self.conjunct(lemma["predicate"], lemma) == statement:
                    return {plain(constructor): instances for constructor, instances in lemma["cases"].items()}
            except (AttributeError, LookupError, TypeError):
                pass
        return {}

    def declared(self, name):
        name, parameters, sort, _ = self.known[name]
        return ["declare-fun", name, [of for _, of in parameters], sort]

    def instance(self, listed, hypotheses, at_premises):
        """What an instance says, as commands. What one says of a premise is added to what is known of it."""
        if "difference" in listed:
            return difference(listed)
        if "function" in listed:
            name, parameters, _, body = self.known[plain(listed["function"])]
            arguments = terms(listed["arguments"], parameters)
            return [["assert", ["=", [name, *arguments] if arguments else name, within(bindings(parameters, arguments), body)]]]
        if "premise" in listed:
            name = plain(listed["premise"])
            known, (around, parts) = at_premises[name], self.split(name)
            variables, matrix = opened(parts[listed["conjunct"]])
            values = [[f"|at {name} {len(known)} {place}|", [], sort, value]
                      for place, ((_, sort), value) in enumerate(zip(variables, terms(listed["values"], variables)))]
            known.append(within([*around, *bindings(variables, [value[0] for value in values])], matrix))
            return [["define-fun", *value] for value in values]
        if "hypothesis" in listed:
            return [["assert", at_values(hypotheses[listed["hypothesis"]], listed)]]
        lemma = self.conjunct(listed["lemma"], listed)
        return [["assert", at_values(lemma, listed)]] if lemma in self.lemmas else []

    def conjunct(self, name, listed):
        """The conjunct of a definition that is listed."""
        return self.split(plain(name))[1][listed["conjunct"]]

    def split(self, name):
        """The bindings that are around the conjuncts of a definition, and these."""
        around, body = [], self.known[name][3]
        while body[0] == "let":
            around.append(body[1])
            body = body[2]
        return around, conjuncts(body)

    def constants(self, name):
        """Constants for what is not true of all values, and then not of some: the variables in front of conjuncts, with their sorts."""
        parts = enumerate(self.split(name)[1])
        variables = [(place, front(part)[0]) for place, part in parts if part not in self.lemmas]
        return [[f"|{place} {at}|", sort] for place, part in variables for at, (_, sort) in enumerate(part)]

    def as_premise(self, name, instances):
        """The definition of a predicate where it is a premise: conjuncts without variables in front, and instances. That is less
        than what is defined."""
        written, parameters, sort, _ = self.known[name]
        around, parts = self.split(name)
        said = [within(around, part) for part in parts if not front(part)[0]] + instances
        return ["define-fun", written, parameters, sort, ["and", "true", "true", *said]]

    def as_conclusion(self, name):
        """The definition of a predicate where it is a conclusion: what is defined, of constants in place of the variables in front."""
        _, parameters, sort, _ = self.known[name]
        around, parts = self.split(name)
        if mentions([parameters, around], {plain(constant) for constant, _ in self.constants(name)}):
            raise Wrong("a definition has names of constants")
        said = []
        for place, part in enumerate(parts):
            variables, matrix = opened(part)
            if part not in self.lemmas:
                said.append(within(bindings(variables, [f"|{place} {at}|" for at in range(len(variables))]), matrix))
        return ["define-fun", as_concluded(name), parameters, sort, within(around, ["and", "true", "true", *said])]


def as_concluded(name):
    return f"|conclusion {name}|"


def conclusions(assertion, predicates):
    """Gives the predicates that are denied in an assertion their names as conclusions. Answers them, once for each time. Bindings and
    quantifiers in the assertion are not about predicates."""
    found, todo = [], [(assertion, 1, True)]
    while todo:
        parent, place, holds = todo.pop()
        item = parent[place]
        head = item[0] if isinstance(item, list) and item else item
        if head in ("!", "not"):
            todo.append((item, 1, holds if head == "!" else not holds))
        elif head in ("and", "or", "=>"):
            last = len(item) - 1
            todo += [(item, at, holds if head != "=>" or at == last else not holds) for at in range(1, last + 1)]
        elif head == "let" and not mentions(item[1], predicates):
            todo.append((item, 2, holds))
        elif isinstance(head, str) and plain(head) in predicates and not mentions(item[1:], predicates):
            if not holds:
                found.append(plain(head))
                parent[place] = [as_concluded(plain(head)), *item[1:]] if isinstance(item, list) else as_concluded(plain(head))
        elif mentions(item, predicates):
            raise Wrong("a predicate is neither a premise nor a conclusion")
    return found


def difference(listed):
    """A new constant for an index at which two arrays differ if they do. The arrays do not depend on it."""
    name, [sort] = listed["difference"], terms([listed["sort"]], [None])
    [first, second] = terms(listed["arrays"], [None] * 2)
    if not re.fullmatch(r"\|difference \d+\|", name) or mentions([first, second], {plain(name)}):
        raise Wrong("an index is not new")
    differ = ["not", ["=", ["select", first, name], ["select", second, name]]]
    return [["declare-const", name, sort], ["assert", ["or", ["=", first, second], differ]]]


def terms(texts, parameters):
    """Terms as they are listed, one for each parameter."""
    [(_, _, found)] = read(f"({' '.join(texts)})")
    if len(found) != len(parameters) or len(texts) != len(parameters):
        raise Wrong("an instance has not one value for each parameter")
    return found


def bindings(parameters, values):
    bound = [[name, value] for (name, _), value in zip(parameters, values, strict=True)]
    return [bound] if bound else []


def opened(formula):
    """The variables that a formula has in front, and what it says of them."""
    variables, matrix, negated = front(formula)
    return variables, ["not", matrix] if negated else matrix


def at_values(formula, listed):
    """What a formula says of values of the variables in front."""
    variables, matrix = opened(formula)
    return within(bindings(variables, terms(listed["values"], variables)), matrix)
