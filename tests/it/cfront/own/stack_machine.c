/* A small stack machine that evaluates (2 + 3) * 4 - 6.
   wrong: push(a - b); ==> push(b - a); */
#include <assert.h>

enum op { PUSH, ADD, SUB, MUL, HALT };

struct instruction {
  enum op op;
  int argument;
};

static int stack[8];
static int depth;

static void push(int value) {
  assert(depth < 8);
  stack[depth++] = value;
}

static int pop(void) {
  assert(depth > 0);
  return stack[--depth];
}

static int run(const struct instruction *code) {
  for (int pc = 0;; pc++) {
    int a, b;
    switch (code[pc].op) {
    case PUSH:
      push(code[pc].argument);
      break;
    case ADD:
      b = pop();
      a = pop();
      push(a + b);
      break;
    case SUB:
      b = pop();
      a = pop();
      push(a - b);
      break;
    case MUL:
      b = pop();
      a = pop();
      push(a * b);
      break;
    case HALT:
      return pop();
    }
  }
}

int main(void) {
  static const struct instruction code[] = {
    {PUSH, 2}, {PUSH, 3}, {ADD, 0}, {PUSH, 4}, {MUL, 0}, {PUSH, 6}, {SUB, 0}, {HALT, 0},
  };
  assert(run(code) == 14);
  assert(depth == 0);
  return 0;
}
