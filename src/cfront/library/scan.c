/* `scanf` and `fscanf` in harnesses: the run says how many items are read, and which numbers and
 * characters they are. `horn_scan_next` gives them one after the other. */

static int horn_scan(const char *format, __builtin_va_list items) {
  int count = horn_scan_next(), at = 0;
  for (; *format; format++) {
    unsigned long size = sizeof(int), width = 0;
    int skipped = 0;
    if (*format != '%')
      continue;
    format++;
    if (*format == '*') {
      skipped = 1;
      format++;
    }
    while (*format >= '0' && *format <= '9')
      width = 10 * width + (*format++ - '0');
    for (; *format == 'h' || *format == 'l' || *format == 'j' || *format == 'z' || *format == 't';
         format++) {
      if (*format == 'h')
        size /= 2;
      else if (*format == 'j' || (*format == 'l' && format[-1] == 'l'))
        size = sizeof(long long);
      else
        size = sizeof(long);
    }
    int is_set = *format == '[';
    if (is_set) {
      /* A bracket that comes first is a member. */
      format += format[1] == '^' ? 2 : 1;
      do {
        format++;
      } while (*format != ']');
    }
    if (*format == 'c')
      size = 1;
    if (__builtin_strchr("aefgAEFG", *format))
      size = format[-1] == 'l' ? sizeof(double) : sizeof(float);
    if (*format == '%' || skipped)
      continue;
    if (at >= count)
      break;
    if (*format == 's' || is_set) {
      /* A word without a width ends with a zero. A word with a width reads one number beyond its
       * last character. */
      char *to = __builtin_va_arg(items, char *), c = horn_scan_next();
      unsigned long left = width ? width : -1ul;
      for (; c && left; left--) {
        *to++ = c;
        c = horn_scan_next();
      }
      *to = 0;
      at++;
      continue;
    }
    horn_put(__builtin_va_arg(items, void *), size, 0, size, horn_scan_next());
    at++;
  }
  return count;
}
