/* A deliberate error, by number: what a sanitizer or valgrind must report, or it is not really on. */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <superovoid.h>

static int shared;

static void *race(void *data) {
  int i;
  for (i = 0; i < 100000; i++) shared += *(const int *)data;
  return NULL;
}

int main(int argc, char **argv) {
  const int which = argc > 1 ? atoi(argv[1]) : 0;
  volatile int one = argc > 0;
  if (which == 1) { /* The library reads behind the end of an array. */
    double *points = malloc(3 * 24);
    const double axes[3] = {1, 1, 1}, e[2] = {1, 1};
    const sovo_pose pose = sovo_pose_identity();
    sovo_superovoid shape;
    sovo_contact contact;
    sovo_body body, hull;
    int i;
    for (i = 0; i < 9; i++) points[i] = i;
    sovo_superovoid_make(axes, e, NULL, &shape);
    body = sovo_body_superovoid(&shape);
    hull = sovo_body_points(points, 4, 24);
    sovo_body_contact(&body, &pose, &hull, &pose, NULL, &contact, NULL);
    printf("%g\n", contact.distance);
    free(points);
  } else if (which == 2) { /* The program itself overflows. */
    int most = INT_MAX;
    most += one;
    printf("%d\n", most);
  } else if (which == 3) { /* A mesh is never freed. */
    const double vertices[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const uint32_t triangle[3] = {0, 1, 2};
    static sovo_tri_mesh *mesh;
    sovo_tri_mesh_new(vertices, 3, 24, triangle, 1, 0, &mesh);
    mesh = NULL;
  } else if (which == 4) { /* Two threads write at once. */
    pthread_t threads[2];
    const int step = one;
    pthread_create(&threads[0], NULL, race, (void *)&step);
    pthread_create(&threads[1], NULL, race, (void *)&step);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("%d\n", shared);
  }
  return 0;
}
