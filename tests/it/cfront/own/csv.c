/* Splits a line at commas without strtok, and counts fields.
   wrong: if (*text == ',') { ==> if (*text == ',' || *text == ' ') { */
#include <assert.h>
#include <string.h>

#define FIELDS 4
#define LENGTH 8

static char fields[FIELDS][LENGTH];

static int split(const char *text) {
  int field = 0, at = 0;
  for (; *text != '\0'; text++) {
    if (*text == ',') {
      fields[field][at] = '\0';
      field++;
      at = 0;
      if (field == FIELDS) {
        return -1;
      }
    } else {
      if (at == LENGTH - 1) {
        return -1;
      }
      fields[field][at++] = *text;
    }
  }
  fields[field][at] = '\0';
  return field + 1;
}

int main(void) {
  assert(split("ab,c d,") == 3);
  assert(strcmp(fields[0], "ab") == 0);
  assert(strcmp(fields[1], "c d") == 0);
  assert(fields[2][0] == '\0');
  assert(split("1,2,3,4,5") == -1);
  return 0;
}
