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

/* A character in a field of `width`, at its left end if that is negative. */
static long horn_print_character(char *to, long size, long at, int c, long width, int left) {
  if (width < 0) {
    left = 1;
    width = -width;
  }
  if (!left)
    at = horn_print_padding(to, size, at, width - 1, ' ');
  at = horn_print_char(to, size, at, c);
  if (left)
    at = horn_print_padding(to, size, at, width - 1, ' ');
  return at;
}

/* At most `most` characters of a string, or all if that is negative, in a field of `width`. */
static long horn_print_string(char *to, long size, long at, const char *s, long width, long most,
                              int left) {
  long length = 0;
  if (width < 0) {
    left = 1;
    width = -width;
  }
  while ((most < 0 || length < most) && s[length])
    length++;
  if (!left)
    at = horn_print_padding(to, size, at, width - length, ' ');
  for (long i = 0; i < length; i++)
    at = horn_print_char(to, size, at, s[i]);
  if (left)
    at = horn_print_padding(to, size, at, width - length, ' ');
  return at;
}

/* A number in a base, after `sign` if that is not 0, of at least `least` digits unless that is
 * negative, in a field of `width`. `letter` is the digit for 10. */
static long horn_print_digits(char *to, long size, long at, unsigned long long n, int sign,
                              int base, int letter, int tells, long width, long least, int zeros,
                              int left) {
  char digits[24];
  int count = 0;
  int prefix = tells && base == 16 && n != 0;
  if (width < 0) {
    left = 1;
    width = -width;
  }
  if (least >= 0)
    zeros = 0;
  if (tells && base == 8 && n == 0 && least == 0)
    least = 1;
  while (n > 0 || (count == 0 && least != 0)) {
    int digit = n % base;
    digits[count] = digit < 10 ? '0' + digit : letter + (digit - 10);
    n = n / base;
    count++;
  }
  if (tells && base == 8 && count > 0 && digits[count - 1] != '0' && least <= count)
    least = count + 1;
  long more = least > count ? least - count : 0;
  long padding = width - count - more - (sign != 0) - 2 * prefix;
  if (!left && !zeros)
    at = horn_print_padding(to, size, at, padding, ' ');
  if (sign)
    at = horn_print_char(to, size, at, sign);
  if (prefix) {
    at = horn_print_char(to, size, at, '0');
    at = horn_print_char(to, size, at, letter + 23);
  }
  if (!left && zeros)
    at = horn_print_padding(to, size, at, padding, '0');
  at = horn_print_padding(to, size, at, more, '0');
  while (count > 0) {
    count--;
    at = horn_print_char(to, size, at, digits[count]);
  }
  if (left)
    at = horn_print_padding(to, size, at, padding, ' ');
  return at;
}

static long horn_print_signed(char *to, long size, long at, long long n, int plus, long width,
                              long least, int zeros, int left) {
  if (n < 0)
    return horn_print_digits(to, size, at, (unsigned long long)(-(n + 1)) + 1, '-', 10, 'a', 0,
                             width, least, zeros, left);
  return horn_print_digits(to, size, at, n, plus, 10, 'a', 0, width, least, zeros, left);
}

/* The zero at the end. */
static int horn_print_end(char *to, long size, long at) {
  if (size > 0)
    to[at < size ? at : size - 1] = 0;
  return at;
}
