/* Accounts with transfers: money is neither made nor lost.
   wrong: accounts[from] -= amount; ==> accounts[from] -= amount > 500 ? 500 : amount; */
#include <assert.h>
#include <stdbool.h>

#define ACCOUNTS 3

extern int input(void);
extern bool more(void);

static int accounts[ACCOUNTS];

static bool transfer(int from, int to, int amount) {
  if (from < 0 || from >= ACCOUNTS || to < 0 || to >= ACCOUNTS || from == to) {
    return false;
  }
  if (amount <= 0 || amount > accounts[from]) {
    return false;
  }
  accounts[from] -= amount;
  accounts[to] += amount;
  return true;
}

int main(void) {
  accounts[0] = 1000;
  accounts[1] = 200;
  accounts[2] = 0;
  while (more()) {
    int from = input(), to = input(), amount = input();
    transfer(from, to, amount);
  }
  int sum = 0;
  for (int i = 0; i < ACCOUNTS; i++) {
    assert(accounts[i] >= 0);
    sum += accounts[i];
  }
  assert(sum == 1200);
  return 0;
}
