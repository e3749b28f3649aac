/* The models of the C library against the library that is linked, on random inputs. What stands
 * before this text renames the models to `model_…`, and includes them. */

static unsigned long long state = 88172645463325252ULL;

static unsigned below(unsigned bound) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (unsigned)(state >> 33) % bound;
}

static const char *what;
static char shown[256];

static void check(int holds) {
  if (!holds) {
    printf("%s differs: %s\n", what, shown);
    exit(1);
  }
}

static int sign(int x) { return (x > 0) - (x < 0); }

#define SIZE 48

/* A string of at most `most` characters of an alphabet, with random bytes behind it. */
static void fill(char *s, const char *alphabet, unsigned most) {
  unsigned length = below(most + 1), letters = strlen(alphabet);
  for (unsigned i = 0; i < SIZE; i++)
    s[i] = below(256);
  for (unsigned i = 0; i < length; i++)
    s[i] = alphabet[below(letters)];
  s[length] = 0;
}

static void both(char *x, char *y, const char *alphabet, unsigned most) {
  fill(x, alphabet, most);
  memcpy(y, x, SIZE);
}

/* The result of a search, as a position; -1 for none. */
static long at(const char *found, const char *s) { return found ? found - s : -1; }

static void strings(void) {
  char a[SIZE], b[SIZE], x[SIZE], y[SIZE];
  fill(a, "ab,B\xe4", 6);
  fill(b, "ab,B\xe4", 3 + below(4));
  unsigned n = below(9);
  int c = "ab,\xe4z"[below(6)] + (below(8) ? 0 : 256);
  snprintf(shown, sizeof shown, "\"%s\", \"%s\", %u, %d", a, b, n, c);
#define SAME(name, ours, theirs) what = name, check((ours) == (theirs))
  SAME("strlen", model_strlen(a), strlen(a));
  SAME("strnlen", model_strnlen(a, n), strnlen(a, n));
  SAME("strcmp", sign(model_strcmp(a, b)), sign(strcmp(a, b)));
  SAME("strcoll", sign(model_strcoll(a, b)), sign(strcoll(a, b)));
  SAME("strncmp", sign(model_strncmp(a, b, n)), sign(strncmp(a, b, n)));
  SAME("strcasecmp", sign(model_strcasecmp(a, b)), sign(strcasecmp(a, b)));
  SAME("strncasecmp", sign(model_strncasecmp(a, b, n)), sign(strncasecmp(a, b, n)));
  SAME("strchr", at(model_strchr(a, c), a), at(strchr(a, c), a));
  SAME("strrchr", at(model_strrchr(a, c), a), at(strrchr(a, c), a));
  SAME("index", at(model_index(a, c), a), at(index(a, c), a));
  SAME("rindex", at(model_rindex(a, c), a), at(rindex(a, c), a));
  SAME("strstr", at(model_strstr(a, b), a), at(strstr(a, b), a));
  SAME("strspn", model_strspn(a, b), strspn(a, b));
  SAME("strcspn", model_strcspn(a, b), strcspn(a, b));
  SAME("strpbrk", at(model_strpbrk(a, b), a), at(strpbrk(a, b), a));
#define COPIES(name, ours, theirs)                                                                 \
  both(x, y, "abz", 6), what = name, check((ours) - x == (theirs) - y && !memcmp(x, y, SIZE))
  COPIES("strcpy", model_strcpy(x, a), strcpy(y, a));
  COPIES("stpcpy", model_stpcpy(x, a), stpcpy(y, a));
  COPIES("strncpy", model_strncpy(x, a, n), strncpy(y, a, n));
  COPIES("strcat", model_strcat(x, a), strcat(y, a));
  COPIES("strncat", model_strncat(x, a, n), strncat(y, a, n));
  char *copy = model_strdup(a);
  what = "strdup", check(!strcmp(copy, a));
  free(copy);
  copy = model_strndup(a, n);
  char *other = strndup(a, n);
  what = "strndup", check(!strcmp(copy, other));
  free(copy);
  free(other);
  both(x, y, "ab,,", 8);
  char *p = model_strtok(x, b), *q = strtok(y, b), *ours, *theirs;
  what = "strtok";
  for (; p || q; p = model_strtok(0, b), q = strtok(0, b))
    check(at(p, x) == at(q, y) && !strcmp(p, q));
  both(x, y, "ab,,", 8);
  what = "strtok_r";
  p = model_strtok_r(x, b, &ours), q = strtok_r(y, b, &theirs);
  for (; p || q; p = model_strtok_r(0, b, &ours), q = strtok_r(0, b, &theirs))
    check(at(p, x) == at(q, y) && !strcmp(p, q));
}

