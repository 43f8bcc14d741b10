/* The pairs: read from a CSV file, made from a seed, written.
 *
 * The file is that of `superovoid pairs`: a header that names 28 columns, in any order, then a row for
 * each pair. Of body A, a_a1 a_a2 a_a3 (semi-axes, metres) a_e1 a_e2 (exponents) a_tx a_ty (tapers)
 * a_qw a_qx a_qy a_qz (unit quaternion) a_px a_py a_pz (position, metres), and the same with b_ of body B.
 */
#ifndef CALL_TIMES_PAIRS_H
#define CALL_TIMES_PAIRS_H

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "superovoid.h"

/* The seven numbers of a body. */
typedef struct {
  double a[3], e[2], t[2];
} body;

/* A question: two bodies where they are. Index 0 is A and 1 is B. */
typedef struct {
  body bodies[2];
  sovo_superovoid shapes[2];
  sovo_pose poses[2];
  /* Both bodies are convex. */
  int convex;
  /* Largest semi-axis of both. */
  double size;
  /* Its row in the file, or its place among those drawn, from 0. */
  size_t row;
} pair;

typedef struct {
  pair *pairs;
  size_t count;
} pair_list;

static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "call_times: ");
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "\n");
  va_end(arguments);
  exit(2);
}

/* Zeroed memory for count elements. */
static void *allocate(size_t count, size_t size) {
  void *memory = calloc(count > 0 ? count : 1, size);
  if (memory == NULL) fail("not enough memory for %lu elements", (unsigned long)count);
  return memory;
}

/* Shapes, convexity and size from the bodies; 0 if they are out of the domain (sovo_last_error() says
 * why). */
static int make_shapes(pair *p) {
  int k, i;
  p->convex = 1;
  p->size = 0;
  for (k = 0; k < 2; k++) {
    const body *b = &p->bodies[k];
    if (sovo_superovoid_make(b->a, b->e, b->t, &p->shapes[k]) != SOVO_STATUS_OK) return 0;
    if (p->shapes[k].convexity != SOVO_CONVEXITY_CONVEX) p->convex = 0;
    for (i = 0; i < 3; i++) p->size = fmax(p->size, b->a[i]);
  }
  return 1;
}

/* ---- random numbers ---------------------------------------------------------------------------- */

/* SplitMix64 (Steele, Lea, Flood 2014). */
typedef struct {
  uint64_t state;
} random_source;

