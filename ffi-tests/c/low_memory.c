/* With little memory, large requests are answered with SOVO_ERROR_MEMORY, and nothing ends the program. */
#define _XOPEN_SOURCE 700
#include "check.h"

#include <sys/resource.h>

enum { TRIANGLES = 400000, SEGMENTS = 1024 };

static int refused, answered;

static void count(const char *what, sovo_status status) {
  CHECK(status == SOVO_OK || status == SOVO_ERROR_MEMORY, "%s: %s", what, sovo_last_error());
  refused += status == SOVO_ERROR_MEMORY;
  answered += status == SOVO_OK;
}

int main(void) {
  const sovo_shape shape = shape_of(1, 2, 3, 0.5, 0.7, 0, 0);
  const sovo_pose pose = sovo_pose_identity();
  const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  uint32_t *triangles = malloc(3 * TRIANGLES * sizeof *triangles);
  sovo_aabb *boxes = malloc(TRIANGLES * sizeof *boxes);
  double *vertices;
  uint32_t *surface;
  sovo_part_contact *parts = malloc(TRIANGLES * sizeof *parts);
  sovo_contact *contacts = malloc(TRIANGLES * sizeof *contacts);
  size_t vertex_count, triangle_count, i, step, found;
  sovo_mesh *mesh = NULL;
  OK(sovo_tessellation_size(SEGMENTS, &vertex_count, &triangle_count));
  vertices = malloc(3 * vertex_count * sizeof *vertices);
  surface = malloc(3 * triangle_count * sizeof *surface);
  for (i = 0; i < 3 * TRIANGLES; i++) triangles[i] = (uint32_t)(i % 3);
  for (i = 0; i < TRIANGLES; i++) {
    const double x = (double)i;
    const sovo_aabb box = {{x, 0, 0}, {x + 1, 1, 1}};
    boxes[i] = box;
  }
  OK(sovo_mesh_new(corners, 3, 24, triangles, TRIANGLES, &mesh));
  /* Ever a little more than nothing. The limit counts addresses, those in use already too. */
  for (step = 0; step < 60; step++) {
    const rlim_t megabytes = 1 << 20;
    struct rlimit limit, unlimited;
    long pages = 0;
    FILE *memory = fopen("/proc/self/statm", "r");
    sovo_mesh *copy = NULL;
    sovo_boxes *set = NULL;
    sovo_pair_batch batch = SOVO_PAIR_BATCH_INIT;
    if (memory == NULL || fscanf(memory, "%ld", &pages) != 1) return 2;
    fclose(memory);
    getrlimit(RLIMIT_AS, &unlimited);
    limit = unlimited;
    limit.rlim_cur = (rlim_t)pages * 4096 + 5 * step * megabytes;
    setrlimit(RLIMIT_AS, &limit);
    count("mesh", sovo_mesh_new(corners, 3, 24, triangles, TRIANGLES, &copy));
    sovo_mesh_free(copy);
    count("boxes", sovo_boxes_new(boxes, TRIANGLES, &set));
    sovo_boxes_free(set);
    count("surface", sovo_shape_tessellate(&shape, SEGMENTS, vertices, vertex_count, surface, triangle_count));
    if (step % 10 == 0)
      count("triangles", sovo_mesh_contacts(&shape, &pose, mesh, &pose, 9, NULL, parts, TRIANGLES, &found));
    batch.count = 20000 * (1 + step % 5);
    batch.shapes_a = batch.shapes_b = &shape;
    batch.poses_a = batch.poses_b = &pose;
    batch.shape_a_stride = batch.shape_b_stride = batch.pose_a_stride = batch.pose_b_stride = 0;
    batch.contacts = contacts;
    batch.threads = 4;
    if (step % 10 == 0) {
      sovo_shape far_shape = shape;
      sovo_pose far_pose = pose_at(100, 0, 0);
      batch.shapes_b = &far_shape;
      batch.poses_b = &far_pose;
      count("pairs", sovo_pair_contacts(&batch, NULL));
    }
    setrlimit(RLIMIT_AS, &unlimited);
  }
  CHECK(refused > 0 && answered > 0, "%d refused, %d answered", refused, answered);
  printf("%d refused, %d answered\n", refused, answered);
  sovo_mesh_free(mesh);
  free(triangles);
  free(boxes);
  free(parts);
  free(contacts);
  free(vertices);
  free(surface);
  return verdict("low_memory");
}