static void characters(void) {
  for (int c = -1; c < 256; c++) {
    snprintf(shown, sizeof shown, "%d", c);
#define KIND(name) what = #name, check(!model_##name(c) == !(name)(c))
    KIND(isalnum), KIND(isalpha), KIND(isblank), KIND(iscntrl), KIND(isdigit), KIND(isgraph);
    KIND(islower), KIND(isprint), KIND(ispunct), KIND(isspace), KIND(isupper), KIND(isxdigit);
    KIND(isascii);
    if (c >= 0) {
      what = "toascii", check(model_toascii(c) == toascii(c));
      what = "tolower", check(model_tolower(c) == (tolower)(c));
      what = "toupper", check(model_toupper(c) == (toupper)(c));
    }
#ifdef __GLIBC__
    what = "the table of <ctype.h>", check(horn_ctype_bits(c) == (*__ctype_b_loc())[c]);
#endif
  }
}

static void numbers(void) {
  char a[SIZE], *ours, *theirs;
  int base = below(4) ? (int[]){0, 10, 16, 8}[below(4)] : 2 + below(35);
  if (below(2))
    fill(a, " +-019xXfz", 5);
  else if (below(2))
    snprintf(a, SIZE, "%s%lld", below(2) ? "-" : "", 9223372036854775800LL + below(8));
  else
    snprintf(a, SIZE, "%llu%s", 18446744073709551600ULL + below(16), below(2) ? "7" : "");
  snprintf(shown, sizeof shown, "\"%s\", %d", a, base);
#define NUMBER(name)                                                                               \
  what = #name;                                                                                    \
  horn_errno = errno = 0;                                                                          \
  check(model_##name(a, &ours, base) == name(a, &theirs, base));                                   \
  check(ours == theirs && (horn_errno == ERANGE) == (errno == ERANGE))
  NUMBER(strtol);
  NUMBER(strtoll);
  NUMBER(strtoul);
  NUMBER(strtoull);
  NUMBER(strtoimax);
  NUMBER(strtoumax);
  if (strlen(a) < 9) {
    SAME("atoi", model_atoi(a), atoi(a));
    SAME("atol", model_atol(a), atol(a));
    SAME("atoll", model_atoll(a), atoll(a));
  }
  int x = (int)below(1 << 20) - (1 << 19), y = 1 + (int)below(99) * (below(2) ? 1 : -1);
  snprintf(shown, sizeof shown, "%d, %d", x, y);
  SAME("abs", model_abs(x), abs(x));
  SAME("labs", model_labs(x), labs(x));
  SAME("llabs", model_llabs(x), llabs(x));
  SAME("imaxabs", model_imaxabs(x), imaxabs(x));
  SAME("ffs", model_ffs(x), ffs(x));
  if (y != 0) {
    SAME("div", model_div(x, y).quot, div(x, y).quot);
    SAME("div", model_div(x, y).rem, div(x, y).rem);
    SAME("ldiv", model_ldiv(x, y).rem, ldiv(x, y).rem);
    SAME("lldiv", model_lldiv(x, y).rem, lldiv(x, y).rem);
  }
}

#define COUNT 8

static int ordered(const void *a, const void *b) {
  horn_element x = *(const horn_element *)a, y = *(const horn_element *)b;
  return x < y ? -1 : x > y;
}

static void values(horn_element *x, horn_element *y) {
  for (unsigned i = 0; i < COUNT; i++)
    x[i] = y[i] = (horn_element)(below(3) ? below(3) : (below(1 << 20) << 12) + below(4096));
}

static void memory(void) {
  horn_element x[COUNT], y[COUNT], other[COUNT];
  unsigned from = below(COUNT), to = below(COUNT), larger = from > to ? from : to;
  unsigned n = below(COUNT - larger + 1);
  unsigned long bytes = n * sizeof(horn_element);
  int c = below(3) ? below(3) : (int)below(600) - 300;
  values(x, y);
  values(other, other);
  snprintf(shown, sizeof shown, "from %u to %u, %lu bytes, %d", from, to, bytes, c);
#define MEMORY(name, ours, theirs)                                                                 \
  what = name, check((char *)(ours) - (char *)x == (char *)(theirs) - (char *)y &&                 \
                     !memcmp(x, y, sizeof x))
  MEMORY("memmove", model_memmove(x + to, x + from, bytes), memmove(y + to, y + from, bytes));
  MEMORY("memcpy", model_memcpy(x + to, other, bytes), memcpy(y + to, other, bytes));
  MEMORY("mempcpy", model_mempcpy(x + to, other, bytes), mempcpy(y + to, other, bytes));
  MEMORY("memset", memset_numbers(x + to, c, bytes), memset(y + to, c, bytes));
  values(x, y);
  MEMORY("memset", memset_others(x + to, 0, bytes), memset(y + to, 0, bytes));
  model_bcopy(x + from, x + to, bytes), bcopy(y + from, y + to, bytes);
  MEMORY("bcopy", x, y);
  bzero_numbers(x + to, bytes), bzero(y + to, bytes);
  MEMORY("bzero", x, y);
  values(x, y);
  bzero_others(x + to, bytes), bzero(y + to, bytes);
  MEMORY("bzero", x, y);
  values(x, y);
  SAME("memcmp", sign(memcmp_numbers(x, other, bytes)), sign(memcmp(x, other, bytes)));
  SAME("memcmp", sign(memcmp_numbers(x, y, sizeof x)), 0);
  if (sizeof(horn_element) == 1) {
    SAME("memcmp", sign(memcmp_bytes(x, other, n)), sign(memcmp(x, other, n)));
    SAME("memchr", (char *)memchr_bytes(x, c, n), (char *)memchr(x, c, n));
    SAME("memrchr", (char *)memrchr_bytes(x, c, n), (char *)memrchr(x, c, n));
  }
  qsort_numbers(x, n, sizeof *x, ordered), qsort(y, n, sizeof *y, ordered);
  MEMORY("qsort", x, y);
  horn_element *ours = model_bsearch(other, x, n, sizeof *x, ordered);
  horn_element *theirs = bsearch(other, y, n, sizeof *y, ordered);
  what = "bsearch", check(!ours == !theirs && (!ours || *ours == *theirs));
}

/* A string of wide characters, with numbers behind it. */
static void fill_wide(wchar_t *s, unsigned most) {
  static const wchar_t letters[] = {'a', 'b', ',', 0xe4, 0x1f600, -7};
  unsigned length = below(most + 1);
  for (unsigned i = 0; i < SIZE; i++)
    s[i] = i < length ? letters[below(6)] : (int)below(9) - 4;
  s[length] = 0;
}

static long at_wide(const wchar_t *found, const wchar_t *s) { return found ? found - s : -1; }

static void wides(void) {
  wchar_t a[SIZE], b[SIZE], x[SIZE], y[SIZE];
  fill_wide(a, 6);
  fill_wide(b, 3 + below(4));
  unsigned n = below(9);
  wchar_t c = a[below(4)];
  snprintf(shown, sizeof shown, "wide strings of %d and %d, %u, %d", (int)wcslen(a),
           (int)wcslen(b), n, c);
  SAME("wcslen", model_wcslen(a), wcslen(a));
  SAME("wcscmp", sign(model_wcscmp(a, b)), sign(wcscmp(a, b)));
  SAME("wcsncmp", sign(model_wcsncmp(a, b, n)), sign(wcsncmp(a, b, n)));
  SAME("wcschr", at_wide(model_wcschr(a, c), a), at_wide(wcschr(a, c), a));
  SAME("wcsrchr", at_wide(model_wcsrchr(a, c), a), at_wide(wcsrchr(a, c), a));
  SAME("wcsstr", at_wide(model_wcsstr(a, b), a), at_wide(wcsstr(a, b), a));
  SAME("wcsspn", model_wcsspn(a, b), wcsspn(a, b));
  SAME("wcscspn", model_wcscspn(a, b), wcscspn(a, b));
  SAME("wcspbrk", at_wide(model_wcspbrk(a, b), a), at_wide(wcspbrk(a, b), a));
  SAME("wmemcmp", sign(model_wmemcmp(a, b, n)), sign(wmemcmp(a, b, n)));
  SAME("wmemchr", at_wide(model_wmemchr(a, c, n), a), at_wide(wmemchr(a, c, n), a));
#define WIDE(name, ours, theirs)                                                                   \
  memcpy(x, a, sizeof x), memcpy(y, a, sizeof y), what = name,                                     \
      check((ours) - x == (theirs) - y && !memcmp(x, y, sizeof x))
  WIDE("wcscpy", model_wcscpy(x, b), wcscpy(y, b));
  WIDE("wcsncpy", model_wcsncpy(x, b, n), wcsncpy(y, b, n));
  WIDE("wcscat", model_wcscat(x, b), wcscat(y, b));
  WIDE("wcsncat", model_wcsncat(x, b, n), wcsncat(y, b, n));
  WIDE("wmemcpy", model_wmemcpy(x, b, n), wmemcpy(y, b, n));
  WIDE("wmemmove", model_wmemmove(x + 2, x + n % 5, n), wmemmove(y + 2, y + n % 5, n));
  WIDE("wmemset", model_wmemset(x, c, n), wmemset(y, c, n));
}

int main(void) {
  characters();
  for (int round = 0; round < 20000; round++) {
    strings();
    wides();
    numbers();
    memory();
  }
  puts("the same");
  return 0;
}
