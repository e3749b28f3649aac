/* Models of <ctype.h> in the locale "C". The standard leaves open which number other than 0 stands
 * for yes; so do these models. */

static int horn_yes(int holds) {
  int yes;
  horn_unspecified(yes);
  if (!holds)
    return 0;
  return yes != 0 ? yes : 1;
}

int isdigit(int c) { return horn_yes(c >= '0' && c <= '9'); }
int islower(int c) { return horn_yes(c >= 'a' && c <= 'z'); }
int isupper(int c) { return horn_yes(c >= 'A' && c <= 'Z'); }
int isalpha(int c) { return horn_yes((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')); }
int isalnum(int c) {
  return horn_yes((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
}
int isxdigit(int c) {
  return horn_yes((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
}
int isspace(int c) { return horn_yes(c == ' ' || (c >= '\t' && c <= '\r')); }
int isblank(int c) { return horn_yes(c == ' ' || c == '\t'); }
int iscntrl(int c) { return horn_yes((c >= 0 && c < 32) || c == 127); }
int isprint(int c) { return horn_yes(c >= 32 && c < 127); }
int isgraph(int c) { return horn_yes(c > 32 && c < 127); }
int ispunct(int c) {
  return horn_yes((c > 32 && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a') ||
                  (c > 'z' && c < 127));
}
int isascii(int c) { return horn_yes(c >= 0 && c < 128); }
int toascii(int c) { return c & 127; }
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c; }

/* The entry of the GNU library's table that the macros of its <ctype.h> read. */
unsigned short horn_ctype_bits(int c) {
  unsigned short bits = 0;
  if (c >= 'A' && c <= 'Z')
    bits += 1 << 8;
  if (c >= 'a' && c <= 'z')
    bits += 1 << 9;
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
    bits += 1 << 10;
  if (c >= '0' && c <= '9')
    bits += 1 << 11;
  if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
    bits += 1 << 12;
  if (c == ' ' || (c >= '\t' && c <= '\r'))
    bits += 1 << 13;
  if (c >= 32 && c < 127)
    bits += 1 << 14;
  if (c > 32 && c < 127)
    bits += 1 << 15;
  if (c == ' ' || c == '\t')
    bits += 1 << 0;
  if ((c >= 0 && c < 32) || c == 127)
    bits += 1 << 1;
  if ((c > 32 && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a') || (c > 'z' && c < 127))
    bits += 1 << 2;
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
    bits += 1 << 3;
  return bits;
}
