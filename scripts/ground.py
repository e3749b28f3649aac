"""Questions with instances of what a model says in place of its definitions. What is left has no quantifiers, as far as the model
and the question have them in front, and functions in it are uninterpreted.

Invariant: each instance follows from the definitions, or from lemmas that were proved. So a question fails if its script does,
whatever instances a certificate lists."""
from instances import front
from recursion import conjuncts, mentions
from smtlib import Wrong, plain, read, show, within

ASKED = ("push", "pop", "reset", "check-sat")


class Definitions:
    """What a model says, for questions about it."""

    def __init__(self, commands, lemmas):
        """Of the commands of a model, and the lemmas among the conjuncts of its definitions that were proved."""
        self.lemmas, self.known = lemmas, {}
        for _, _, command in commands:
            group = zip(command[1], command[2]) if command[0] == "define-funs-rec" else [(command[1:4], command[4])]
            for (name, parameters, sort), body in group:
                self.known[plain(name)] = (name, parameters, sort, body)

    def script(self, commands, instances):
        """A question, as commands, with the instances that are listed. The variables that its assertions have in front are constants
        of the same names."""
        text, hypotheses = [], []
        for command in commands:
            if command[0].startswith("define-fun") and plain(command[1] if isinstance(command[1], str) else "") in self.known:
                text.append(self.declared(plain(command[1])))
            elif command[0] == "define-funs-rec":
                text += [self.declared(plain(signature[0])) for signature in command[1]]
            elif command[0] == "assert":
                variables, formula, negated = front(command[1], True)
                text += [["declare-const", *variable] for variable in variables]
                formula = formula if negated else ["not", formula]
                if front(formula)[0]:
                    hypotheses.append(formula)
                else:
                    text.append(["assert", formula])
            elif command[0] not in ASKED:
                text.append(command)
        concluded = False
        for listed in instances:
            if "conclusion" in listed:
                # The constants are those of one conclusion.
                if concluded:
                    raise Wrong("a clause has two conclusions")
                concluded = True
                text += self.conclusion(listed)
            else:
                text += [["assert", formula] for formula in self.instance(listed, hypotheses)]
        return "\n".join([*map(show, text), "(check-sat)"])

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

    def applied(self, name, listed):
        """An application of what is defined, the bindings of its parameters, and its definition."""
        name, parameters, _, body = self.known[plain(name)]
        arguments = terms(listed["arguments"], parameters)
        application = [name, *arguments] if arguments else name
        return application, bindings(parameters, arguments), body

    def instance(self, listed, hypotheses):
        """What an instance says. The conjuncts of a premise that have quantifiers in front are instances by themselves."""
        if "function" in listed:
            application, bound, body = self.applied(listed["function"], listed)
            return [["=", application, within(bound, body)]]
        if "hypothesis" in listed:
            return [at_values(hypotheses[listed["hypothesis"]], listed)]
        if "lemma" in listed:
            lemma = self.conjunct(listed["lemma"], listed)
            return [at_values(lemma, listed)] if lemma in self.lemmas else []
        application, bound, body = self.applied(listed["premise"], listed)
        around, parts = split(body)
        around = [*bound, *around]
        if "conjunct" in listed:
            return [["=>", application, at_values(parts[listed["conjunct"]], listed, around)]]
        return [["=>", application, within(around, part)] for part in parts if not front(part)[0]]

    def conjunct(self, name, listed):
        """The conjunct of a definition that is listed."""
        return split(self.known[plain(name)][3])[1][listed["conjunct"]]

    def conclusion(self, listed):
        """A predicate holds if what its definition says of all values holds of some constants: a conjunct that fails for any values
        fails for them. The arguments do not depend on the constants."""
        application, bound, body = self.applied(listed["conclusion"], listed)
        around, parts = split(body)
        said, declared, constants = ["true", "true"], [], set()
        for place, part in enumerate(parts):
            variables, matrix, negated = front(part)
            names = [f"|{place} {at}|" for at in range(len(variables))]
            constants |= {plain(name) for name in names}
            declared += [["declare-const", name, sort] for name, (_, sort) in zip(names, variables)]
            matrix = ["not", matrix] if negated else matrix
            if part not in self.lemmas:
                said.append(within(bindings(variables, names), matrix))
        if mentions(application, constants):
            raise Wrong("the arguments of a conclusion depend on its constants")
        return [*declared, ["assert", ["=>", within([*bound, *around], ["and", *said]), application]]]


def terms(texts, parameters):
    """Terms as they are listed, one for each parameter."""
    [(_, _, found)] = read(f"({' '.join(texts)})")
    if len(found) != len(parameters) or len(texts) != len(parameters):
        raise Wrong("an instance has not one value for each parameter")
    return found


def bindings(parameters, values):
    bound = [[name, value] for (name, _), value in zip(parameters, values, strict=True)]
    return [bound] if bound else []


def split(body):
    """The bindings that are around the conjuncts of a definition, and these."""
    around = []
    while body[0] == "let":
        around.append(body[1])
        body = body[2]
    return around, conjuncts(body)


def at_values(formula, listed, around=()):
    """What a formula, within bindings, says of values of the variables in front. The values stand outside of the bindings."""
    variables, matrix, negated = front(formula)
    matrix = ["not", matrix] if negated else matrix
    names = [f"|at {place}|" for place in range(len(variables))]
    values = bindings([[name] * 2 for name in names], terms(listed["values"], variables))
    return within([*values, *around, *bindings(variables, names)], matrix)
