/* Models of <stdlib.h>, and of the integer part of <math.h> and <inttypes.h>. */

int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }
long long llabs(long long x) { return x < 0 ? -x : x; }
long long imaxabs(long long x) { return x < 0 ? -x : x; }

/* The functions that give a quotient with its remainder. `div_t` and its kind are structures of a
 * program's text; these have the same members in the order of the GNU library. */
struct horn_div { int quot; int rem; };
struct horn_ldiv { long quot; long rem; };
struct horn_lldiv { long long quot; long long rem; };

struct horn_div div(int a, int b) {
  struct horn_div result;
  result.quot = a / b;
  result.rem = a % b;
  return result;
}

struct horn_ldiv ldiv(long a, long b) {
  struct horn_ldiv result;
  result.quot = a / b;
  result.rem = a % b;
  return result;
}

struct horn_lldiv lldiv(long long a, long long b) {
  struct horn_lldiv result;
  result.quot = a / b;
  result.rem = a % b;
  return result;
}

static int horn_is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The value of a digit, or 36. */
static int horn_digit(int c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z')
    return c - 'A' + 10;
  return 36;
}

/* A decimal number that is at most `most`, or at least `-most - 1`: other results have no
 * meaning. */
static long long horn_decimal(const char *s, long long most) {
  long long value = 0;
  int negative = 0;
  while (horn_is_space(*s))
    s++;
  if (*s == '-') {
    negative = 1;
    s++;
  } else if (*s == '+') {
    s++;
  }
  while (*s >= '0' && *s <= '9') {
    int digit = *s - '0';
    /* The value is kept negative, so that it can be the smallest. */
    horn_assume(value >= (-most - 1) / 10);
    value = value * 10;
    horn_assume(value >= -most - 1 + digit);
    value = value - digit;
    s++;
  }
  if (negative)
    return value;
  horn_assume(value >= -most);
  return -value;
}

int atoi(const char *s) { return horn_decimal(s, (int)(~0U >> 1)); }
long atol(const char *s) { return horn_decimal(s, (long)(~0UL >> 1)); }
long long atoll(const char *s) { return horn_decimal(s, (long long)(~0ULL >> 1)); }

/* A number of a base: its magnitude, at most `most`, where more than that is `most`. */
static unsigned long long horn_magnitude(const char **at, int base, unsigned long long most,
                                         int *beyond) {
  unsigned long long value = 0;
  const char *s = *at;
  while (1) {
    int digit = horn_digit(*s);
    if (digit >= base)
      break;
    if (*beyond || value > (most - digit) / base) {
      *beyond = 1;
      value = most;
    } else {
      value = value * base + digit;
    }
    s++;
  }
  *at = s;
  return value;
}