static uint64_t random_bits(random_source *source) {
  uint64_t z = (source->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double random_between(random_source *source, double low, double high) {
  return low + (high - low) * ((double)(random_bits(source) >> 11) * 0x1p-53);
}

static const double TURN = 6.283185307179586;

static void random_direction(random_source *source, double direction[3]) {
  double z = random_between(source, -1, 1), angle = random_between(source, 0, TURN);
  double r = sqrt(1 - z * z);
  direction[0] = r * cos(angle);
  direction[1] = r * sin(angle);
  direction[2] = z;
}

/* Even over all rotations (Shoemake 1992); x, y, z, w. */
static void random_rotation(random_source *source, double q[4]) {
  double u = random_between(source, 0, 1);
  double one = random_between(source, 0, TURN), two = random_between(source, 0, TURN);
  q[0] = sqrt(1 - u) * sin(one);
  q[1] = sqrt(1 - u) * cos(one);
  q[2] = sqrt(u) * sin(two);
  q[3] = sqrt(u) * cos(two);
}

/* ---- sets -------------------------------------------------------------------------------------- */

typedef enum { NO_TAPERS, EQUAL_CONVEX_TAPERS, ANY_TAPERS } taper_kind;

/* A set of pairs: bodies at (0, 0, 0) and (0, centres, 0), turned at random. */
typedef struct {
  const char *name, *described;
  double axes[2], exponents[2], centres;
  taper_kind tapers;
} set;

/* The battery of Goncalves et al. 2017 and its variants. Unequal tapers are never convex for e2 < 1, so
 * the convex set draws one taper for both, and the body again until it is convex. */
static const set SETS[] = {
    {"battery", "a = 1, e in [0.3, 1.1], tapers in [-0.4, 0.4] apart, centres 2.21: the 2017 paper's",
     {1, 1}, {0.3, 1.1}, 2.21, ANY_TAPERS},
    {"untapered", "the battery with t = 0", {1, 1}, {0.3, 1.1}, 2.21, NO_TAPERS},
    {"convex", "the battery with tx = ty, drawn again until convex",
     {1, 1}, {0.3, 1.1}, 2.21, EQUAL_CONVEX_TAPERS},
    {"boxes", "box-like: e in [0.02, 0.2], t = 0", {1, 1}, {0.02, 0.2}, 2.21, NO_TAPERS},
    {"ellipsoids", "e = 1, t = 0, a in [0.5, 1.5]", {0.5, 1.5}, {1, 1}, 2.21, NO_TAPERS},
    {"close", "untapered, centres 1.8", {1, 1}, {0.3, 1.1}, 1.8, NO_TAPERS},
    {"deep", "untapered, centres 1.0", {1, 1}, {0.3, 1.1}, 1.0, NO_TAPERS},
    {"far", "untapered, centres 4", {1, 1}, {0.3, 1.1}, 4, NO_TAPERS},
};
enum { SET_COUNT = sizeof SETS / sizeof SETS[0] };

static void draw_body(random_source *source, const set *of, body *b) {
  int i;
  for (i = 0; i < 3; i++) b->a[i] = random_between(source, of->axes[0], of->axes[1]);
  for (i = 0; i < 2; i++) b->e[i] = random_between(source, of->exponents[0], of->exponents[1]);
  for (i = 0; i < 2; i++) b->t[i] = of->tapers == NO_TAPERS ? 0 : random_between(source, -0.4, 0.4);
  if (of->tapers == EQUAL_CONVEX_TAPERS) b->t[1] = b->t[0];
}

static pair_list make_pairs(const set *of, size_t count, uint64_t seed) {
  random_source source;
  pair_list list;
  size_t n;
  int k;
  source.state = seed;
  list.count = count;
  list.pairs = allocate(count, sizeof(pair));
  for (n = 0; n < count; n++) {
    pair *p = &list.pairs[n];
    do {
      for (k = 0; k < 2; k++) draw_body(&source, of, &p->bodies[k]);
      if (!make_shapes(p)) fail("%s", sovo_last_error());
    } while (of->tapers == EQUAL_CONVEX_TAPERS && !p->convex);
    for (k = 0; k < 2; k++) {
      p->poses[k] = sovo_pose_identity();
      random_rotation(&source, p->poses[k].rotation);
    }
    p->poses[1].translation[1] = of->centres;
    p->row = n;
  }
  return list;
}

/* ---- files ------------------------------------------------------------------------------------- */

enum { BODY_COLUMNS = 14, COLUMNS = 2 * BODY_COLUMNS };
static const char *const BODY_COLUMN_NAMES[BODY_COLUMNS] = {
    "a1", "a2", "a3", "e1", "e2", "tx", "ty", "qw", "qx", "qy", "qz", "px", "py", "pz"};

static void column_name(int column, char name[8]) {
  sprintf(name, "%c_%s", "ab"[column / BODY_COLUMNS], BODY_COLUMN_NAMES[column % BODY_COLUMNS]);
}

static char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t length = 0, room = 0;
  if (file == NULL) fail("%s: %s", path, strerror(errno));
  do {
    room = 2 * room + 65536;
    text = realloc(text, room);
    if (text == NULL) fail("%s: not enough memory", path);
    length += fread(text + length, 1, room - 1 - length, file);
  } while (length == room - 1);
  if (ferror(file)) fail("%s: cannot be read", path);
  fclose(file);
  text[length] = '\0';
  return text;
}

/* The next line of a text, without its end; NULL after the last. */
static char *next_line(char **rest) {
  char *line = *rest, *end;
  if (*line == '\0') return NULL;
  end = line + strcspn(line, "\r\n");
  *rest = end + (end[0] == '\r' && end[1] == '\n' ? 2 : *end != '\0');
  *end = '\0';
  return line;
}

/* The next field of a row, without blanks and quotes around it; NULL after the last. */
static char *next_field(char **rest) {
  char *field = *rest, *end;
  if (field == NULL) return NULL;
  end = field + strcspn(field, ",");
  *rest = *end == ',' ? end + 1 : NULL;
  while (field < end && (isspace((unsigned char)*field) || *field == '"')) field++;
  while (end > field && (isspace((unsigned char)end[-1]) || end[-1] == '"')) end--;
  *end = '\0';
  return field;
}

/* The column of each field of the header. */
static void read_header(const char *path, char *line, int columns[COLUMNS]) {
  int field, column, seen[COLUMNS] = {0};
  char *rest = line, name[8];
  for (field = 0; rest != NULL; field++) {
    const char *text = next_field(&rest);
    for (column = 0; column < COLUMNS; column++) {
      column_name(column, name);
      if (strcmp(text, name) == 0) break;
    }
    if (column == COLUMNS) fail("%s:1: unknown column \"%s\"", path, text);
    if (seen[column]) fail("%s:1: column %s is there twice", path, name);
    seen[column] = 1;
    columns[field] = column;
  }
  for (column = 0; column < COLUMNS; column++) {
    column_name(column, name);
    if (!seen[column]) fail("%s:1: column %s is missing", path, name);
  }
}

static double read_number(const char *path, size_t line, int column, const char *text) {
  char *end, name[8];
  double value = strtod(text, &end);
  column_name(column, name);
  /* strtod also reads 0x10, inf and nan. */
  if (*text == '\0' || *end != '\0' || strspn(text, "+-.0123456789eE") != strlen(text) ||
      !isfinite(value))
    fail("%s:%lu:%s: \"%s\" is not a finite number", path, (unsigned long)line, name, text);
  return value;
}

/* Body, position and rotation from a row. The quaternion is divided by its length, which must be 1 to
 * 1e-5, as `superovoid pairs` does. */
static void set_body(const char *path, size_t line, const double values[BODY_COLUMNS], body *b,
                     sovo_pose *pose) {
  double length = sqrt(values[7] * values[7] + values[8] * values[8] + values[9] * values[9] +
                       values[10] * values[10]);
  int i;
  if (!(fabs(length - 1) <= 1e-5))
    fail("%s:%lu: a quaternion of length %g; expected 1", path, (unsigned long)line, length);
  for (i = 0; i < 3; i++) b->a[i] = values[i];
  for (i = 0; i < 2; i++) b->e[i] = values[3 + i];
  for (i = 0; i < 2; i++) b->t[i] = values[5 + i];
  pose->rotation[3] = values[7] / length;
  for (i = 0; i < 3; i++) pose->rotation[i] = values[8 + i] / length;
  for (i = 0; i < 3; i++) pose->translation[i] = values[11 + i];
}

static pair_list read_pairs(const char *path) {
  char *text = read_text(path), *rest = text, *line;
  int columns[COLUMNS], have_header = 0;
  size_t number = 0, room = 0;
  pair_list list = {NULL, 0};
  if (strncmp(rest, "\xef\xbb\xbf", 3) == 0) rest += 3;
  while ((line = next_line(&rest)) != NULL) {
    double values[COLUMNS];
    char *fields = line, *field;
    pair *p;
    int k;
    number++;
    if (*line == '\0') continue;
    if (!have_header) {
      read_header(path, line, columns);
      have_header = 1;
      continue;
    }
    for (k = 0; (field = next_field(&fields)) != NULL; k++) {
      if (k == COLUMNS) fail("%s:%lu: more than %d values", path, (unsigned long)number, COLUMNS);
      values[columns[k]] = read_number(path, number, columns[k], field);
    }
    if (k < COLUMNS) fail("%s:%lu: %d of %d values", path, (unsigned long)number, k, COLUMNS);
    if (list.count == room) {
      room = 2 * room + 256;
      list.pairs = realloc(list.pairs, room * sizeof(pair));
      if (list.pairs == NULL) fail("%s: not enough memory", path);
    }
    p = &list.pairs[list.count];
    for (k = 0; k < 2; k++)
      set_body(path, number, values + k * BODY_COLUMNS, &p->bodies[k], &p->poses[k]);
    if (!make_shapes(p)) fail("%s:%lu: %s", path, (unsigned long)number, sovo_last_error());
    p->row = list.count++;
  }
  if (!have_header) fail("%s: the file is empty", path);
  free(text);
  return list;
}

static FILE *create_file(const char *path) {
  FILE *file = fopen(path, "w");
  if (file == NULL) fail("%s: %s", path, strerror(errno));
  return file;
}

static void close_file(const char *path, FILE *file) {
  int bad = ferror(file);
  if (fclose(file) != 0 || bad) fail("%s: cannot be written", path);
}

static void write_pairs(const char *path, const pair_list *list) {
  FILE *file = create_file(path);
  size_t n;
  int column, k, i;
  for (column = 0; column < COLUMNS; column++) {
    char name[8];
    column_name(column, name);
    fprintf(file, "%s%s", column > 0 ? "," : "", name);
  }
  fprintf(file, "\n");
  for (n = 0; n < list->count; n++) {
    for (k = 0; k < 2; k++) {
      const body *b = &list->pairs[n].bodies[k];
      const sovo_pose *pose = &list->pairs[n].poses[k];
      for (i = 0; i < 3; i++) fprintf(file, "%s%.17g", k + i > 0 ? "," : "", b->a[i]);
      for (i = 0; i < 2; i++) fprintf(file, ",%.17g", b->e[i]);
      for (i = 0; i < 2; i++) fprintf(file, ",%.17g", b->t[i]);
      for (i = 0; i < 4; i++) fprintf(file, ",%.17g", pose->rotation[(i + 3) % 4]);
      for (i = 0; i < 3; i++) fprintf(file, ",%.17g", pose->translation[i]);
    }
    fprintf(file, "\n");
  }
  close_file(path, file);
}

#endif
