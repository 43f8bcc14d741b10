/* Times every query of the C interface, call by call, and counts what is wrong with the answers.
 *
 *     cargo build --release -p superovoid-capi
 *     cc -std=c99 -O2 -I include -o target/call_times ffi-tests/call_times.c \
 *         target/release/libsuperovoid.a -lm -lpthread -ldl
 *     target/call_times --set untapered,convex,battery --csv target/call_times.csv
 *
 * With the shared library instead of the static one: target/release/libsuperovoid.so
 * -Wl,-rpath,$PWD/target/release. With FCL 0.7 (libfcl-dev) beside it, on the same pairs:
 *
 *     c++ -O2 -c -I /usr/include/eigen3 -o target/call_times_fcl.o ffi-tests/call_times_fcl.cpp
 *     cc -std=c99 -O2 -DSOVO_WITH_FCL -I include -c -o target/call_times.o ffi-tests/call_times.c
 *     c++ -o target/call_times target/call_times.o target/call_times_fcl.o \
 *         target/release/libsuperovoid.a -lfcl -lccd -lm -lpthread -ldl
 *
 * What is timed: one call with everything prepared: shapes made, poses set. Cold: without a cache. Warm:
 * with the cache of a query before B moved by 0.1 % or 1 % of the larger semi-axis in a random direction
 * and turned by 0.001 or 0.01 radians; every pass repeats that same step. Batch: sovo_pair_contact_batch on all
 * pairs at once, time by pair, on one thread and on all. How times are taken: call_times/timing.h.
 *
 * Pairs that are apart and pairs that overlap are reported apart, by the certified distance of where they
 * are at first (a warm step may make a few of them touch or part). A second table has the other queries of
 * one body: call_times/shapes.h. What is counted:
 *
 *   error   the call returned an error
 *   n.c.    not converged: SOVO_OUTCOME_NOT_CONVERGED
 *   open    converged, but the bracket is wider than the tolerance (all fast depths are: see the header)
 *   wrong   refuted by the check in call_times/check.h, or by the certified bracket
 *   n.l.    not the least depth: more than 1e-6 of the larger semi-axis deeper than the certified one
 *   missed  an overlap reported as apart
 *
 * and the error of the distance against the certified one. Exit status: 0, 1 if an answer of the exact method
 * is wrong or an error, 2 if the question is.
 *
 * The clock is POSIX's; everything else is C99.
 */
#define _POSIX_C_SOURCE 200809L

#include "superovoid.h"

#include <unistd.h>

#include "call_times/check.h"
#include "call_times/pairs.h"
#include "call_times/report.h"
#include "call_times/timing.h"
#ifdef SOVO_WITH_FCL
#include "call_times/fcl.h"
#endif

static const char HELP[] =
    "Usage: call_times [OPTION]...\n"
    "Times every query of superovoid's C interface and checks its answers.\n"
    "\n"
    "  --set NAMES        sets of pairs to make, separated by commas [default: untapered]\n"
    "  --count N          pairs of each set [2000]\n"
    "  --seed N           seed of the pairs [1]\n"
    "  --pairs FILE.csv   the pairs of a file instead; columns as for `superovoid pairs`\n"
    "  --repeat N         passes that are timed [5]\n"
    "  --csv FILE.csv     write the rows there as well\n"
    "  --contacts FILE    write the exact, cold answers there, as `superovoid pairs` does\n"
    "  --write-pairs FILE write the pairs of the (only) set there, and end\n"
    "  --help             this text\n"
    "\n"
    "Sets:\n";

typedef struct {
  const char *pairs_path, *sets, *csv_path, *contacts_path, *write_path;
  size_t count;
  uint64_t seed;
  int repeats;
} arguments;

/* Whether an answer of the exact method was wrong or an error. */
static int failed;

/* ---- pairs ------------------------------------------------------------------------------------- */

enum { EXACT = -1 };

typedef struct {
  const char *name;
  int scheme; /* a sovo_scheme, or EXACT */
  sovo_depth depth;
  /* Of the larger semi-axis. */
  double tolerance;
} method;

