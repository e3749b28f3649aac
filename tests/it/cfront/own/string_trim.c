/* Removes spaces at both ends of a string in place.
   wrong: *end = '\0'; ==> end[-1] = '\0'; */
#include <assert.h>
#include <ctype.h>
#include <string.h>

static char *trim(char *text) {
  char *begin = text;
  while (isspace((unsigned char)*begin)) {
    begin++;
  }
  char *end = begin + strlen(begin);
  while (end > begin && isspace((unsigned char)end[-1])) {
    end--;
  }
  *end = '\0';
  return begin;
}

int main(void) {
  char a[] = "  hi ";
  char b[] = "x";
  assert(strcmp(trim(a), "hi") == 0);
  assert(strcmp(trim(b), "x") == 0);
  return 0;
}
