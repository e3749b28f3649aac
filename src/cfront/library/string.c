/* Models of <string.h> and <strings.h> on strings.
 *
 * Loops move pointers rather than indices, so that no index can leave its type. The standard leaves
 * open which number other than 0 a comparison has as its result; so do these models. */

static int horn_sign(int difference) {
  int sign;
  horn_unspecified(sign);
  if (difference == 0)
    return 0;
  if (difference < 0)
    return sign < 0 ? sign : -1;
  return sign > 0 ? sign : 1;
}

static int horn_lower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

/* Is a character in a set that is written as a string? */
static int horn_among(int c, const char *set) {
  while (*set) {
    if (*set == c)
      return 1;
    set++;
  }
  return 0;
}

unsigned long strlen(const char *s) {
  const char *end = s;
  while (*end)
    end++;
  return end - s;
}

unsigned long strnlen(const char *s, unsigned long most) {
  unsigned long length = 0;
  while (length < most && *s) {
    s++;
    length++;
  }
  return length;
}

int strcmp(const char *a, const char *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return horn_sign(*(const unsigned char *)a - *(const unsigned char *)b);
}

int strcoll(const char *a, const char *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return horn_sign(*(const unsigned char *)a - *(const unsigned char *)b);
}

int strncmp(const char *a, const char *b, unsigned long most) {
  while (most > 0) {
    if (*a != *b)
      return horn_sign(*(const unsigned char *)a - *(const unsigned char *)b);
    if (*a == 0)
      return 0;
    a++;
    b++;
    most--;
  }
  return 0;
}

int strcasecmp(const char *a, const char *b) {
  while (*a && horn_lower(*(const unsigned char *)a) == horn_lower(*(const unsigned char *)b)) {
    a++;
    b++;
  }
  return horn_sign(horn_lower(*(const unsigned char *)a) - horn_lower(*(const unsigned char *)b));
}

int strncasecmp(const char *a, const char *b, unsigned long most) {
  while (most > 0) {
    int difference = horn_lower(*(const unsigned char *)a) - horn_lower(*(const unsigned char *)b);
    if (difference != 0)
      return horn_sign(difference);
    if (*a == 0)
      return 0;
    a++;
    b++;
    most--;
  }
  return 0;
}

char *strcpy(char *to, const char *from) {
  char *at = to;
  while (*from) {
    *at = *from;
    at++;
    from++;
  }
  *at = 0;
  return to;
}

char *stpcpy(char *to, const char *from) {
  while (*from) {
    *to = *from;
    to++;
    from++;
  }
  *to = 0;
  return to;
}

char *strncpy(char *to, const char *from, unsigned long count) {
  char *at = to;
  while (count > 0 && *from) {
    *at = *from;
    at++;
    from++;
    count--;
  }
  while (count > 0) {
    *at = 0;
    at++;
    count--;
  }
  return to;
}

char *strcat(char *to, const char *from) {
  char *at = to;
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

char *strncat(char *to, const char *from, unsigned long most) {
  char *at = to;
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

char *strchr(const char *s, int c) {
  while (*s != (char)c) {
    if (*s == 0)
      return 0;
    s++;
  }
  return (char *)s;
}

char *index(const char *s, int c) {
  while (*s != (char)c) {
    if (*s == 0)
      return 0;
    s++;
  }
  return (char *)s;
}

char *strrchr(const char *s, int c) {
  const char *last = 0;
  while (*s) {
    if (*s == (char)c)
      last = s;
    s++;
  }
  if ((char)c == 0)
    return (char *)s;
  return (char *)last;
}

char *rindex(const char *s, int c) {
  const char *last = 0;
  while (*s) {
    if (*s == (char)c)
      last = s;
    s++;
  }
  if ((char)c == 0)
    return (char *)s;
  return (char *)last;
}

char *strstr(const char *s, const char *part) {
  while (1) {
    const char *a = s;
    const char *b = part;
    while (*b && *a == *b) {
      a++;
      b++;
    }
    if (*b == 0)
      return (char *)s;
    if (*s == 0)
      return 0;
    s++;
  }
}

unsigned long strspn(const char *s, const char *set) {
  const char *end = s;
  while (*end && horn_among(*end, set))
    end++;
  return end - s;
}

unsigned long strcspn(const char *s, const char *set) {
  const char *end = s;
  while (*end && !horn_among(*end, set))
    end++;
  return end - s;
}

char *strpbrk(const char *s, const char *set) {
  while (*s && !horn_among(*s, set))
    s++;
  if (*s == 0)
    return 0;
  return (char *)s;
}

char *strdup(const char *s) {
  const char *end = s;
  while (*end)
    end++;
  char *copy = horn_allocate(end - s + 1);
  char *at = copy;
  while (*s) {
    *at = *s;
    at++;
    s++;
  }
  *at = 0;
  return copy;
}

char *strndup(const char *s, unsigned long most) {
  unsigned long length = 0;
  const char *end = s;
  while (length < most && *end) {
    end++;
    length++;
  }
  char *copy = horn_allocate(length + 1);
  char *at = copy;
  while (length > 0) {
    *at = *s;
    at++;
    s++;
    length--;
  }
  *at = 0;
  return copy;
}

char *strtok_r(char *s, const char *between, char **rest) {
  if (s == 0)
    s = *rest;
  if (s == 0)
    return 0;
  while (*s && horn_among(*s, between))
    s++;
  if (*s == 0) {
    *rest = 0;
    return 0;
  }
  char *token = s;
  while (*s && !horn_among(*s, between))
    s++;
  if (*s == 0) {
    *rest = 0;
  } else {
    *s = 0;
    *rest = s + 1;
  }
  return token;
}

static char *horn_token_rest;

char *strtok(char *s, const char *between) {
  if (s == 0)
    s = horn_token_rest;
  if (s == 0)
    return 0;
  while (*s && horn_among(*s, between))
    s++;
  if (*s == 0) {
    horn_token_rest = 0;
    return 0;
  }
  char *token = s;
  while (*s && !horn_among(*s, between))
    s++;
  if (*s == 0) {
    horn_token_rest = 0;
  } else {
    *s = 0;
    horn_token_rest = s + 1;
  }
  return token;
}