static const method METHODS[] = {
    {"exact", EXACT, SOVO_DEPTH_FAST, 1e-9},
    {"exact certified depth", EXACT, SOVO_DEPTH_CERTIFIED, 1e-6},
    {"oct-implicit", SOVO_SCHEME_OCT_IMPLICIT, SOVO_DEPTH_FAST, 1e-6},
    {"quad-implicit", SOVO_SCHEME_QUAD_IMPLICIT, SOVO_DEPTH_FAST, 1e-6},
    {"quad-parametric", SOVO_SCHEME_QUAD_PARAMETRIC, SOVO_DEPTH_FAST, 1e-6},
    {"ntb-parametric", SOVO_SCHEME_NTB_PARAMETRIC, SOVO_DEPTH_FAST, 1e-6},
};
enum { METHOD_COUNT = sizeof METHODS / sizeof METHODS[0] };

/* Pairs of one kind, apart or overlapping, where they are asked for, and their certified answers. */
typedef struct {
  const pair *pairs;
  const sovo_contact *references;
  size_t count;
  int overlapping;
} scene;

static sovo_query_options options_of(const method *m) {
  sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
  options.depth = (uint32_t)m->depth;
  return options;
}

/* B a step further: moved by step times the size, turned by step radians. */
static pair moved(const pair *p, double step) {
  pair next = *p;
  random_source source;
  double direction[3], axis[3], turn[4], s = sin(step / 2);
  const double *q = p->poses[1].rotation;
  double *r = next.poses[1].rotation, length;
  int i;
  source.state = 0x5eed + p->row;
  random_direction(&source, direction);
  random_direction(&source, axis);
  for (i = 0; i < 3; i++) next.poses[1].translation[i] += step * p->size * direction[i];
  for (i = 0; i < 3; i++) turn[i] = s * axis[i];
  turn[3] = cos(step / 2);
  r[0] = turn[3] * q[0] + turn[0] * q[3] + turn[1] * q[2] - turn[2] * q[1];
  r[1] = turn[3] * q[1] + turn[1] * q[3] + turn[2] * q[0] - turn[0] * q[2];
  r[2] = turn[3] * q[2] + turn[2] * q[3] + turn[0] * q[1] - turn[1] * q[0];
  r[3] = turn[3] * q[3] - turn[0] * q[0] - turn[1] * q[1] - turn[2] * q[2];
  length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
  for (i = 0; i < 4; i++) r[i] /= length;
  return next;
}

/* The answer with a certified depth, and checked. */
static sovo_contact reference_of(const pair *p) {
  sovo_query_options options = options_of(&METHODS[1]);
  sovo_contact c;
  double slack = 1e-6 * p->size;
  if (sovo_pair_contact(&p->shapes[0], &p->poses[0], &p->shapes[1], &p->poses[1], &options, NULL,
                        &c) != SOVO_STATUS_OK)
    fail("pair %lu: %s", (unsigned long)p->row + 1, sovo_last_error());
  if (c.outcome != SOVO_OUTCOME_NOT_CONVERGED &&
      !pair_is_right(p, &c, c.distance > 0 ? 1e-3 * slack : slack)) {
    printf("pair %lu: the certified answer is wrong\n", (unsigned long)p->row + 1);
    failed = 1;
  }
  if (p->convex && !is_tapered(&p->bodies[0]) && !is_tapered(&p->bodies[1]) &&
      largest_gap(p) > c.upper + slack) {
    printf("pair %lu: a direction refutes the certified bracket\n", (unsigned long)p->row + 1);
    failed = 1;
  }
  return c;
}

/* What calls of one kind need, and what they leave. */
typedef struct {
  const scene *scene;
  int scheme;
  sovo_query_options options;
  /* Where the caches start from, and those in use; NULL: cold. */
  const sovo_pair_cache *prepared;
  sovo_pair_cache *caches;
  uint32_t threads;
  sovo_contact *contacts;
  sovo_status *statuses;
} pair_calls;

static sovo_status ask(const pair *p, int scheme, const sovo_query_options *options, sovo_pair_cache *cache,
                       sovo_contact *contact) {
  if (scheme == EXACT)
    return sovo_pair_contact(&p->shapes[0], &p->poses[0], &p->shapes[1], &p->poses[1], options, cache, contact);
  return sovo_published_scheme_contact((uint32_t)scheme, SOVO_JACOBIAN_ANALYTIC, &p->shapes[0], &p->poses[0],
                                       &p->shapes[1], &p->poses[1], options, cache, contact);
}

static void prepare_caches(void *context) {
  pair_calls *calls = context;
  if (calls->caches != NULL)
    memcpy(calls->caches, calls->prepared, calls->scene->count * sizeof *calls->caches);
}

