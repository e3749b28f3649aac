/* Models of the compiler's functions on atomic objects, in a program with one thread: `__sync_…`
 * and `__atomic_…`, of which <stdatomic.h> is made. The order of memory has no effect there. */

horn_element __atomic_fetch_add_numbers(horn_element *at, horn_element by, int order) {
  horn_element old = *at;
  *at = old + by;
  return old;
}
horn_element __atomic_add_fetch_numbers(horn_element *at, horn_element by, int order) {
  __atomic_fetch_add_numbers(at, by, order);
  return *at;
}
horn_element __sync_fetch_and_add_numbers(horn_element *at, horn_element by) {
  return __atomic_fetch_add_numbers(at, by, 0);
}
horn_element __sync_add_and_fetch_numbers(horn_element *at, horn_element by) {
  return __atomic_add_fetch_numbers(at, by, 0);
}

horn_element __atomic_fetch_sub_numbers(horn_element *at, horn_element by, int order) {
  horn_element old = *at;
  *at = old - by;
  return old;
}
horn_element __atomic_sub_fetch_numbers(horn_element *at, horn_element by, int order) {
  __atomic_fetch_sub_numbers(at, by, order);
  return *at;
}
horn_element __sync_fetch_and_sub_numbers(horn_element *at, horn_element by) {
  return __atomic_fetch_sub_numbers(at, by, 0);
}
horn_element __sync_sub_and_fetch_numbers(horn_element *at, horn_element by) {
  return __atomic_sub_fetch_numbers(at, by, 0);
}

horn_element __atomic_fetch_or_numbers(horn_element *at, horn_element by, int order) {
  horn_element old = *at;
  *at = old | by;
  return old;
}
horn_element __atomic_or_fetch_numbers(horn_element *at, horn_element by, int order) {
  __atomic_fetch_or_numbers(at, by, order);
  return *at;
}
horn_element __sync_fetch_and_or_numbers(horn_element *at, horn_element by) {
  return __atomic_fetch_or_numbers(at, by, 0);
}
horn_element __sync_or_and_fetch_numbers(horn_element *at, horn_element by) {
  return __atomic_or_fetch_numbers(at, by, 0);
}

horn_element __atomic_fetch_xor_numbers(horn_element *at, horn_element by, int order) {
  horn_element old = *at;
  *at = old ^ by;
  return old;
}
horn_element __atomic_xor_fetch_numbers(horn_element *at, horn_element by, int order) {
  __atomic_fetch_xor_numbers(at, by, order);
  return *at;
}
horn_element __sync_fetch_and_xor_numbers(horn_element *at, horn_element by) {
  return __atomic_fetch_xor_numbers(at, by, 0);
}
horn_element __sync_xor_and_fetch_numbers(horn_element *at, horn_element by) {
  return __atomic_xor_fetch_numbers(at, by, 0);
}

horn_element __atomic_fetch_and_numbers(horn_element *at, horn_element by, int order) {
  horn_element old = *at;
  *at = old & by;
  return old;
}
horn_element __atomic_and_fetch_numbers(horn_element *at, horn_element by, int order) {
  __atomic_fetch_and_numbers(at, by, order);
  return *at;
}
horn_element __sync_fetch_and_and_numbers(horn_element *at, horn_element by) {
  return __atomic_fetch_and_numbers(at, by, 0);
}
horn_element __sync_and_and_fetch_numbers(horn_element *at, horn_element by) {
  return __atomic_and_fetch_numbers(at, by, 0);
}

horn_element __atomic_fetch_nand_numbers(horn_element *at, horn_element by, int order) {
  horn_element old = *at;
  *at = ~(old & by);
  return old;
}
horn_element __atomic_nand_fetch_numbers(horn_element *at, horn_element by, int order) {
  __atomic_fetch_nand_numbers(at, by, order);
  return *at;
}
horn_element __sync_fetch_and_nand_numbers(horn_element *at, horn_element by) {
  return __atomic_fetch_nand_numbers(at, by, 0);
}
horn_element __sync_nand_and_fetch_numbers(horn_element *at, horn_element by) {
  return __atomic_nand_fetch_numbers(at, by, 0);
}

void __sync_synchronize(void) {}
void __atomic_thread_fence(int order) {}
void __atomic_signal_fence(int order) {}

void __sync_lock_release(horn_element *at) { *at = 0; }

_Bool __sync_bool_compare_and_swap(horn_element *at, horn_element expected, horn_element value) {
  if (*at != expected)
    return 0;
  *at = value;
  return 1;
}

horn_element __sync_val_compare_and_swap(horn_element *at, horn_element expected,
                                         horn_element value) {
  horn_element old = *at;
  if (old == expected)
    *at = value;
  return old;
}

horn_element __atomic_load_n(const horn_element *at, int order) { return *at; }
void __atomic_load(const horn_element *at, horn_element *value, int order) { *value = *at; }
void __atomic_store_n(horn_element *at, horn_element value, int order) { *at = value; }
void __atomic_store(horn_element *at, const horn_element *value, int order) { *at = *value; }

horn_element __atomic_exchange_n(horn_element *at, horn_element value, int order) {
  horn_element old = *at;
  *at = value;
  return old;
}

horn_element __sync_lock_test_and_set(horn_element *at, horn_element value) {
  return __atomic_exchange_n(at, value, 0);
}

void __atomic_exchange(horn_element *at, const horn_element *value, horn_element *old, int order) {
  *old = *at;
  *at = *value;
}

/* A weak exchange may fail without a reason. */
static int horn_exchange_fails(int weak) {
  int fails = 0;
  if (weak)
    horn_any(fails, "whether a weak exchange of an atomic object fails");
  return fails;
}

_Bool __atomic_compare_exchange_n(horn_element *at, horn_element *expected, horn_element value,
                                  int weak, int success, int failure) {
  if (*at == *expected && !horn_exchange_fails(weak)) {
    *at = value;
    return 1;
  }
  *expected = *at;
  return 0;
}

_Bool __atomic_compare_exchange(horn_element *at, horn_element *expected,
                                const horn_element *value, int weak, int success, int failure) {
  if (*at == *expected && !horn_exchange_fails(weak)) {
    *at = *value;
    return 1;
  }
  *expected = *at;
  return 0;
}

/* What the pointer points to is a number, or a structure that begins with one. */
_Bool __atomic_test_and_set(horn_element *at, int order) {
  _Bool *flag = (_Bool *)at;
  _Bool old = *flag;
  *flag = 1;
  return old;
}

void __atomic_clear(horn_element *at, int order) { *(_Bool *)at = 0; }
