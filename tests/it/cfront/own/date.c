/* The day of the year of a date, and the next day.
   wrong: return year % 400 == 0; ==> return year % 200 == 0; */
#include <assert.h>
#include <stdbool.h>

extern int input(void);

struct date {
  int year, month, day;
};

static bool is_leap(int year) {
  if (year % 4 != 0) {
    return false;
  }
  if (year % 100 != 0) {
    return true;
  }
  return year % 400 == 0;
}

static int days_in(int year, int month) {
  static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

static bool is_valid(struct date d) {
  return d.year >= 1 && d.year <= 9999 && d.month >= 1 && d.month <= 12 && d.day >= 1
      && d.day <= days_in(d.year, d.month);
}

static struct date next_day(struct date d) {
  if (d.day < days_in(d.year, d.month)) {
    d.day++;
  } else {
    d.day = 1;
    if (d.month < 12) {
      d.month++;
    } else {
      d.month = 1;
      d.year++;
    }
  }
  return d;
}

int main(void) {
  struct date d = {input(), input(), input()};
  if (is_valid(d) && d.year < 9999) {
    struct date n = next_day(d);
    assert(is_valid(n));
    assert(n.year > d.year || n.month > d.month || n.day == d.day + 1);
  }
  assert(is_leap(2000) && is_leap(2024) && !is_leap(1900) && !is_leap(2200));
  return 0;
}