static void ask_pair(void *context, size_t k) {
  pair_calls *calls = context;
  const pair *p = &calls->scene->pairs[k];
  sovo_pair_cache *cache = calls->caches == NULL ? NULL : &calls->caches[k];
  calls->statuses[k] = ask(p, calls->scheme, &calls->options, cache, &calls->contacts[k]);
}

static void ask_batch(void *context, size_t ignored) {
  pair_calls *calls = context;
  const pair *first = calls->scene->pairs;
  sovo_pair_batch batch = SOVO_PAIR_BATCH_INIT;
  sovo_status status;
  size_t k;
  (void)ignored;
  batch.count = calls->scene->count;
  batch.shapes_a = &first->shapes[0];
  batch.poses_a = &first->poses[0];
  batch.shapes_b = &first->shapes[1];
  batch.poses_b = &first->poses[1];
  batch.shape_a_stride = batch.pose_a_stride = sizeof(pair);
  batch.shape_b_stride = batch.pose_b_stride = sizeof(pair);
  batch.contacts = calls->contacts;
  batch.threads = calls->threads;
  status = sovo_pair_contact_batch(&batch, &calls->options);
  for (k = 0; k < batch.count; k++) calls->statuses[k] = status;
}

/* Counts what is wrong with the answer of a pair. */
static void judge_pair(const pair *p, const sovo_contact *reference, sovo_status status,
                       const sovo_contact *c, double relative, verdict *v) {
  double tolerance = relative * p->size, error = fabs(c->distance - reference->distance);
  if (status != SOVO_STATUS_OK) {
    v->errors++;
    return;
  }
  if (c->distance > 0 && reference->upper < 0) v->missed++;
  if (c->lower > reference->upper + tolerance || c->upper < reference->lower - tolerance) {
    v->wrong++;
    return;
  }
  if (c->outcome == SOVO_OUTCOME_NOT_CONVERGED) {
    v->not_converged++;
    return;
  }
  if (c->upper - c->lower > 1.01 * tolerance + rounding(p->poses[1].translation)) v->open++;
  if (!pair_is_right(p, c, tolerance)) v->wrong++;
  if (reference->outcome != SOVO_OUTCOME_CERTIFIED) return;
  if (c->distance < reference->distance - 1e-6 * p->size - tolerance) v->not_least++;
  v->compared++;
  v->error_sum += error;
  v->error_max = fmax(v->error_max, error);
}

static void report_pairs(row *r, const work *w, const pair_calls *calls, const method *m,
                         int repeats) {
  const scene *s = calls->scene;
  size_t k;
  verdict v = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  r->count = s->count;
  r->times = time_calls(w, repeats);
  for (k = 0; k < s->count; k++)
    judge_pair(&s->pairs[k], &s->references[k], calls->statuses[k], &calls->contacts[k],
               m->tolerance, &v);
  r->verdict = v;
  if (m->scheme == EXACT && (v.wrong > 0 || v.errors > 0)) failed = 1;
  print_row(r);
}

/* Every method on the pairs of a scene, in one state. before: the same pairs a step earlier, NULL for cold
 * queries. */
static void time_state(row *r, const scene *s, const pair *before, int repeats) {
  pair_calls calls;
  work single = {ask_pair, prepare_caches, NULL, 0, 1}, batch = {ask_batch, NULL, NULL, 1, 1};
  sovo_pair_cache *prepared = allocate(s->count, sizeof *prepared);
  sovo_pair_cache *caches = allocate(s->count, sizeof *caches);
  const char *state = r->state;
  size_t k;
  int i;
  calls.scene = s;
  calls.contacts = allocate(s->count, sizeof *calls.contacts);
  calls.statuses = allocate(s->count, sizeof *calls.statuses);
  calls.prepared = before == NULL ? NULL : prepared;
  calls.caches = before == NULL ? NULL : caches;
  single.context = batch.context = &calls;
  single.count = s->count;
  batch.calls = (double)s->count;
  for (i = 0; i < METHOD_COUNT; i++) {
    const method *m = &METHODS[i];
    if (m->depth == SOVO_DEPTH_CERTIFIED && !s->overlapping) continue;
    r->method = m->name;
    r->state = state;
    calls.options = options_of(m);
    calls.scheme = m->scheme;
    for (k = 0; before != NULL && k < s->count; k++) {
      const pair *p = &before[k];
      sovo_contact unused;
      memset(&prepared[k], 0, sizeof prepared[k]);
      if (ask(p, m->scheme, &calls.options, &prepared[k], &unused) != SOVO_STATUS_OK)
        fail("%s", sovo_last_error());
    }
    report_pairs(r, &single, &calls, m, repeats);
    if (before != NULL || m->scheme != EXACT) continue;
    r->state = "batch";
    calls.threads = 1;
    report_pairs(r, &batch, &calls, m, repeats);
    r->state = "batch all";
    calls.threads = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    report_pairs(r, &batch, &calls, m, repeats);
  }
  r->state = state;
  free(prepared);
  free(caches);
  free(calls.contacts);
  free(calls.statuses);
}

