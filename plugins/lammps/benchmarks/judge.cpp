// Judges contacts of a run: reads pairs, two lines for a pair and its claim,
//
//   a1 a2 a3 e1 e2 tx ty  x y z  w i j k       twice: A, B, the place being that of the shape's frame
//   distance nx ny nz                          as claimed
//
// from its input, and prints how many contacts were lost (a depth of more than 1e-9 m claimed to be a gap), how many were false,
// and the largest differences of gaps and of depths.

#include "judge.h"

#include <cstdio>

static bool read(judge::Body &body)
{
  double e[2];
  if (std::scanf("%lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf", &body.axes[0], &body.axes[1], &body.axes[2], &e[0], &e[1],
                 &body.tapers[0], &body.tapers[1], &body.x[0], &body.x[1], &body.x[2], &body.quat[0], &body.quat[1], &body.quat[2],
                 &body.quat[3]) != 14)
    return false;
  body.n1 = 2 / e[1], body.n2 = 2 / e[0];
  body.turn();
  return true;
}

int main()
{
  judge::Body a, b;
  std::mt19937_64 random(1);
  long judged = 0, touching = 0, lost = 0, false_ones = 0;
  double gap = 0, depth = 0;
  while (read(a) && read(b)) {
    double claim, u[3];
    if (std::scanf("%lf %lf %lf %lf", &claim, &u[0], &u[1], &u[2]) != 4) return 1;
    const double truth = judge::distance(a, b, {{u[0], u[1], u[2]}}, random, 60, 2).gap;
    judged++;
    touching += truth < -1e-9;
    lost += truth < -1e-9 && claim >= 0;
    false_ones += truth > 1e-9 && claim < 0;
    double &worst = truth > 0 ? gap : depth;
    worst = std::max(worst, std::fabs(claim - truth));
  }
  std::printf("judged %ld, touching %ld, lost %ld, false %ld, gaps differ by at most %.2g m, depths by %.2g m\n", judged, touching, lost,
              false_ones, gap, depth);
  return lost + false_ones > 0;
}
