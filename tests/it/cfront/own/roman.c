/* Roman numbers to integers and back, as an exercise has it.
   wrong: {4, "IV"} ==> {4, "VI"} */
#include <assert.h>
#include <string.h>

struct numeral {
  int value;
  const char *text;
};

static const struct numeral numerals[] = {
    {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"},
};

static void to_roman(int n, char *out) {
  *out = '\0';
  for (unsigned i = 0; i < sizeof numerals / sizeof numerals[0]; i++) {
    while (n >= numerals[i].value) {
      strcat(out, numerals[i].text);
      n -= numerals[i].value;
    }
  }
}

static int digit(char c) {
  switch (c) {
  case 'X':
    return 10;
  case 'V':
    return 5;
  case 'I':
    return 1;
  default:
    return 0;
  }
}

static int from_roman(const char *s) {
  int total = 0;
  for (; *s; s++) {
    int value = digit(s[0]);
    if (value < digit(s[1])) {
      total -= value;
    } else {
      total += value;
    }
  }
  return total;
}

int main(void) {
  char text[16];
  for (int n = 1; n <= 24; n++) {
    to_roman(n, text);
    assert(strlen(text) < sizeof text);
    assert(from_roman(text) == n);
  }
  return 0;
}