#ifdef SOVO_WITH_FCL
/* ---- FCL --------------------------------------------------------------------------------------- */

typedef struct {
  const scene *scene;
  fcl_body *(*bodies)[2];
  int independent_solver, is_signed;
  double *distances;
  int *done;
} fcl_calls;

static void ask_fcl(void *context, size_t k) {
  fcl_calls *calls = context;
  calls->done[k] = fcl_distance(calls->bodies[k][0], calls->bodies[k][1],
                                calls->independent_solver, calls->is_signed, &calls->distances[k]);
}

/* Errors of FCL's distances where it promises one: apart, or signed. There is nothing to check them by but
 * the certified distance. */
static void report_fcl(row *r, fcl_calls *calls, int repeats) {
  const scene *s = calls->scene;
  work w = {ask_fcl, NULL, NULL, 0, 1};
  verdict v = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  size_t k;
  w.context = calls;
  w.count = r->count = s->count;
  r->times = time_calls(&w, repeats);
  for (k = 0; k < s->count; k++) {
    const sovo_contact *reference = &s->references[k];
    double error = fabs(calls->distances[k] - reference->distance);
    if (!calls->done[k] || !isfinite(calls->distances[k])) {
      v.errors++;
      continue;
    }
    if (reference->upper < 0 && calls->distances[k] > 0) v.missed++;
    if (s->overlapping && !calls->is_signed) continue;
    v.compared++;
    v.error_sum += error;
    v.error_max = fmax(v.error_max, error);
  }
  r->verdict = v;
  print_row(r);
}

/* The mesh of a body whose number of vertices is nearest 290. */
static fcl_body *mesh_of(const sovo_superovoid *shape) {
  enum { SEGMENTS = 24 };
  size_t vertex_count, triangle_count;
  double *vertices;
  uint32_t *triangles;
  fcl_body *mesh;
  const sovo_body ovoid = sovo_body_superovoid(shape);
  if (sovo_body_tessellate(&ovoid, SEGMENTS, NULL, 0, NULL, 0, &vertex_count, &triangle_count) != SOVO_STATUS_OK)
    fail("%s", sovo_last_error());
  vertices = allocate(3 * vertex_count, sizeof(double));
  triangles = allocate(3 * triangle_count, sizeof(uint32_t));
  if (sovo_body_tessellate(&ovoid, SEGMENTS, vertices, vertex_count, triangles, triangle_count, &vertex_count,
                           &triangle_count) != SOVO_STATUS_OK)
    fail("%s", sovo_last_error());
  mesh = fcl_new_mesh(vertices, vertex_count, triangles, triangle_count);
  free(vertices);
  free(triangles);
  return mesh;
}

static int is_ellipsoid(const body *b) {
  return b->e[0] == 1 && b->e[1] == 1 && b->t[0] == 0 && b->t[1] == 0;
}

static void make_fcl_bodies(const fcl_calls *calls, int meshes) {
  size_t n;
  int k;
  for (n = 0; n < calls->scene->count; n++) {
    const pair *p = &calls->scene->pairs[n];
    for (k = 0; k < 2; k++) {
      fcl_body **made = &calls->bodies[n][k];
      *made = meshes ? mesh_of(&p->shapes[k]) : fcl_new_ellipsoid(p->bodies[k].a);
      if (*made == NULL) fail("FCL makes no body of pair %lu", (unsigned long)p->row + 1);
      fcl_place(*made, p->poses[k].translation, p->poses[k].rotation);
    }
  }
}

