/* The clock, and the statistics of a call.
 *
 * A reading of the clock takes time itself: the median of many pairs of readings with nothing between them
 * is subtracted from every sample. A call that is too short for the clock (less than 20 readings or 100 of
 * the clock's steps long) is timed in groups of 16 different questions, and a sample is the mean of a group:
 * `group` says so, and then p99 and max are those of means, in which a slow call does not show in full.
 *
 * Every pass goes over all questions in the same order, so that between two calls with the same question
 * lie those with all the others, and a question does not find the processor prepared for it. The time of a
 * question is its fastest of all passes: what is left are the differences between questions, not what else
 * the machine did. min, mean, p50, p99 and max are over these; all_mean and all_max are over all samples as
 * they were, interruptions included.
 */
#ifndef CALL_TIMES_TIMING_H
#define CALL_TIMES_TIMING_H

#include <time.h>

#include "pairs.h"

enum { GROUP = 16 };

/* Nanoseconds of a reading of the clock, and of its steps. */
static double clock_overhead, clock_step;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure_clock(void) {
  enum { READINGS = 20001 };
  double *differences = allocate(READINGS, sizeof(double)), origin = now();
  int k;
  for (k = 0; k < READINGS; k++) {
    /* From the origin: nanoseconds since the machine started are rounded. */
    double start = now() - origin, end = now() - origin;
    differences[k] = end - start;
  }
  qsort(differences, READINGS, sizeof(double), by_size);
  clock_overhead = differences[READINGS / 2];
  for (k = 0; k < READINGS - 1 && differences[k] <= 0; k++) {
  }
  clock_step = differences[k];
  for (k = 1; k < READINGS; k++) {
    double step = differences[k] - differences[k - 1];
    if (step > 0) clock_step = fmin(clock_step, step);
  }
  free(differences);
}

/* Nanoseconds a call. */
typedef struct {
  double min, mean, p50, p99, max, all_mean, all_max;
  int group;
} statistics;

/* Something to be timed: questions 0 to count - 1, each of which stands for `calls` calls. */
typedef struct {
  void (*ask)(void *context, size_t question);
  /* Before every pass; may be NULL. */
  void (*prepare)(void *context);
  void *context;
  size_t count;
  double calls;
} work;

/* One pass; the samples, as many as there are groups. */
static void pass(const work *w, int group, double *samples) {
  size_t first, k, sample = 0;
  if (w->prepare != NULL) w->prepare(w->context);
  for (first = 0; first < w->count; first += (size_t)group) {
    size_t end = first + (size_t)group < w->count ? first + (size_t)group : w->count;
    double start = now(), time;
    for (k = first; k < end; k++) w->ask(w->context, k);
    time = now() - start - clock_overhead;
    samples[sample++] = fmax(time, 0) / ((double)(end - first) * w->calls);
  }
}

static statistics time_calls(const work *w, int repeats) {
  statistics s = {0, 0, 0, 0, 0, 0, 0, 1};
  double *fastest = allocate(w->count, sizeof(double));
  double *samples = allocate(w->count, sizeof(double));
  size_t sample_count, k;
  int r;
  /* The first pass is not counted: it fills the processor's caches and finds the group. */
  pass(w, 1, samples);
  memcpy(fastest, samples, w->count * sizeof(double));
  qsort(fastest, w->count, sizeof(double), by_size);
  if (fastest[w->count / 2] * w->calls < fmax(20 * clock_overhead, 100 * clock_step))
    s.group = GROUP;
  sample_count = (w->count + (size_t)s.group - 1) / (size_t)s.group;
  for (k = 0; k < sample_count; k++) fastest[k] = HUGE_VAL;
  for (r = 0; r < repeats; r++) {
    pass(w, s.group, samples);
    for (k = 0; k < sample_count; k++) {
      fastest[k] = fmin(fastest[k], samples[k]);
      s.all_mean += samples[k] / ((double)sample_count * repeats);
      s.all_max = fmax(s.all_max, samples[k]);
    }
  }
  for (k = 0; k < sample_count; k++) s.mean += fastest[k] / (double)sample_count;
  qsort(fastest, sample_count, sizeof(double), by_size);
  s.min = fastest[0];
  s.p50 = fastest[(sample_count - 1) / 2];
  s.p99 = fastest[(size_t)ceil(0.99 * (double)sample_count) - 1];
  s.max = fastest[sample_count - 1];
  free(fastest);
  free(samples);
  return s;
}

#endif
