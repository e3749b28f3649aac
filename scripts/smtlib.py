"""Texts in SMT-LIB as trees: a list for what is between parentheses, and a string for all else."""
import re

TOKEN = re.compile(r'[ \t\r\n]+|;[^\n]*|(?P<token>[()]|"(?:[^"]|"")*"|\|[^|]*\||[^\s()";|]+)')
SORTS = ("declare-sort", "define-sort", "declare-datatype", "declare-datatypes")
DECLARED = ("declare-fun", "declare-const")
DEFINED = ("define-fun", "define-const")
RECURSIVE = ("define-fun-rec", "define-funs-rec")
IGNORED = ("set-logic", "set-info", "set-option", "get-model", "get-proof", "get-info", "check-sat", "exit", "echo")


class Wrong(Exception):
    """The certificate is not one."""


def read(text):
    """The commands of a text, each with the offsets of its first byte and of the byte after it."""
    stack, commands, at = [], [], 0
    # Offsets are of bytes; characters beyond ASCII are longer than one.
    bytes_before = len if text.isascii() else lambda part: len(part.encode())
    offset = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise Wrong(f"cannot be read at {text[at:at + 20]!r}")
        begin, token = offset, found["token"]
        offset += bytes_before(found[0])
        at = found.end()
        if token == "(":
            stack.append((begin, []))
        elif token == ")":
            if not stack:
                raise Wrong("a closing parenthesis without an opening one")
            start, items = stack.pop()
            if stack:
                stack[-1][1].append(items)
            else:
                commands.append((start, offset, items))
        elif token is not None:
            if not stack:
                raise Wrong(f"{token!r} is no command")
            stack[-1][1].append(token)
    if stack:
        raise Wrong("a parenthesis is not closed")
    return commands


def show(tree):
    """The text of a tree, without recursion: formulas may be deep."""
    parts, todo = [], [tree]
    while todo:
        item = todo.pop()
        if isinstance(item, list):
            todo.append(")")
            todo.extend(reversed(item))
            parts.append("(")
        else:
            parts.append(item)
    return " ".join(parts)


def plain(symbol):
    return symbol[1:-1] if symbol.startswith("|") else symbol


def within(around, item):
    """A formula in the `let` of bindings."""
    for bindings in reversed(around):
        item = ["let", bindings, item]
    return item


class Problem:
    """The declarations and assertions of a text."""

    def __init__(self, text):
        self.sorts, self.functions, self.assertions = [], [], []
        checks = 0
        for start, end, command in read(text):
            head = command[0] if command else None
            if head in SORTS:
                self.sorts.append(show(command))
            elif head in DECLARED or head in DEFINED:
                self.functions.append(command)
            elif head == "assert" and len(command) == 2:
                self.assertions.append((start, end, command[1]))
            elif head in IGNORED:
                checks += head == "check-sat"
            else:
                raise Wrong(f"the command {head} is not known here")
        if checks != 1:
            raise Wrong(f"{checks} commands check-sat")