static void free_fcl_bodies(const fcl_calls *calls) {
  size_t n;
  for (n = 0; n < calls->scene->count; n++) {
    fcl_free(calls->bodies[n][0]);
    fcl_free(calls->bodies[n][1]);
  }
}

static void time_fcl(row *r, const scene *s, int repeats) {
  /* GST_INDEP with signed distances ends in an assertion of FCL's as soon as two bodies overlap. */
  static const struct {
    const char *name;
    int independent_solver, is_signed;
  } questions[] = {{"FCL ellipsoid", 0, 0},
                   {"FCL ellipsoid signed", 0, 1},
                   {"FCL ellipsoid GST_INDEP", 1, 0}};
  fcl_calls calls;
  int ellipsoids = 1;
  size_t k;
  calls.scene = s;
  calls.bodies = allocate(s->count, sizeof *calls.bodies);
  calls.distances = allocate(s->count, sizeof(double));
  calls.done = allocate(s->count, sizeof(int));
  for (k = 0; k < s->count; k++)
    ellipsoids &= is_ellipsoid(&s->pairs[k].bodies[0]) && is_ellipsoid(&s->pairs[k].bodies[1]);
  if (ellipsoids) {
    make_fcl_bodies(&calls, 0);
    for (k = 0; k < sizeof questions / sizeof questions[0]; k++) {
      calls.independent_solver = questions[k].independent_solver;
      calls.is_signed = questions[k].is_signed;
      r->method = questions[k].name;
      report_fcl(r, &calls, repeats);
    }
    free_fcl_bodies(&calls);
  }
  make_fcl_bodies(&calls, 1);
  calls.independent_solver = calls.is_signed = 0;
  r->method = "FCL mesh 266 vertices";
  report_fcl(r, &calls, repeats);
  free_fcl_bodies(&calls);
  free(calls.bodies);
  free(calls.distances);
  free(calls.done);
}
#endif

#include "call_times/shapes.h"

/* ---- sets -------------------------------------------------------------------------------------- */

static void write_contacts(const char *path, const pair_list *list) {
  static const char *const outcomes[] = {"none", "certified", "converged", "not_converged",
                                         "beyond"};
  FILE *file = create_file(path);
  size_t n;
  int i;
  fprintf(file, "distance,ax,ay,az,bx,by,bz,nx,ny,nz,lower,upper,iterations,outcome\n");
  for (n = 0; n < list->count; n++) {
    const pair *p = &list->pairs[n];
    sovo_contact c;
    if (sovo_pair_contact(&p->shapes[0], &p->poses[0], &p->shapes[1], &p->poses[1], NULL, NULL,
                          &c) != SOVO_STATUS_OK)
      fail("pair %lu: %s", (unsigned long)n + 1, sovo_last_error());
    fprintf(file, "%.16e", c.distance);
    for (i = 0; i < 3; i++) fprintf(file, ",%.16e", c.point_a[i]);
    for (i = 0; i < 3; i++) fprintf(file, ",%.16e", c.point_b[i]);
    for (i = 0; i < 3; i++) fprintf(file, ",%.16e", c.normal[i]);
    fprintf(file, ",%.16e,%.16e,%lu,%s\n", c.lower, c.upper, (unsigned long)c.iterations,
            outcomes[c.outcome]);
  }
  close_file(path, file);
}

/* Every state and method on the pairs of one kind. */
static void time_kind(row *r, const pair *pairs, size_t count, int overlapping,
                      const arguments *given) {
  static const struct {
    const char *name;
    double step;
  } states[] = {{"cold", 0}, {"warm 0.1 %", 0.001}, {"warm 1 %", 0.01}};
  pair *there = allocate(count, sizeof *there);
  sovo_contact *references = allocate(count, sizeof *references);
  scene s;
  size_t k;
  int i;
  s.pairs = there;
  s.references = references;
  s.count = count;
  s.overlapping = overlapping;
  for (i = 0; i < 3; i++) {
    for (k = 0; k < count; k++) {
      there[k] = states[i].step > 0 ? moved(&pairs[k], states[i].step) : pairs[k];
      references[k] = reference_of(&there[k]);
    }
    r->state = states[i].name;
    time_state(r, &s, states[i].step > 0 ? pairs : NULL, given->repeats);
#ifdef SOVO_WITH_FCL
    if (states[i].step <= 0) time_fcl(r, &s, given->repeats);
#endif
  }
  free(there);
  free(references);
}

