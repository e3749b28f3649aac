/* libhorn: constrained Horn clauses, solved with certificates.
 *
 * This file is written by cbindgen from bindings/c/src. `HORN_UPDATE_HEADER=1 cargo test -p horn-c` writes it anew.
 *
 * A HornProblem is a system of clauses. It is built from SMT-LIB text, from terms, or from both, and is asked by
 * horn_check. What a check found is a HornOutcome: a verdict with its certificate, which was checked.
 *
 * - A pointer that a function takes is NULL, or to an object that was not freed, to a text, or to as many elements as the
 *   count says. NULL is an error where something is needed.
 * - A function that can fail and takes a HornProblem answers false, NULL, 0 or HORN_TRUTH_FAILED then, and horn_error says
 *   why. Functions that take a HornOutcome alone set no error.
 * - Strings are UTF-8 and end with a zero byte. Strings that functions answer belong to the object that was asked. They
 *   are valid until it is freed; that of horn_error is valid until the next call that fails on the same problem.
 * - Functions may be called from any thread. A call waits while another thread is in a check of the same problem;
 *   horn_stop_raise does not. An object is freed by one thread, while no other uses it.
 * - No function ends the program. A fault of the library is an error like any other.
 */

#ifndef HORN_H
#define HORN_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// The number that stands for none: no fact, no premise, no clause.
#define HORN_NONE SIZE_MAX

// A verdict.
typedef enum {
  // The system was not decided.
  HORN_VERDICT_UNKNOWN = 0,
  // There is a model.
  HORN_VERDICT_SAT = 1,
  // There is a refutation.
  HORN_VERDICT_UNSAT = 2,
} HornVerdict;

// What the interpretation of a predicate says at a place.
typedef enum {
  // The call failed: `horn_error` says why.
  HORN_TRUTH_FAILED = -1,
  // It does not hold there.
  HORN_TRUTH_FALSE = 0,
  // It holds there.
  HORN_TRUTH_TRUE = 1,
} HornTruth;

// The format of a refutation.
typedef enum {
  // Text for people: two lines for each fact.
  HORN_FORMAT_TEXT = 0,
  // One JSON object.
  HORN_FORMAT_JSON = 1,
  // One s-expression, as Z3 prints it.
  HORN_FORMAT_SMTLIB = 2,
  // A graph in the language of Graphviz.
  HORN_FORMAT_DOT = 3,
  // A proof in the format Alethe, where arithmetic is linear.
  HORN_FORMAT_ALETHE = 4,
} HornFormat;

// What a check has found. It stays as it is when the problem changes or ends.
typedef struct HornOutcome HornOutcome;

// A system of clauses, and the settings of its checks.
typedef struct HornProblem HornProblem;

// Ends the checks that it was given to. Any thread may raise it.
typedef struct HornStop HornStop;

// A term of a problem; 0 is none.
typedef uint32_t HornTerm;

// How far a check is.
typedef struct {
  // The engine that works.
  const char *engine;
  // The height of derivations that it examines.
  uint32_t depth;
  // The number of lemmas that it holds.
  size_t lemmas;
  // The number of its queries to SMT solvers.
  uint64_t queries;
} HornProgress;

// Is called while a check works, by another thread than that of `horn_check`, with the pointer
// that `horn_check` was given. The check ends with `unknown` if it answers false. It must not free
// the problem of the check, and must not wait for a thread that uses this problem or an outcome of
// it. Functions of these that it calls itself fail: a check of the problem is under way.
typedef bool (*HornProgressFunction)(const HornProgress *progress, void *data);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The number of facts of the refutation; 0 if there is none.
size_t horn_facts(const HornOutcome *outcome);

// The position of the clause that derives a fact, from 0.
size_t horn_fact_clause(const HornOutcome *outcome, size_t number);

// The name of the clause that derives a fact, or `clause` with its position.
const char *horn_fact_label(const HornOutcome *outcome, size_t number);

// The line of the clause that derives a fact, in all texts that were read, one after the other; 0
// if the clause was not read from text.
size_t horn_fact_line(const HornOutcome *outcome, size_t number);

// The name of the predicate that a fact is about; NULL for `false`.
const char *horn_fact_predicate(const HornOutcome *outcome, size_t number);

// The number of arguments of a fact.
size_t horn_fact_arguments(const HornOutcome *outcome, size_t number);

// An argument of a fact: its value in SMT-LIB.
const char *horn_fact_argument(const HornOutcome *outcome, size_t number, size_t index);

// The number of premises of a fact.
size_t horn_fact_premises(const HornOutcome *outcome, size_t number);

// A premise of a fact: the number of the fact that derives the body's atom of that index.
size_t horn_fact_premise(const HornOutcome *outcome, size_t number, size_t index);

// The number of variables of the clause that derives a fact.
size_t horn_fact_variables(const HornOutcome *outcome, size_t number);

