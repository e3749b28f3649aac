/* What `sprintf` and `snprintf` write, conversion by conversion. Each function appends at `at` to a
 * buffer of `size` bytes, of which the last is for the zero, and gives the length so far; what does
 * not fit is only counted. */

static long horn_print_char(char *to, long size, long at, int c) {
  if (at + 1 < size)
    to[at] = c;
  return at + 1;
}

static long horn_print_padding(char *to, long size, long at, long count, int c) {
  while (count > 0) {
    at = horn_print_char(to, size, at, c);
    count--;
  }
  return at;
}

/* At most `most` characters of a string, in a field of `width`. */
static long horn_print_string(char *to, long size, long at, const char *s, long width, long most,
                              int left) {
  long length = 0;
  while (length < most && s[length])
    length++;
  if (!left)
    at = horn_print_padding(to, size, at, width - length, ' ');
  for (long i = 0; i < length; i++)
    at = horn_print_char(to, size, at, s[i]);
  if (left)
    at = horn_print_padding(to, size, at, width - length, ' ');
  return at;
}

/* A number in a base, after `sign` if that is not 0, in a field of `width`. `letter` is the digit
 * for 10. */
static long horn_print_digits(char *to, long size, long at, unsigned long long n, int sign,
                              int base, int letter, long width, int zeros, int left) {
  char digits[24];
  int count = 0;
  do {
    int digit = n % base;
    digits[count] = digit < 10 ? '0' + digit : letter + (digit - 10);
    n = n / base;
    count++;
  } while (n > 0);
  long padding = width - count - (sign != 0);
  if (!left && !zeros)
    at = horn_print_padding(to, size, at, padding, ' ');
  if (sign)
    at = horn_print_char(to, size, at, sign);
  if (!left && zeros)
    at = horn_print_padding(to, size, at, padding, '0');
  while (count > 0) {
    count--;
    at = horn_print_char(to, size, at, digits[count]);
  }
  if (left)
    at = horn_print_padding(to, size, at, padding, ' ');
  return at;
}

static long horn_print_signed(char *to, long size, long at, long long n, int plus, long width,
                              int zeros, int left) {
  if (n < 0)
    return horn_print_digits(to, size, at, (unsigned long long)(-(n + 1)) + 1, '-', 10, 'a', width,
                             zeros, left);
  return horn_print_digits(to, size, at, n, plus, 10, 'a', width, zeros, left);
}

/* The zero at the end. */
static int horn_print_end(char *to, long size, long at) {
  if (size > 0)
    to[at < size ? at : size - 1] = 0;
  return at;
}