static void time_set(const char *name, const char *described, const pair_list *list,
                     const arguments *given) {
  pair *kinds[2];
  size_t counts[2] = {0, 0}, k;
  row r;
  int kind;
  memset(&r, 0, sizeof r);
  r.set = name;
  for (kind = 0; kind < 2; kind++) kinds[kind] = allocate(list->count, sizeof(pair));
  for (k = 0; k < list->count; k++) {
    kind = !(reference_of(&list->pairs[k]).distance > 0);
    kinds[kind][counts[kind]++] = list->pairs[k];
  }
  print_heading(name, described);
  for (kind = 0; kind < 2; kind++) {
    r.pairs = kind == 0 ? "apart" : "overlapping";
    if (counts[kind] > 0) time_kind(&r, kinds[kind], counts[kind], kind, given);
  }
  time_shapes(name, list, given->repeats);
  for (kind = 0; kind < 2; kind++) free(kinds[kind]);
}

/* The set of a name that may be followed by more of them. */
static const set *find_set(const char *name, size_t length) {
  int k;
  for (k = 0; k < SET_COUNT; k++)
    if (strlen(SETS[k].name) == length && strncmp(SETS[k].name, name, length) == 0) return &SETS[k];
  fail("there is no set %.*s; see --help", (int)length, name);
  return NULL;
}

static unsigned long number_of(const char *name, const char *text, unsigned long least) {
  char *end;
  unsigned long value = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end != '\0' || value < least || value > 1000000000)
    fail("%s %s: a whole number from %lu to 1000000000 is expected", name, text, least);
  return value;
}

static arguments read_arguments(int count, char **values) {
  arguments given = {NULL, "untapered", NULL, NULL, NULL, 2000, 1, 5};
  int k;
  for (k = 1; k < count; k++) {
    const char *name = values[k], *value = k + 1 < count ? values[k + 1] : NULL;
    if (strcmp(name, "--help") == 0) {
      printf("%s", HELP);
      for (k = 0; k < SET_COUNT; k++) printf("  %-11s %s\n", SETS[k].name, SETS[k].described);
      exit(0);
    }
    if (value == NULL) fail("%s: unknown, or without its value; see --help", name);
    k++;
    if (strcmp(name, "--set") == 0) {
      given.sets = value;
    } else if (strcmp(name, "--pairs") == 0) {
      given.pairs_path = value;
    } else if (strcmp(name, "--csv") == 0) {
      given.csv_path = value;
    } else if (strcmp(name, "--contacts") == 0) {
      given.contacts_path = value;
    } else if (strcmp(name, "--write-pairs") == 0) {
      given.write_path = value;
    } else if (strcmp(name, "--count") == 0) {
      given.count = number_of(name, value, 1);
    } else if (strcmp(name, "--seed") == 0) {
      given.seed = number_of(name, value, 0);
    } else if (strcmp(name, "--repeat") == 0) {
      given.repeats = (int)number_of(name, value, 1);
    } else {
      fail("%s: there is no such option; see --help", name);
    }
  }
  return given;
}

static void run_set(const char *name, const char *described, pair_list list,
                    const arguments *given) {
  if (list.count == 0) fail("%s: no pairs", name);
  if (given->write_path != NULL) {
    write_pairs(given->write_path, &list);
  } else {
    if (given->contacts_path != NULL) write_contacts(given->contacts_path, &list);
    time_set(name, described, &list, given);
  }
  free(list.pairs);
}

int main(int count, char **values) {
  arguments given = read_arguments(count, values);
  const char *name = given.sets;
  measure_clock();
  if (given.write_path == NULL)
    printf("superovoid %s; nanoseconds a call, %d passes; a reading of the clock takes %.0f ns, "
           "which are subtracted, its steps are %.0f ns\n",
           sovo_version(), given.repeats, clock_overhead, clock_step);
  if (given.csv_path != NULL) open_csv(given.csv_path);
  if (given.pairs_path != NULL) {
    run_set("file", given.pairs_path, read_pairs(given.pairs_path), &given);
  } else {
    for (;;) {
      size_t length = strcspn(name, ",");
      const set *of = find_set(name, length);
      run_set(of->name, of->described, make_pairs(of, given.count, given.seed), &given);
      if (name[length] == '\0') break;
      name += length + 1;
    }
  }
  if (csv != NULL) close_file(given.csv_path, csv);
  return failed;
}
