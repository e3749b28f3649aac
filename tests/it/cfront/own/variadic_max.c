/* Functions with a variable number of arguments: a maximum, and a format of a few conversions.
   wrong: case 'u': ==> case 'U': */
#include <assert.h>
#include <limits.h>
#include <stdarg.h>

static int max_of(int count, ...) {
  va_list list;
  int max = INT_MIN;
  va_start(list, count);
  for (int i = 0; i < count; i++) {
    int value = va_arg(list, int);
    if (value > max) {
      max = value;
    }
  }
  va_end(list);
  return max;
}

/* The number of characters that a format takes, without signs. */
static unsigned length_of(const char *format, va_list list) {
  unsigned length = 0;
  for (; *format; format++) {
    if (*format != '%') {
      length++;
      continue;
    }
    format++;
    switch (*format) {
    case 'c':
      (void)va_arg(list, int);
      length++;
      break;
    case 'u': {
      unsigned value = va_arg(list, unsigned);
      do {
        length++;
        value /= 10;
      } while (value > 0);
      break;
    }
    case 's': {
      const char *s = va_arg(list, const char *);
      while (*s++) {
        length++;
      }
      break;
    }
    default:
      length++;
      break;
    }
  }
  return length;
}

static unsigned formatted(const char *format, ...) {
  va_list list;
  va_start(list, format);
  unsigned length = length_of(format, list);
  va_end(list);
  return length;
}

extern int input(void);

int main(void) {
  int a = input(), b = input();
  int max = max_of(3, a, 7, b);
  assert(max >= a && max >= b && max >= 7);
  assert(max == a || max == b || max == 7);
  assert(formatted("%s=%u%c", "key", 1204u, ';') == 9);
  return 0;
}
