/* Evaluates sums and products of digits from a string by recursive descent.
   wrong: value *= factor(); ==> value += factor(); */
#include <assert.h>
#include <ctype.h>

static const char *input;

static int sum(void);

static int factor(void) {
  if (*input == '(') {
    input++;
    int value = sum();
    if (*input == ')') {
      input++;
    }
    return value;
  }
  int value = 0;
  while (isdigit((unsigned char)*input)) {
    value = value * 10 + (*input++ - '0');
  }
  return value;
}

static int product(void) {
  int value = factor();
  while (*input == '*') {
    input++;
    value *= factor();
  }
  return value;
}

static int sum(void) {
  int value = product();
  while (*input == '+') {
    input++;
    value += product();
  }
  return value;
}

int main(void) {
  input = "2+3*4";
  assert(sum() == 14);
  assert(*input == '\0');
  return 0;
}
