/* Models of <wchar.h> on strings and arrays: `wchar_t` is `int`. */

unsigned long wcslen(const int *s) {
  const int *end = s;
  while (*end)
    end++;
  return end - s;
}

int wcscmp(const int *a, const int *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return horn_sign(*a == *b ? 0 : *a < *b ? -1 : 1);
}

int wcsncmp(const int *a, const int *b, unsigned long most) {
  while (most > 0 && *a && *a == *b) {
    a++;
    b++;
    most--;
  }
  if (most == 0)
    return 0;
  return horn_sign(*a == *b ? 0 : *a < *b ? -1 : 1);
}

int *wcscpy(int *to, const int *from) {
  int *at = to;
  while (*from) {
    *at = *from;
    at++;
    from++;
  }
  *at = 0;
  return to;
}

int *wcsncpy(int *to, const int *from, unsigned long most) {
  int *at = to;
  while (most > 0 && *from) {
    *at = *from;
    at++;
    from++;
    most--;
  }
  while (most > 0) {
    *at = 0;
    at++;
    most--;
  }
  return to;
}

int *wcscat(int *to, const int *from) {
  int *at = to;
  while (*at)
    at++;
  while (*from) {
    *at = *from;
    at++;
    from++;
  }
  *at = 0;
  return to;
}

int *wcsncat(int *to, const int *from, unsigned long most) {
  int *at = to;
  while (*at)
    at++;
  while (most > 0 && *from) {
    *at = *from;
    at++;
    from++;
    most--;
  }
  *at = 0;
  return to;
}

int *wcschr(const int *s, int c) {
  while (*s) {
    if (*s == c)
      return (int *)s;
    s++;
  }
  return c == 0 ? (int *)s : 0;
}

int *wcsrchr(const int *s, int c) {
  const int *found = 0;
  while (*s) {
    if (*s == c)
      found = s;
    s++;
  }
  return c == 0 ? (int *)s : (int *)found;
}

int *wcsstr(const int *s, const int *part) {
  if (!*part)
    return (int *)s;
  while (*s) {
    const int *a = s, *b = part;
    while (*b && *a == *b) {
      a++;
      b++;
    }
    if (!*b)
      return (int *)s;
    s++;
  }
  return 0;
}

static int horn_wide_among(int c, const int *set) {
  while (*set) {
    if (*set == c)
      return 1;
    set++;
  }
  return 0;
}

unsigned long wcsspn(const int *s, const int *set) {
  const int *at = s;
  while (*at && horn_wide_among(*at, set))
    at++;
  return at - s;
}

unsigned long wcscspn(const int *s, const int *set) {
  const int *at = s;
  while (*at && !horn_wide_among(*at, set))
    at++;
  return at - s;
}

int *wcspbrk(const int *s, const int *set) {
  while (*s) {
    if (horn_wide_among(*s, set))
      return (int *)s;
    s++;
  }
  return 0;
}

int *wmemcpy(int *to, const int *from, unsigned long count) {
  int *at = to;
  while (count > 0) {
    *at = *from;
    at++;
    from++;
    count--;
  }
  return to;
}

int *wmemmove(int *to, const int *from, unsigned long count) {
  int *at = to;
  if (to <= from) {
    while (count > 0) {
      *at = *from;
      at++;
      from++;
      count--;
    }
  } else {
    at = at + count;
    from = from + count;
    while (count > 0) {
      at--;
      from--;
      *at = *from;
      count--;
    }
  }
  return to;
}

int *wmemset(int *to, int c, unsigned long count) {
  int *at = to;
  while (count > 0) {
    *at = c;
    at++;
    count--;
  }
  return to;
}

int wmemcmp(const int *a, const int *b, unsigned long count) {
  while (count > 0) {
    if (*a != *b)
      return horn_sign(*a < *b ? -1 : 1);
    a++;
    b++;
    count--;
  }
  return 0;
}

int *wmemchr(const int *s, int c, unsigned long count) {
  while (count > 0) {
    if (*s == c)
      return (int *)s;
    s++;
    count--;
  }
  return 0;
}
