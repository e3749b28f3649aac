/* Reads a decimal number from a string, with a sign, and checks it against known values.
   wrong: value * 10 + (*text - '0') ==> value * 10 + *text */
#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>

static bool parse_int(const char *text, int *result) {
  bool negative = false;
  int value = 0;
  if (*text == '-' || *text == '+') {
    negative = *text == '-';
    text++;
  }
  if (!isdigit((unsigned char)*text)) {
    return false;
  }
  while (isdigit((unsigned char)*text)) {
    value = value * 10 + (*text - '0');
    text++;
  }
  if (*text != '\0') {
    return false;
  }
  *result = negative ? -value : value;
  return true;
}

int main(void) {
  int value = 0;
  assert(parse_int("0", &value) && value == 0);
  assert(parse_int("42", &value) && value == 42);
  assert(parse_int("-137", &value) && value == -137);
  assert(!parse_int("12x", &value));
  assert(!parse_int("", &value));
  return 0;
}