// The name of a variable of the clause that derives a fact.
const char *horn_fact_variable(const HornOutcome *outcome, size_t number, size_t index);

// The value in SMT-LIB of a variable of the clause that derives a fact.
const char *horn_fact_value(const HornOutcome *outcome, size_t number, size_t index);

// Ends an outcome.
void horn_outcome_free(HornOutcome *outcome);

// The verdict.
HornVerdict horn_verdict(const HornOutcome *outcome);

// Why there is no verdict; NULL if there is one.
const char *horn_reason(const HornOutcome *outcome);

// The measurements of the check, as one JSON object.
const char *horn_stats(const HornOutcome *outcome);

// The model as text: one `define-fun` for each predicate. NULL if the verdict is another one.
const char *horn_model(const HornOutcome *outcome);

// Does the model's interpretation of a predicate hold of these terms, which have no variables? The
// terms and the error are the problem's, which must be that of the outcome.
HornTruth horn_holds(const HornProblem *problem,
                     const HornOutcome *outcome,
                     const char *predicate,
                     const HornTerm *args,
                     size_t count);

// The refutation as text. The format is one of `HornFormat`. NULL if the verdict is another one,
// if the format cannot express the refutation, or in a progress function.
const char *horn_refutation(const HornOutcome *outcome, uint32_t format);

// A problem without declarations and clauses.
HornProblem *horn_problem_new(void);

// Ends a problem. Its outcomes stay.
void horn_problem_free(HornProblem *problem);

// Why the last call on this problem failed that failed; NULL if none did. An error in a text has
// the form `name:line:column: error: message`.
const char *horn_error(const HornProblem *problem);

// The line of the last error, from 1; 0 if the error is in no text.
uint32_t horn_error_line(const HornProblem *problem);

// The column of the last error in characters, from 1; 0 if the error is in no text.
uint32_t horn_error_column(const HornProblem *problem);

// Sets an option of all checks to come: `timeout` (seconds, 0 for no limit), `ticks`, `memory`
// (bytes), `engine`, `jobs`, `solver` (`native` for the embedded core alone), or an option of an
// engine, such as `bmc.max-depth`.
bool horn_set(const HornProblem *problem, const char *name, const char *value);

// Reads a text in SMT-LIB or in Z3's rule dialect: declarations, clauses and scopes. `name` is for
// messages, and may be NULL. What stands before an error has taken effect.
bool horn_read(const HornProblem *problem, const char *name, const char *input);

// Declares a predicate. The sorts are texts, such as `Int` or `(Array Int (_ BitVec 8))`.
bool horn_predicate(const HornProblem *problem, const char *name, const char *const *sorts, size_t count);

// A variable, which is universally quantified over each clause that it occurs in.
HornTerm horn_variable(const HornProblem *problem, const char *name, const char *sort);

// The term that a text in SMT-LIB stands for, over what is declared.
HornTerm horn_term(const HornProblem *problem, const char *input);

// A function applied to arguments: the name of a predicate, or a function as SMT-LIB writes it,
// such as `+`, `select` or `(_ extract 7 0)`.
HornTerm horn_apply(const HornProblem *problem, const char *function, const HornTerm *args, size_t count);

// Adds the clauses of a formula, whose free variables are universal. `name` may be NULL.
bool horn_add(const HornProblem *problem, HornTerm formula, const char *name);

// Adds a clause: its head follows from the conjunction of its body. The head 0 is `false`: then
// the clause is a query. `name` may be NULL.
bool horn_add_clause(const HornProblem *problem, HornTerm head, const HornTerm *body, size_t count, const char *name);

// Opens a scope: what is declared and added in it is forgotten with `horn_pop`.
bool horn_push(const HornProblem *problem);

// Closes the innermost scope.
bool horn_pop(const HornProblem *problem);

// Decides the system as it is now; NULL if the settings cannot be followed, or if the thread of
// the check cannot be started. `stop`, which may be NULL, ends the check when it is raised.
// `progress`, which may be NULL, is called with `data`. What a check proves is where the next one
// begins.
HornOutcome *horn_check(const HornProblem *problem, const HornStop *stop, HornProgressFunction progress, void *data);

// The lemmas that checks have proved, as a text in SMT-LIB for `horn_use_lemmas`. The caller frees
// the text with `horn_text_free`.
char *horn_lemmas(const HornProblem *problem);

// Replaces what is known by the lemmas of another problem or run. They need not hold.
bool horn_use_lemmas(const HornProblem *problem, const char *lemmas);

// Frees a text of `horn_lemmas`.
void horn_text_free(char *text);

// A stop that is not raised.
HornStop *horn_stop_new(void);

// Ends the checks that have this stop, for good, with the verdict `unknown`.
void horn_stop_raise(const HornStop *stop);

// Ends a stop. Checks under way are not ended.
void horn_stop_free(HornStop *stop);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* HORN_H */
