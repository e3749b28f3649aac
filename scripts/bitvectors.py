"""Bit-vector terms of SMT-LIB as circuits of gates, for scripts/check-alethe.

A node is a Boolean function: truth, something that is not looked into, a bit of a term that is not looked into, or a gate over
other nodes. It is an even number, and its negation is the next one. Two nodes are the same number if one gate, or the same gates
over the same nodes, make them, however the gates are written: a gate is known by its truth table over the nodes on which it
depends.

What an operator is bit by bit is part of what the rules of bit-vectors say. The circuits are:
- a sum: `xor` of the two bits and the carry; the next carry is the majority of the three;
- a negation: the complement, plus one;
- a product: the sum of the shifted first factors for each bit of the second, from the lowest bit on; for a constant second factor
  there is one summand for each digit of its signed form without two neighbours (1, 0, -1), and the digit -1 adds the complement
  plus one;
- a quotient: long division from the highest bit on, with the divisor subtracted where it fits;
- signed quotients and remainders: those of the absolute values, negated afterwards;
- a shift: for each bit of the distance, lowest first, a choice between the word and the word moved by that power of two; then what
  comes in, if any bit of the distance is set that moves everything;
- an order: from the lowest bit on, the majority of the complement of the first bit, the second bit, and the order of the bits below.
"""
from itertools import product

TRUE, FALSE = 0, 1


def both(a, b):
    return a and b


def either(a, b):
    return a or b


def differ(a, b):
    return a != b


def choice(c, a, b):
    return a if c else b


def majority(a, b, c):
    return a + b + c >= 2


def gate_of(body):
    """The function of the formula that defines a gate, and its inputs; None for other formulas."""
    simple = {("and", 2): both, ("xor", 2): differ, ("ite", 3): choice}
    if not isinstance(body, tuple):
        return None
    head, inputs = body[0], body[1:]
    if (head, len(inputs)) in simple:
        return simple[head, len(inputs)], inputs
    if head == "or" and len(inputs) == 3 and all(len(part) == 3 and part[0] == "and" for part in inputs):
        (_, a, b), (_, _, c), _ = inputs
        if inputs == (("and", a, b), ("and", a, c), ("and", b, c)):
            return majority, (a, b, c)
    return None


def stripped(formula):
    """A formula without negations in front, and whether it stays as it is."""
    positive = True
    while isinstance(formula, tuple) and formula[0] == "not":
        formula, positive = formula[1], not positive
    return formula, positive


def holds_always(name, body, clause):
    """Is a clause true whatever the inputs of the gate are that this name and its definition make?"""
    function, inputs = gate_of(body)
    inputs = [stripped(part) for part in inputs]
    literals = [stripped(literal) for literal in clause]
    atoms = list({atom for atom, _ in inputs} - {"true", "false"})
    for values in product((False, True), repeat=len(atoms)):
        value = {"true": True, "false": False, **dict(zip(atoms, values))}
        value[name] = function(*[value[atom] == positive for atom, positive in inputs])
        if not any(value.get(atom) == positive for atom, positive in literals):
            return False
    return True


