/* `scanf` and `fscanf` in harnesses: the run says how many items are read, and which numbers they
 * are. `horn_scan_next` gives them one after the other. */

static int horn_scan(const char *format, __builtin_va_list items) {
  int count = horn_scan_next(), at = 0;
  for (; *format; format++) {
    unsigned long size = sizeof(int);
    int skipped = 0;
    if (*format != '%')
      continue;
    format++;
    if (*format == '*') {
      skipped = 1;
      format++;
    }
    while (*format >= '0' && *format <= '9')
      format++;
    for (; *format == 'h' || *format == 'l' || *format == 'j' || *format == 'z' || *format == 't';
         format++) {
      if (*format == 'h')
        size /= 2;
      else if (*format == 'j' || (*format == 'l' && format[-1] == 'l'))
        size = sizeof(long long);
      else
        size = sizeof(long);
    }
    if (*format == 'c')
      size = 1;
    if (*format == '%' || skipped)
      continue;
    if (at >= count)
      break;
    horn_put(__builtin_va_arg(items, void *), size, 0, size, horn_scan_next());
    at++;
  }
  return count;
}
