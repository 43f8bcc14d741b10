/* The signed distance of an egg and a brick, with points, normal and proof. */
#include <stdio.h>
#include <superovoid.h>

int main(void) {
  const double egg_axes[3] = {0.02, 0.02, 0.03}, egg_e[2] = {1, 1}, egg_t[2] = {0.2, 0.2};
  const double brick_axes[3] = {0.05, 0.03, 0.01}, brick_e[2] = {0.1, 0.1};
  sovo_superovoid egg, brick;
  sovo_pose here = sovo_pose_identity(), there = sovo_pose_identity();
  sovo_contact contact;

  there.translation[0] = 0.06; /* metres */
  there.translation[1] = 0.04;
  there.translation[2] = 0.05;
  if (sovo_superovoid_make(egg_axes, egg_e, egg_t, &egg) != SOVO_STATUS_OK ||
      sovo_superovoid_make(brick_axes, brick_e, NULL, &brick) != SOVO_STATUS_OK ||
      sovo_pair_contact(&egg, &here, &brick, &there, NULL, NULL, &contact) != SOVO_STATUS_OK) {
    fprintf(stderr, "%s\n", sovo_last_error());
    return 1;
  }
  printf("distance %.6f m, %s\n", contact.distance,
         contact.outcome == SOVO_OUTCOME_CERTIFIED ? "certified" : "not certified");
  printf("from     %.6f %.6f %.6f\n", contact.point_a[0], contact.point_a[1], contact.point_a[2]);
  printf("to       %.6f %.6f %.6f\n", contact.point_b[0], contact.point_b[1], contact.point_b[2]);
  return 0;
}