class Circuits:
    """The nodes of formulas and the words of terms of a proof: lists of nodes, the lowest bit first.

    `proof` has: `number(term)`, the same for the same terms; `open(term)`, what a name stands for; `sort(term)`; `sorts`, by the
    name of a declared function; `value_of(term)`, the width and the number of a constant; `gates`, by the name of a gate what
    defines it.
    """

    def __init__(self, proof):
        self.proof, self.nodes, self.made, self.named, self.words = proof, {}, {}, {}, {}

    def node(self, shape):
        return 2 * self.nodes.setdefault(shape, len(self.nodes) + 1)

    def gate(self, function, *inputs):
        """A gate, by its truth table over the nodes on which it depends."""
        key = (function, inputs)
        if key not in self.made:
            self.made[key] = self.new_gate(function, inputs)
        return self.made[key]

    def new_gate(self, function, inputs):
        places = sorted({x >> 1 for x in inputs} - {0})

        def output(value):
            return bool(function(*[value[x >> 1] != (x & 1) for x in inputs]))

        all_values = [{0: True, **dict(zip(places, row))} for row in product((False, True), repeat=len(places))]
        used = [place for place in places
                if any(output(value) != output({**value, place: not value[place]}) for value in all_values)]
        rows = [output(value) for value in all_values if not any(value[place] for place in places if place not in used)]
        if not used:
            return TRUE if rows[0] else FALSE
        if len(used) == 1:
            return 2 * used[0] + rows[0]
        # The output has the sign by which it is false where all nodes are.
        return self.node(("gate", *used, *(row != rows[0] for row in rows))) + rows[0]

    def formula(self, text):
        """The node of a formula. Gates are looked into; other formulas are not, but for a bit of a term."""
        text, positive = stripped(text)
        if text in ("true", "false"):
            return TRUE if (text == "true") == positive else FALSE
        if text in self.proof.gates:
            node = self.named.get(text)
            if node is None:
                function, inputs = gate_of(self.proof.gates[text])
                node = self.named[text] = self.gate(function, *map(self.formula, inputs))
        else:
            node = self.atom(self.proof.open(text))
        return node if positive else node ^ 1

    def atom(self, text):
        if isinstance(text, tuple) and text[0] == "=" and len(text) == 3:
            for one, bit in (text[1:], text[:0:-1]):
                if one != "#b1":
                    continue
                bit = self.proof.open(bit)
                if isinstance(bit, tuple) and bit[0][:2] == ("_", "extract") and bit[0][2] == bit[0][3] and self.is_leaf(bit[1]):
                    return self.node(("bit", self.proof.number(bit[1]), int(bit[0][2])))
                if self.is_leaf(bit):
                    return self.node(("bit", self.proof.number(bit), 0))
            return self.node(("=", frozenset(map(self.proof.number, text[1:]))))
        return self.node(("formula", self.proof.number(text)))

    def is_leaf(self, term):
        """Is a term not looked into?"""
        term = self.proof.open(term)
        return self.proof.value_of(term) is None and self.operator(term) is None

    def operator(self, term):
        """The method for the operator of a term, with its indices; None if there is none."""
        if not isinstance(term, tuple) or term[0] in self.proof.sorts:
            return None
        head = term[0] if isinstance(term[0], tuple) else ("_", term[0])
        method = getattr(self, "word_" + head[1], None) if head[0] == "_" and isinstance(head[1], str) else None
        return None if method is None else (method, [int(index) for index in head[2:]])

    def bits(self, term):
        """The bits of a term."""
        key = self.proof.number(term)
        if key not in self.words:
            self.words[key] = self.new_bits(self.proof.open(term))
        return self.words[key]

    def new_bits(self, term):
        value, found = self.proof.value_of(term), self.operator(term)
        if value is not None:
            return [TRUE if value[1] >> place & 1 else FALSE for place in range(value[0])]
        if found is None:
            mark, name, width = self.proof.sort(term)
            if (mark, name) != ("_", "BitVec"):
                raise ValueError("it is no bit-vector")
            number = self.proof.number(term)
            return [self.node(("bit", number, place)) for place in range(int(width))]
        method, indices = found
        if method == self.word_ite:
            return self.chosen(self.formula(term[1]), *map(self.bits, term[2:]))
        return method(*indices, *map(self.bits, term[1:]))

    def order(self, relation, left, right):
        """The node of an order of two terms."""
        x, y = self.bits(left), self.bits(right)
        if relation in ("bvslt", "bvsle"):
            x, y = [*x[:-1], x[-1] ^ 1], [*y[:-1], y[-1] ^ 1]
        if relation not in ("bvslt", "bvsle", "bvult", "bvule"):
            raise ValueError(f"{relation} is no order")
        return self.less(x, y, relation in ("bvult", "bvslt"))

    def differences(self, left, right):
        """For each place the bits of two terms, and the node of their difference."""
        x, y = self.bits(left), self.bits(right)
        if len(x) != len(y):
            raise ValueError("the widths differ")
        return [(a, b, self.gate(differ, a, b)) for a, b in zip(x, y)]

    # What operators are.

    def word_bvnot(self, x):
        return [a ^ 1 for a in x]

    def word_bvand(self, *words):
        return self.folded(lambda x, y: [self.gate(both, a, b) for a, b in zip(x, y)], words)

    def word_bvor(self, *words):
        return self.folded(lambda x, y: [self.gate(either, a, b) for a, b in zip(x, y)], words)

    def word_bvxor(self, *words):
        return self.folded(lambda x, y: [self.gate(differ, a, b) for a, b in zip(x, y)], words)

    def word_bvadd(self, *words):
        return self.folded(self.added, words)

    def word_bvmul(self, *words):
        return self.folded(self.multiplied, words)

    def word_bvneg(self, x):
        return self.added(self.word_bvnot(x), [FALSE] * len(x), TRUE)

    def word_bvudiv(self, x, y):
        return self.divided(x, y)[0]

    def word_bvurem(self, x, y):
        return self.divided(x, y)[1]

    def word_bvsdiv(self, x, y):
        return self.negated_if(self.gate(differ, x[-1], y[-1]), self.divided(self.absolute(x), self.absolute(y))[0])

    def word_bvsrem(self, x, y):
        return self.negated_if(x[-1], self.divided(self.absolute(x), self.absolute(y))[1])

    def word_bvsmod(self, x, y):
        signs_differ, rest = self.gate(differ, x[-1], y[-1]), self.word_bvsrem(x, y)
        corrects = self.gate(both, signs_differ, self.equal(rest, [FALSE] * len(x)) ^ 1)
        return self.added(rest, [self.gate(both, corrects, b) for b in y])

    def word_bvshl(self, x, y):
        return self.shifted(x[::-1], y, FALSE)[::-1]

    def word_bvlshr(self, x, y):
        return self.shifted(x, y, FALSE)

    def word_bvashr(self, x, y):
        return self.shifted(x, y, x[-1])

    def word_concat(self, *words):
        return [a for word in words[::-1] for a in word]

    def word_extract(self, high, low, x):
        if not low <= high < len(x):
            raise ValueError("there are no such bits")
        return x[low:high + 1]

    def word_zero_extend(self, more, x):
        return x + [FALSE] * more

    def word_sign_extend(self, more, x):
        return x + [x[-1]] * more

    def word_rotate_right(self, places, x):
        return x[places % len(x):] + x[:places % len(x)]

    def word_rotate_left(self, places, x):
        return self.word_rotate_right(len(x) - places % len(x), x)

    def word_repeat(self, copies, x):
        return x * copies

    def word_bvcomp(self, x, y):
        return [self.equal(x, y)]

    def word_ite(self):
        raise AssertionError("its first argument is no word")

    # Their parts.

    @staticmethod
    def folded(operator, words):
        first, *rest = words
        for word in rest:
            if len(word) != len(first):
                raise ValueError("the widths differ")
            first = operator(first, word)
        return first

    def chosen(self, condition, x, y):
        if len(x) != len(y):
            raise ValueError("the widths differ")
        return [self.gate(choice, condition, a, b) for a, b in zip(x, y)]

    def added(self, x, y, carry=FALSE):
        total = []
        for a, b in zip(x, y):
            total.append(self.gate(differ, self.gate(differ, a, b), carry))
            carry = self.gate(majority, a, b, carry)
        return total

    def negated_if(self, condition, x):
        return self.chosen(condition, self.word_bvneg(x), x)

    def absolute(self, x):
        return self.negated_if(x[-1], x)

    def multiplied(self, x, y):
        width, total = len(x), [FALSE] * len(x)
        if set(y) <= {TRUE, FALSE}:
            rest = sum(2 ** place for place, bit in enumerate(y) if bit == TRUE)
            for place in range(width):
                moved = ([FALSE] * place + x)[:width]
                if rest % 4 == 1:
                    total, rest = self.added(total, moved), rest - 1
                elif rest % 4 == 3:
                    total, rest = self.added(total, self.word_bvnot(moved), TRUE), rest + 1
                rest //= 2
            return total
        for place, digit in enumerate(y):
            if digit != FALSE:
                moved = ([FALSE] * place + x)[:width]
                total = self.added(total, [self.gate(both, digit, a) for a in moved])
        return total

    def less(self, x, y, is_strict):
        if len(x) != len(y):
            raise ValueError("the widths differ")
        less = FALSE if is_strict else TRUE
        for a, b in zip(x, y):
            less = self.gate(majority, a ^ 1, b, less)
        return less

    def equal(self, x, y):
        if len(x) != len(y):
            raise ValueError("the widths differ")
        found = FALSE
        for a, b in zip(x, y):
            found = self.gate(either, found, self.gate(differ, a, b))
        return found ^ 1

    def divided(self, x, y):
        """Quotient and remainder; all ones and `x` if `y` is zero."""
        if len(x) != len(y):
            raise ValueError("the widths differ")
        # The rest is less than a divisor that is surely not zero, so as many bits suffice for it.
        length = max((i for i, b in enumerate(y) if b != FALSE), default=0) + 1 if TRUE in y else len(x)
        quotient, rest = [], [FALSE] * len(x)
        for bit in x[::-1]:
            rest = [bit, *rest]
            fits = self.less([*y, FALSE], rest, False)
            rest = rest[:length]
            rest = self.chosen(fits, self.added(rest, self.word_bvnot(y[:length]), TRUE), rest)
            rest += [FALSE] * (len(x) - length)
            quotient.insert(0, fits)
        return quotient, rest

    def shifted(self, x, y, fill):
        """A word moved to the right by the number `y`, where `fill` comes in."""
        if len(x) != len(y):
            raise ValueError("the widths differ")
        word, beyond = x, FALSE
        for place, digit in enumerate(y):
            if 2 ** place < len(x):
                word = self.chosen(digit, word[2 ** place:] + [fill] * 2 ** place, word)
        for place, digit in enumerate(y):
            if 2 ** place >= len(x):
                beyond = self.gate(either, beyond, digit)
        return self.chosen(beyond, [fill] * len(x), word)