/* Spaces, a sign, and what says the base. Answers where the digits begin; null if there are none. */
static const char *horn_number_start(const char *s, int *base, int *negative) {
  *negative = 0;
  while (horn_is_space(*s))
    s++;
  if (*s == '-') {
    *negative = 1;
    s++;
  } else if (*s == '+') {
    s++;
  }
  if ((*base == 0 || *base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') &&
      horn_digit(s[2]) < 16) {
    *base = 16;
    return s + 2;
  }
  if (*base == 0)
    *base = *s == '0' ? 8 : 10;
  if (horn_digit(*s) >= *base)
    return 0;
  return s;
}

/* What a base that does not exist does is not said by the standard. */
static void horn_no_base(const char *s, char **end) {
  int number;
  horn_any(number, "`errno` after a conversion in a base that does not exist");
  horn_error_number(number);
  if (end)
    *end = (char *)s;
}

static unsigned long long horn_strtou(const char *s, char **end, int base, unsigned long long most) {
  int negative = 0;
  int beyond = 0;
  if (base < 0 || base == 1 || base > 36) {
    horn_no_base(s, end);
    return 0;
  }
  const char *at = horn_number_start(s, &base, &negative);
  if (at == 0) {
    if (end)
      *end = (char *)s;
    return 0;
  }
  unsigned long long value = horn_magnitude(&at, base, most, &beyond);
  if (end)
    *end = (char *)at;
  if (beyond)
    horn_error_number(34);
  if (negative && !beyond && value > 0)
    return most - value + 1;
  return value;
}

static long long horn_strtoi(const char *s, char **end, int base, unsigned long long most) {
  int negative = 0;
  int beyond = 0;
  if (base < 0 || base == 1 || base > 36) {
    horn_no_base(s, end);
    return 0;
  }
  const char *at = horn_number_start(s, &base, &negative);
  if (at == 0) {
    if (end)
      *end = (char *)s;
    return 0;
  }
  unsigned long long value = horn_magnitude(&at, base, negative ? most + 1 : most, &beyond);
  if (end)
    *end = (char *)at;
  if (beyond)
    horn_error_number(34);
  if (negative) {
    if (value > most)
      return -(long long)most - 1;
    return -(long long)value;
  }
  return (long long)value;
}

long strtol(const char *s, char **end, int base) { return horn_strtoi(s, end, base, ~0UL >> 1); }
long long strtoll(const char *s, char **end, int base) {
  return horn_strtoi(s, end, base, ~0ULL >> 1);
}
long long strtoimax(const char *s, char **end, int base) {
  return horn_strtoi(s, end, base, ~0ULL >> 1);
}
unsigned long strtoul(const char *s, char **end, int base) { return horn_strtou(s, end, base, ~0UL); }
unsigned long long strtoull(const char *s, char **end, int base) {
  return horn_strtou(s, end, base, ~0ULL);
}
unsigned long long strtoumax(const char *s, char **end, int base) {
  return horn_strtou(s, end, base, ~0ULL);
}

/* Numbers at random are inputs. */
/* 1 after a call of `rand`, `srand` or the like; 2 where a second seed may have brought numbers
 * again that were there before. */
static int horn_random;

int rand(void) {
  int result;
  if (horn_random == 2) {
    horn_any(result, "`rand` after a seed was set once more");
  } else {
    horn_input(result);
    horn_random = 1;
  }
  horn_assume(result >= 0);
  return result;
}

long random(void) {
  long result;
  if (horn_random == 2) {
    horn_any(result, "`random` after a seed was set once more");
  } else {
    horn_input(result);
    horn_random = 1;
  }
  horn_assume(result >= 0 && result <= 2147483647);
  return result;
}

void srand(unsigned seed) { horn_random = horn_random ? 2 : 1; }
void srandom(unsigned seed) { horn_random = horn_random ? 2 : 1; }

int ffs(int x) {
  int at = 1;
  unsigned bits = x;
  if (bits == 0)
    return 0;
  while (bits % 2 == 0) {
    bits = bits / 2;
    at++;
  }
  return at;
}

/* What `sscanf` reads. Each function begins at `*at`, and moves it on. It answers 1 if it has read
 * something, -1 at the end of the text, and else 0. */
static void horn_scan_spaces(const char **at) {
  while (horn_is_space(**at))
    *at = *at + 1;
}

static int horn_scan_byte(const char **at, int c) {
  if (**at == 0)
    return -1;
  if (**at != c)
    return 0;
  *at = *at + 1;
  return 1;
}

/* An integer of at most `width` characters, as 64 bits. One that needs more has no meaning. */
static int horn_scan_integer(const char **at, int base, unsigned width, unsigned long long *to) {
  int negative = 0;
  unsigned long long value = 0;
  const char *s = *at;
  while (horn_is_space(*s))
    s++;
  *at = s;
  if (*s == 0)
    return -1;
  if (*s == '-' || *s == '+') {
    negative = *s == '-';
    s++;
    width--;
  }
  if ((base == 0 || base == 16) && width > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
    if (width == 2 || horn_digit(s[2]) >= 16)
      horn_unsupported("`sscanf` of `0x` without digits");
    base = 16;
    s = s + 2;
    width = width - 2;
  }
  if (base == 0)
    base = *s == '0' ? 8 : 10;
  if (width == 0 || horn_digit(*s) >= base)
    return 0;
  while (width > 0) {
    int digit = horn_digit(*s);
    if (digit >= base)
      break;
    horn_assume(value <= (~0ULL - digit) / base);
    value = value * base + digit;
    s++;
    width--;
  }
  *at = s;
  *to = negative ? 0 - value : value;
  return 1;
}

/* `width` characters. Whether fewer at the end of the text are read, libraries do not agree on. */
static int horn_scan_characters(const char **at, char *to, int stored, unsigned width) {
  const char *s = *at;
  if (*s == 0)
    return -1;
  while (width > 0 && *s != 0) {
    if (stored) {
      *to = *s;
      to++;
    }
    s++;
    width--;
  }
  if (width > 0)
    horn_unsupported("`sscanf` of more characters than there are");
  *at = s;
  return 1;
}

static int horn_scan_text_word(const char **at, char *to, int stored, unsigned width) {
  const char *s = *at;
  while (horn_is_space(*s))
    s++;
  if (*s == 0) {
    *at = s;
    return -1;
  }
  while (width > 0 && *s != 0 && !horn_is_space(*s)) {
    if (stored) {
      *to = *s;
      to++;
    }
    s++;
    width--;
  }
  if (stored)
    *to = 0;
  *at = s;
  return 1;
}

static int horn_scan_text_members(const char **at, char *to, int stored, const char *set,
                                  int inside, unsigned width) {
  const char *s = *at;
  if (*s == 0)
    return -1;
  if (horn_among(*s, set) != inside)
    return 0;
  while (width > 0 && *s != 0 && horn_among(*s, set) == inside) {
    if (stored) {
      *to = *s;
      to++;
    }
    s++;
    width--;
  }
  if (stored)
    *to = 0;
  *at = s;
  return 1;
}

static long long horn_scan_position(const char *from, const char *to) { return to - from; }
