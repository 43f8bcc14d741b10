/* What a planner repeats on a robot scene, and how often each call allocates memory once the first one is over. The linker
   gives the library these functions in place of those of the system (--wrap). */
#include "check.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
int __real_posix_memalign(void **memory, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size);

static unsigned long allocations;

void *__wrap_malloc(size_t size) {
  ++allocations;
  return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
  ++allocations;
  return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
  ++allocations;
  return __real_realloc(memory, size);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t size) {
  ++allocations;
  return __real_posix_memalign(memory, alignment, size);
}

/* The configurations of a path, all of them free. */
enum { states = 64, most = 32 };
static double path[states][most];

static sovo_robot_scene *scene;
static size_t count;

static void single(void) {
  int32_t hit = 7;
  OK(sovo_robot_scene_in_collision(scene, path[0], count, NULL, &hit));
  CHECK(hit == 0, "hit = %d", (int)hit);
}

static void nearest(void) {
  sovo_robot_contact contact;
  OK(sovo_robot_scene_closest(scene, path[0], count, NULL, &contact));
}

static void any(void) {
  size_t found = 7;
  OK(sovo_robot_scene_find_collision(scene, path[0], sizeof path[0], count, states, NULL, &found));
  CHECK(found == SIZE_MAX, "found = %zu", found);
}

static void edge(void) {
  sovo_edge found;
  OK(sovo_robot_scene_edge_free(scene, path[0], path[states - 1], count, NULL, &found));
  CHECK(found.status == SOVO_EDGE_STATUS_FREE, "status %u", (unsigned)found.status);
}

/* Fails if the call allocates more often than the limit; the second call of two, after which nothing grows. */
static void repeated(const char *name, void (*call)(void), unsigned long limit) {
  unsigned long before, each;
  call();
  call();
  before = allocations;
  call();
  each = allocations - before;
  printf("%s: %lu allocations\n", name, each);
  CHECK(each <= limit, "%s: %lu allocations", name, each);
}

int main(void) {
  sovo_robot *robot = NULL;
  sovo_robot_info info;
  const sovo_body box = sovo_body_cuboid(0.1, 0.1, 0.1);
  sovo_pose pose = sovo_pose_identity();
  uint64_t obstacle;

  pose.translation[2] = -0.5;
  OK(sovo_robot_load("urdf/panda.urdf", &robot));
  OK(sovo_robot_describe(robot, &info));
  count = info.position_count;
  CHECK(count > 0 && count <= most, "%zu positions", count);
  for (size_t k = 0; k < states; ++k) {
    OK(sovo_robot_neutral(robot, path[k], count));
    path[k][0] = 1e-2 * (double)k;
    path[k][1] = -0.5;
    path[k][3] = -2;
    path[k][5] = 1.6;
    path[k][7] = 0.02; /* Closed fingers touch. */
  }
  OK(sovo_robot_scene_new(robot, &scene));
  sovo_robot_free(robot);
  OK(sovo_robot_scene_add_obstacle(scene, "box", &box, &pose, &obstacle));
  repeated("in_collision", single, 0);
  repeated("closest", nearest, 0);
  repeated("find_collision", any, 60);
  repeated("edge_free", edge, 200);
  sovo_robot_scene_free(scene);
  return failed_checks > 0;
}
