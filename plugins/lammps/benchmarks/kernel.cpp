// The contact of superellipsoids as LAMMPS' own pair_style granular/superellipsoid finds it, and as superovoid does, on the
// same pairs: lost contacts, false contacts, depths and times, judged by judge.h. See kernel.sh.
//
// LAMMPS is asked as its style asks it: oriented boxes first; a pair that did not touch before begins from spheres of the same
// volume, which become the bodies in five steps, each of them solved; a pair that did touch begins from its last point.
//
//   kernel [PAIRS A CLASS] [SEED]

#include "math_extra_superellipsoids.h"
#include "superovoid.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "judge.h"

namespace se = MathExtraSuperellipsoids;
using judge::Body;

namespace {

constexpr int MORPH_STEPS = 5;    // NUMSTEP_INITIAL_GUESS of the style
constexpr double IN_DOUBT = 1e-7;    // of the smaller body: too near to zero to be judged

struct Pair {
  Body a, b;
  double truth = 0;
  double size() const { return std::min({a.axes[0], a.axes[1], a.axes[2], b.axes[0], b.axes[1], b.axes[2]}); }
};

// What LAMMPS keeps of a pair, and what it answers.
struct Theirs {
  bool touches = false, failed = false;
  double X0[4] = {}, normal[3] = {};
  double last[3] = {};    // the position of A at that time
  double depth = 0;
};

int kind(const double *block)    // as its atom style says
{
  if (block[0] == 2.0 && block[1] == 2.0) return 0;
  return block[0] == block[1] ? 1 : 2;
}

Theirs ask_lammps(const Pair &p, const Theirs &before, int formulation)
{
  Theirs now;
  const double block_a[2] = {p.a.n1, p.a.n2}, block_b[2] = {p.b.n1, p.b.n2};
  if (se::check_oriented_bounding_boxes(p.a.x, p.a.R, p.a.axes, p.b.x, p.b.R, p.b.axes, 0) != -1) return now;
  int status = -1;
  const int kind_a = kind(block_a), kind_b = kind(block_b);
  if (before.touches) {
    for (int k = 0; k < 3; k++) now.X0[k] = before.X0[k] - before.last[k] + p.a.x[k];
    now.X0[3] = before.X0[3];
    status = se::determine_contact_point(p.a.x, p.a.R, p.a.axes, block_a, kind_a, p.b.x, p.b.R, p.b.axes, block_b, kind_b, now.X0,
                                         now.normal, formulation);
  } else {
    const double r_a = std::cbrt(p.a.axes[0] * p.a.axes[1] * p.a.axes[2]), r_b = std::cbrt(p.b.axes[0] * p.b.axes[1] * p.b.axes[2]);
    for (int k = 0; k < 3; k++) now.X0[k] = (r_b * p.a.x[k] + r_a * p.b.x[k]) / (r_a + r_b);
    now.X0[3] = r_b / r_a;
    for (int step = 1; step <= MORPH_STEPS; step++) {
      const double s = step / double(MORPH_STEPS);
      double axes_a[3], axes_b[3], n_a[2], n_b[2];
      for (int k = 0; k < 3; k++) axes_a[k] = (1 - s) * r_a + s * p.a.axes[k], axes_b[k] = (1 - s) * r_b + s * p.b.axes[k];
      for (int k = 0; k < 2; k++) n_a[k] = 2 + s * (block_a[k] - 2), n_b[k] = 2 + s * (block_b[k] - 2);
      status = se::determine_contact_point(p.a.x, p.a.R, axes_a, n_a, step == 1 ? 0 : kind_a, p.b.x, p.b.R, axes_b, n_b,
                                           step == 1 ? 0 : kind_b, now.X0, now.normal, formulation);
    }
  }
  now.touches = status == 0;
  now.failed = status != 0 && status != 1;
  for (int k = 0; k < 3; k++) now.last[k] = p.a.x[k];
  if (now.touches) {
    const double back[3] = {-now.normal[0], -now.normal[1], -now.normal[2]};
    now.depth = se::compute_overlap_distance(p.a.axes, block_a, p.a.R, kind_a, now.X0, now.normal, p.a.x) +
        se::compute_overlap_distance(p.b.axes, block_b, p.b.R, kind_b, now.X0, back, p.b.x);
  }
  return now;
}

sovo_superovoid shape_of(const Body &body)
{
  sovo_superovoid shape;
  const double e[2] = {2 / body.n2, 2 / body.n1};
  if (sovo_superovoid_make(body.axes, e, nullptr, &shape) != SOVO_STATUS_OK) std::fprintf(stderr, "%s\n", sovo_last_error()), std::exit(1);
  return shape;
}

sovo_pose pose_of(const Body &body)
{
  return {{body.x[0], body.x[1], body.x[2]}, {body.quat[1], body.quat[2], body.quat[3], body.quat[0]}};
}

// A turn by a random axis and an angle of this size.
void nudge(Body &body, double shift, double angle, std::mt19937_64 &random)
{
  std::normal_distribution<double> normal;
  double axis[3], length = 0;
  for (double &x : axis) x = normal(random), length += x * x;
  const double s = std::sin(angle / 2) / std::sqrt(length), w = std::cos(angle / 2);
  const double p[4] = {w, s * axis[0], s * axis[1], s * axis[2]}, *q = body.quat;
  const double r[4] = {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
                       p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
  double norm = 0;
  for (const double x : r) norm += x * x;
  for (int k = 0; k < 4; k++) body.quat[k] = r[k] / std::sqrt(norm);
  for (double &x : body.x) x += shift * normal(random);
  body.turn();
}

// Two bodies near each other: their surfaces on the line of the centres are from 10 % overlapped to 20 % apart.
Pair draw(double n, double ratio, std::mt19937_64 &random)
{
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Pair p;
  double scale = 1;
  for (Body *body : {&p.a, &p.b}) {
    for (double &x : body->axes) x = scale * (0.5 + uniform(random));
    // One exponent is that of the class, the other one any of at most that.
    const double other = 2 + (n - 2) * uniform(random);
    body->n1 = n, body->n2 = uniform(random) < 0.5 ? n : other;
    if (uniform(random) < 0.5) std::swap(body->n1, body->n2);
    double norm = 0;
    for (double &x : body->quat) x = normal(random), norm += x * x;
    for (double &x : body->quat) x /= std::sqrt(norm);
    for (double &x : body->x) x = 0;
    for (double &x : body->tapers) x = 0;
    body->turn();
    scale = ratio;
  }
  double u[3], length = 0;
  for (double &x : u) x = normal(random), length += x * x;
  for (double &x : u) x /= std::sqrt(length);
  const double r_a = 1 / p.a.norm(u), r_b = 1 / p.b.norm(u);
  const double apart = r_a + r_b + std::min(r_a, r_b) * (-0.1 + 0.3 * uniform(random));
  for (int k = 0; k < 3; k++) p.b.x[k] = apart * u[k];
  return p;
}

double seconds()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Score {
  int judged = 0, contacts = 0, lost = 0, false_ones = 0, failed = 0;
  double worst = 0, mean = 0, micros = 0;    // the depth against the least translation, of the smaller body
  int depths = 0;

  void count(double truth, double size, bool touches, bool failure, double depth)
  {
    if (std::fabs(truth) < IN_DOUBT * size) return;
    judged++;
    failed += failure;
    contacts += truth < 0;
    lost += truth < 0 && !touches;
    false_ones += truth > 0 && touches;
    if (truth < 0 && touches) {
      const double error = std::fabs(depth + truth) / size;
      worst = std::max(worst, error);
      mean += error;
      depths++;
    }
  }

  void print(const char *state, const char *who, double n, double ratio) const
  {
    std::printf("%g,%g,%s,%s,%d,%d,%d,%d,%d,%.2g,%.2g,%.3f\n", n, ratio, state, who, judged, contacts, lost, false_ones, failed,
                depths ? mean / depths : 0.0, worst, micros);
  }
};

template <class F> double micros(std::size_t count, F ask)
{
  double best = 1e300;
  for (int pass = 0; pass < 5; pass++) {
    const double start = seconds();
    for (std::size_t k = 0; k < count; k++) ask(k);
    best = std::min(best, seconds() - start);
  }
  return 1e6 * best / static_cast<double>(count);
}

void score(const char *state, double n, double ratio, const std::vector<Pair> &pairs, const std::vector<Theirs> &before,
           std::vector<Theirs> &after, std::vector<sovo_pair_cache> &caches, std::mt19937_64 &random)
{
  const std::size_t count = pairs.size();
  const bool warm = !caches.empty();
  std::vector<sovo_superovoid> a, b;
  std::vector<sovo_pose> pose_a, pose_b;
  std::vector<sovo_contact> contacts(count), batch_contacts(count);
  for (const Pair &p : pairs) a.push_back(shape_of(p.a)), b.push_back(shape_of(p.b)), pose_a.push_back(pose_of(p.a)), pose_b.push_back(pose_of(p.b));
  Score lammps, geometric, single, batch;
  std::vector<Theirs> other(count);
  lammps.micros = micros(count, [&](std::size_t k) { after[k] = ask_lammps(pairs[k], before[k], se::FORMULATION_ALGEBRAIC); });
  geometric.micros = micros(count, [&](std::size_t k) { other[k] = ask_lammps(pairs[k], before[k], se::FORMULATION_GEOMETRIC); });
  std::vector<sovo_pair_cache> scratch(count);
  single.micros = 1e300;
  for (int pass = 0; pass < 5; pass++) {
    if (warm) scratch = caches;
    const double start = seconds();
    for (std::size_t k = 0; k < count; k++)
      if (sovo_pair_contact(&a[k], &pose_a[k], &b[k], &pose_b[k], nullptr, warm ? &scratch[k] : nullptr, &contacts[k]) != SOVO_STATUS_OK)
        single.failed++;
    single.micros = std::min(single.micros, 1e6 * (seconds() - start) / static_cast<double>(count));
  }
  sovo_pair_batch arrays = SOVO_PAIR_BATCH_INIT;
  arrays.count = count;
  arrays.shapes_a = a.data(), arrays.shapes_b = b.data(), arrays.poses_a = pose_a.data(), arrays.poses_b = pose_b.data();
  arrays.contacts = batch_contacts.data();
  batch.micros = 1e300;
  for (int pass = 0; pass < 5; pass++) {
    const double start = seconds();
    if (sovo_pair_contact_batch(&arrays, nullptr) != SOVO_STATUS_OK) batch.failed++;
    batch.micros = std::min(batch.micros, 1e6 * (seconds() - start) / static_cast<double>(count));
  }
  for (std::size_t k = 0; k < count; k++) {
    const Pair &p = pairs[k];
    std::vector<std::array<double, 3>> hints;
    for (const double *u : {contacts[k].normal, batch_contacts[k].normal, after[k].normal, other[k].normal}) hints.push_back({u[0], u[1], u[2]});
    const double truth = judge::distance(p.a, p.b, hints, random).gap, size = p.size();
    lammps.count(truth, size, after[k].touches, after[k].failed, after[k].depth);
    geometric.count(truth, size, other[k].touches, other[k].failed, other[k].depth);
    for (const auto &[score, contact] : {std::pair<Score *, const sovo_contact *>{&single, &contacts[k]}, {&batch, &batch_contacts[k]}})
      score->count(truth, size, contact->distance < 0, contact->outcome == SOVO_OUTCOME_NOT_CONVERGED, -contact->distance);
  }
  lammps.print(state, "LAMMPS", n, ratio);
  geometric.print(state, "LAMMPS geometric", n, ratio);
  single.print(state, warm ? "superovoid with caches" : "superovoid one by one", n, ratio);
  batch.print(state, "superovoid batch", n, ratio);
}

}    // namespace

int main(int argc, char **argv)
{
  const int count = argc > 1 ? std::atoi(argv[1]) : 1000;
  std::mt19937_64 random(argc > 2 ? std::atoi(argv[2]) : 1);
  std::printf("n,ratio,state,method,judged,contacts,lost,false,failed,depth_error_mean,depth_error_max,us\n");
  for (const double n : {2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0})
    for (const double ratio : {1.0, 3.0, 10.0, 30.0, 100.0}) {
      std::vector<Pair> pairs;
      for (int k = 0; k < count; k++) pairs.push_back(draw(n, ratio, random));
      std::vector<Theirs> none(count), first(count), second(count);
      std::vector<sovo_pair_cache> caches;
      score("cold", n, ratio, pairs, none, first, caches, random);
      // A step later: a thousandth of the smaller body, a hundredth of a radian of it.
      caches.resize(count, sovo_pair_cache{});
      for (int k = 0; k < count; k++) {
        sovo_contact contact;
        const sovo_superovoid a = shape_of(pairs[k].a), b = shape_of(pairs[k].b);
        const sovo_pose pose_a = pose_of(pairs[k].a), pose_b = pose_of(pairs[k].b);
        if (sovo_pair_contact(&a, &pose_a, &b, &pose_b, nullptr, &caches[k], &contact) != SOVO_STATUS_OK) return 1;
        nudge(pairs[k].a, 1e-3 * pairs[k].size(), 1e-2, random);
      }
      score("warm", n, ratio, pairs, first, second, caches, random);
    }
}
