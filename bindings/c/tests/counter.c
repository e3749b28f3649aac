/* What a user of libhorn writes: builds, asks, looks at certificates, cancels. Prints nothing; a check that fails ends
 * the program with its line. */
#include "horn.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHECK(condition)                                                     \
    do {                                                                     \
        if (!(condition)) {                                                  \
            const char *why = horn_error(problem);                           \
            fprintf(stderr, "line %d: %s (%s)\n", __LINE__, #condition, why ? why : "no error"); \
            exit(1);                                                         \
        }                                                                    \
    } while (0)

static HornProblem *problem;

/* A counter that begins at 0 and is incremented by 2. */
static void build(void) {
    const char *sorts[] = {"Int"};
    CHECK(horn_set(problem, "timeout", "60") && horn_set(problem, "solver", "native"));
    CHECK(horn_predicate(problem, "count", sorts, 1));
    HornTerm x = horn_variable(problem, "x", "Int");
    HornTerm zero = horn_term(problem, "0"), two = horn_term(problem, "2");
    CHECK(x && zero && two);
    HornTerm sum[] = {x, two};
    HornTerm next = horn_apply(problem, "+", sum, 2);
    HornTerm start = horn_apply(problem, "count", &zero, 1), at_x = horn_apply(problem, "count", &x, 1);
    HornTerm at_next = horn_apply(problem, "count", &next, 1);
    CHECK(next && start && at_x && at_next);
    CHECK(horn_add_clause(problem, start, NULL, 0, "start"));
    CHECK(horn_add_clause(problem, at_next, &at_x, 1, "step"));
}

static bool hear(const HornProgress *progress, void *data) {
    CHECK(progress->engine != NULL);
    ++*(int *)data;
    return true;
}

static void models(void) {
    CHECK(horn_push(problem));
    CHECK(horn_read(problem, NULL, "(assert (forall ((y Int)) (=> (and (count y) (= y 7)) false)))"));
    int calls = 0;
    HornOutcome *outcome = horn_check(problem, NULL, hear, &calls);
    CHECK(outcome && horn_verdict(outcome) == HORN_VERDICT_SAT);
    CHECK(strstr(horn_model(outcome), "(define-fun count ((x Int)) Bool"));
    CHECK(horn_reason(outcome) == NULL && horn_refutation(outcome, HORN_FORMAT_TEXT) == NULL);
    CHECK(horn_facts(outcome) == 0 && horn_fact_clause(outcome, 0) == HORN_NONE);
    CHECK(strstr(horn_stats(outcome), "\"verdict\":\"sat\""));
    HornTerm six = horn_term(problem, "6"), seven = horn_term(problem, "7"), yes = horn_term(problem, "true");
    CHECK(horn_holds(problem, outcome, "count", &six, 1) == HORN_TRUTH_TRUE);
    CHECK(horn_holds(problem, outcome, "count", &seven, 1) == HORN_TRUTH_FALSE);
    CHECK(horn_holds(problem, outcome, "count", &yes, 1) == HORN_TRUTH_FAILED);
    CHECK(strstr(horn_error(problem), "Bool"));
    CHECK(horn_holds(problem, outcome, "other", &six, 1) == HORN_TRUTH_FAILED);
    char *lemmas = horn_lemmas(problem);
    CHECK(strstr(lemmas, "count") && horn_use_lemmas(problem, lemmas) && !horn_use_lemmas(problem, "("));
    horn_text_free(lemmas);
    horn_outcome_free(outcome);
    CHECK(horn_pop(problem) && !horn_pop(problem));
}

static HornOutcome *refutations(void) {
    CHECK(horn_read(problem, "six", "(assert (! (not (count 6)) :named six))"));
    HornOutcome *outcome = horn_check(problem, NULL, NULL, NULL);
    CHECK(outcome && horn_verdict(outcome) == HORN_VERDICT_UNSAT && horn_model(outcome) == NULL);
    size_t facts = horn_facts(outcome);
    CHECK(facts == 5);
    for (size_t fact = 0; fact + 1 < facts; fact++) {
        char value[8];
        snprintf(value, sizeof value, "%zu", 2 * fact);
        CHECK(!strcmp(horn_fact_predicate(outcome, fact), "count"));
        CHECK(!strcmp(horn_fact_label(outcome, fact), fact ? "step" : "start"));
        CHECK(horn_fact_arguments(outcome, fact) == 1 && !strcmp(horn_fact_argument(outcome, fact, 0), value));
        CHECK(horn_fact_premises(outcome, fact) == (fact ? 1 : 0));
        CHECK(horn_fact_premise(outcome, fact, 0) == (fact ? fact - 1 : HORN_NONE));
        CHECK(horn_fact_variables(outcome, fact) == (fact ? 1 : 0) && horn_fact_line(outcome, fact) == 0);
    }
    CHECK(!strcmp(horn_fact_variable(outcome, 3, 0), "x") && !strcmp(horn_fact_value(outcome, 3, 0), "4"));
    CHECK(horn_fact_predicate(outcome, facts - 1) == NULL && horn_fact_line(outcome, facts - 1) == 1);
    CHECK(horn_fact_argument(outcome, 0, 9) == NULL && horn_fact_clause(outcome, 4) == 2);
    CHECK(strstr(horn_refutation(outcome, HORN_FORMAT_TEXT), "(count 6)"));
    CHECK(horn_refutation(outcome, HORN_FORMAT_JSON)[0] == '{' && horn_refutation(outcome, 99) == NULL);
    CHECK(strstr(horn_refutation(outcome, HORN_FORMAT_DOT), "digraph"));
    CHECK(strstr(horn_refutation(outcome, HORN_FORMAT_ALETHE), ":rule resolution"));
    return outcome;
}

static void errors(void) {
    CHECK(!horn_read(problem, "file", "(declare-fun q (Int) Bool)\n(assert (q true))"));
    CHECK(!strncmp(horn_error(problem), "file:2:12: error:", 17));
    CHECK(horn_error_line(problem) == 2 && horn_error_column(problem) == 12);
    CHECK(horn_term(problem, "(+ 1") == 0 && horn_error_line(problem) == 1);
    CHECK(horn_apply(problem, "+", NULL, 2) == 0 && horn_error_line(problem) == 0);
    HornTerm wrong = 1000000;
    CHECK(horn_apply(problem, "+", &wrong, 1) == 0 && !horn_add(problem, 0, NULL));
    CHECK(!horn_set(problem, "timeout", "soon") && !horn_set(problem, NULL, "1") && !horn_set(problem, "x", "\xff"));
    CHECK(horn_check(NULL, NULL, NULL, NULL) == NULL && horn_error(NULL) == NULL);
}

static void *raise_soon(void *stop) {
    usleep(200000);
    horn_stop_raise(stop);
    return NULL;
}

/* What a progress function asks of its own problem fails. */
static bool ask(const HornProgress *progress, void *data) {
    (void)progress;
    CHECK(!horn_push(problem) && !strcmp(horn_error(problem), "a check of this problem is under way"));
    CHECK(horn_term(problem, "1") == 0 && horn_check(problem, NULL, NULL, NULL) == NULL);
    ++*(int *)data;
    return false;
}

static bool give_up(const HornProgress *progress, void *data) {
    (void)progress, (void)data;
    return false;
}

static void cancellation(void) {
    HornProblem *counter = problem;
    problem = horn_problem_new();
    CHECK(horn_set(problem, "timeout", "60") && horn_set(problem, "solver", "native"));
    CHECK(horn_read(problem, "hard",
        "(declare-fun p (Int Int) Bool) (assert (forall ((x Int)) (p x 0)))"
        "(assert (forall ((x Int) (y Int)) (=> (p x y) (p (* x x) (+ y 1)))))"
        "(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= (+ (* x x x) 1) (* y y y y y)) (> y 3)) false)))"));
    HornStop *stop = horn_stop_new();
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, raise_soon, stop) == 0);
    HornOutcome *outcome = horn_check(problem, stop, NULL, NULL);
    CHECK(outcome && horn_verdict(outcome) == HORN_VERDICT_UNKNOWN);
    CHECK(!strcmp(horn_reason(outcome), "interrupted"));
    pthread_join(thread, NULL);
    horn_stop_free(stop);
    horn_outcome_free(outcome);
    /* The progress function ends a check, too, and no other one with the same stop. */
    int calls = 0;
    stop = horn_stop_new();
    outcome = horn_check(problem, stop, ask, &calls);
    CHECK(outcome && !strcmp(horn_reason(outcome), "interrupted") && calls > 0);
    horn_outcome_free(outcome);
    HornProblem *hard = problem;
    problem = counter;
    outcome = horn_check(problem, stop, NULL, NULL);
    CHECK(outcome && horn_verdict(outcome) == HORN_VERDICT_UNSAT);
    horn_outcome_free(outcome);
    horn_stop_free(stop);
    /* A problem ends before its outcome. */
    outcome = horn_check(hard, NULL, give_up, NULL);
    horn_problem_free(hard);
    CHECK(outcome && !strcmp(horn_reason(outcome), "interrupted"));
    horn_outcome_free(outcome);
}

int main(void) {
    problem = horn_problem_new();
    CHECK(horn_error(problem) == NULL);
    build();
    models();
    HornOutcome *outcome = refutations();
    errors();
    cancellation();
    horn_problem_free(problem);
    problem = NULL;
    CHECK(strstr(horn_refutation(outcome, HORN_FORMAT_SMTLIB), "hyper-res"));
    horn_outcome_free(outcome);
    return 0;
}
