/* The rows of the report: a table on standard output, and a CSV file. */
#ifndef CALL_TIMES_REPORT_H
#define CALL_TIMES_REPORT_H

#include "timing.h"

/* What is wrong with answers. */
typedef struct {
  /* Calls that returned an error; answers that are not converged; that are, with an open bracket; that the
   * check refutes; depths that are not the least; overlaps reported as apart. */
  size_t errors, not_converged, open, wrong, not_least, missed;
  /* Against the certified distance, metres, where there is one. */
  size_t compared;
  double error_sum, error_max;
} verdict;

typedef struct {
  const char *set, *pairs, *state, *method;
  size_t count;
  statistics times;
  verdict verdict;
} row;

static FILE *csv;

static void open_csv(const char *path) {
  csv = create_file(path);
  fprintf(csv,
          "set,pairs,state,method,count,group,min_ns,mean_ns,p50_ns,p99_ns,max_ns,all_mean_ns,"
          "all_max_ns,errors,not_converged,open,wrong,not_least,missed,mean_error_m,max_error_m\n");
}

static void print_heading(const char *set, const char *described) {
  printf("\n%s: %s\n", set, described);
  printf("%-11s %-12s %-26s %6s %3s %9s %9s %9s %9s %10s | %5s %5s %5s %5s %5s %6s | %8s %8s\n",
         "pairs", "state", "method", "count", "grp", "min ns", "mean", "p50", "p99", "max", "error",
         "n.c.", "open", "wrong", "n.l.", "missed", "mean err", "max err");
}

static void print_row(const row *r) {
  const statistics *t = &r->times;
  const verdict *v = &r->verdict;
  double mean = v->compared > 0 ? v->error_sum / (double)v->compared : 0;
  unsigned long counts[7];
  counts[0] = (unsigned long)r->count;
  counts[1] = (unsigned long)v->errors;
  counts[2] = (unsigned long)v->not_converged;
  counts[3] = (unsigned long)v->open;
  counts[4] = (unsigned long)v->wrong;
  counts[5] = (unsigned long)v->not_least;
  counts[6] = (unsigned long)v->missed;
  printf("%-11s %-12s %-26s %6lu %3d %9.0f %9.0f %9.0f %9.0f %10.0f |", r->pairs, r->state,
         r->method, counts[0], t->group, t->min, t->mean, t->p50, t->p99, t->max);
  printf(" %5lu %5lu %5lu %5lu %5lu %6lu", counts[1], counts[2], counts[3], counts[4], counts[5],
         counts[6]);
  if (v->compared > 0)
    printf(" | %8.1e %8.1e\n", mean, v->error_max);
  else
    printf(" | %8s %8s\n", "-", "-");
  fflush(stdout);
  if (csv == NULL) return;
  fprintf(csv, "%s,%s,%s,%s,%lu,%d,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,", r->set, r->pairs,
          r->state, r->method, counts[0], t->group, t->min, t->mean, t->p50, t->p99, t->max,
          t->all_mean, t->all_max);
  fprintf(csv, "%lu,%lu,%lu,%lu,%lu,%lu,", counts[1], counts[2], counts[3], counts[4], counts[5],
          counts[6]);
  if (v->compared > 0)
    fprintf(csv, "%.3e,%.3e\n", mean, v->error_max);
  else
    fprintf(csv, ",\n");
}

#endif
