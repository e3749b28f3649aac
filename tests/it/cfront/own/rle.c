/* Run-length encoding of a short string, and decoding of what comes out.
   wrong: text[i + run] == text[i] ==> text[i + run] >= text[i] */
#include <assert.h>
#include <stddef.h>
#include <string.h>

static size_t encode(const char *text, char *out) {
  size_t length = 0, i = 0;
  while (text[i] != '\0') {
    size_t run = 1;
    while (text[i + run] == text[i] && run < 9) {
      run++;
    }
    out[length++] = text[i];
    out[length++] = (char)('0' + run);
    i += run;
  }
  out[length] = '\0';
  return length;
}

static void decode(const char *code, char *out) {
  size_t length = 0;
  for (size_t i = 0; code[i] != '\0'; i += 2) {
    for (int n = code[i + 1] - '0'; n > 0; n--) {
      out[length++] = code[i];
    }
  }
  out[length] = '\0';
}

int main(void) {
  char code[16], back[16];
  assert(encode("aaabbc", code) == 6);
  assert(strcmp(code, "a3b2c1") == 0);
  decode(code, back);
  assert(strcmp(back, "aaabbc") == 0);
  return 0;
}
