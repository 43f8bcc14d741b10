// Cells about a mesh that a body can be in and touch it: most bodies of a silo are far from its walls, and one look tells so.
//
// A body in a ball of radius R about its centre x touches a triangle only if x is within R of it. Cells of the box about the
// mesh, widened by R, are marked if they overlap the box of a triangle, widened by R, and their centre is no farther from its
// plane than R and half their diagonal.

#ifndef SUPEROVOID_MESH_GRID_H
#define SUPEROVOID_MESH_GRID_H

#include "vectors.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace superovoid {

class MeshGrid {
 public:
  MeshGrid() = default;
  // corners: nine numbers for a triangle. radius: the R of all bodies.
  MeshGrid(const std::vector<double> &corners, double radius)
  {
    double high[3];
    for (int k = 0; k < 3; k++) {
      low[k] = high[k] = corners[k];
      for (std::size_t c = k; c < corners.size(); c += 3) low[k] = std::min(low[k], corners[c]), high[k] = std::max(high[k], corners[c]);
      low[k] -= radius, high[k] += radius;
    }
    // Cells as large as half a body, or so large that a million suffice.
    const double volume = (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
    size = std::max(0.5 * radius, std::cbrt(volume / 1e6));
    for (int k = 0; k < 3; k++) count[k] = 1 + static_cast<long>((high[k] - low[k]) / size);
    marked.assign(static_cast<std::size_t>(count[0] * count[1] * count[2]), 0);
    for (std::size_t c = 0; c < corners.size(); c += 9) mark(&corners[c], radius);
  }

  // Whether a body with its centre here, in the frame of the mesh, may touch it. Not a number may.
  bool may_touch(const double *x) const
  {
    long cell[3];
    for (int k = 0; k < 3; k++) {
      const double place = (x[k] - low[k]) / size;
      if (std::isnan(place)) return true;
      if (!(place >= 0.0) || !(place < static_cast<double>(count[k]))) return false;
      cell[k] = static_cast<long>(place);
    }
    return marked[index(cell[0], cell[1], cell[2])] != 0;
  }

 private:
  double low[3] = {}, size = 1.0;
  long count[3] = {};
  std::vector<char> marked;

  std::size_t index(long i, long j, long k) const { return static_cast<std::size_t>((i * count[1] + j) * count[2] + k); }

  void mark(const double *triangle, double radius)
  {
    double u[3], v[3], normal[3];
    long first[3], last[3];
    for (int k = 0; k < 3; k++) {
      const double a = triangle[k], b = triangle[3 + k], c = triangle[6 + k];
      u[k] = b - a, v[k] = c - a;
      // A cell more on either side, for rounding.
      first[k] = std::max(0L, static_cast<long>(std::floor((std::min({a, b, c}) - radius - low[k]) / size)) - 1);
      last[k] = std::min(count[k] - 1, static_cast<long>(std::floor((std::max({a, b, c}) + radius - low[k]) / size)) + 1);
    }
    cross(u, v, normal);
    const double length = std::sqrt(dot(normal, normal)), reach = (radius + size) * length;    // half a diagonal is less than a cell
    for (long i = first[0]; i <= last[0]; i++)
      for (long j = first[1]; j <= last[1]; j++)
        for (long k = first[2]; k <= last[2]; k++) {
          const double to[3] = {low[0] + (i + 0.5) * size - triangle[0], low[1] + (j + 0.5) * size - triangle[1],
                                low[2] + (k + 0.5) * size - triangle[2]};
          if (std::fabs(dot(normal, to)) <= reach) marked[index(i, j, k)] = 1;
        }
  }
};

}    // namespace superovoid

#endif
