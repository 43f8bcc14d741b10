// Triangles of STL files, text or binary.

#ifndef SUPEROVOID_STL_H
#define SUPEROVOID_STL_H

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace superovoid {

// Reads the corners, nine numbers for a triangle. Returns an empty text, or what is wrong with the file.
inline std::string read_stl(const std::string &path, std::vector<double> &corners)
{
  std::ifstream file(path, std::ios::binary);
  if (!file) return "cannot be opened";
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  corners.clear();
  // A binary file has 80 bytes, the number of triangles, and 50 bytes for each; a text may begin with "solid" or be one.
  std::uint32_t count = 0;
  if (bytes.size() >= 84) std::memcpy(&count, bytes.data() + 80, 4);
  if (bytes.size() >= 84 && bytes.size() == 84 + 50 * static_cast<std::size_t>(count)) {
    for (std::uint32_t k = 0; k < count; k++) {
      float numbers[9];
      std::memcpy(numbers, bytes.data() + 84 + 50 * static_cast<std::size_t>(k) + 12, sizeof(numbers));
      corners.insert(corners.end(), numbers, numbers + 9);
    }
  } else {
    std::istringstream text(bytes);
    std::string word;
    std::size_t before = 0;
    while (text >> word) {
      for (char &c : word)
        if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
      if (word == "vertex") {
        double x[3];
        if (!(text >> x[0] >> x[1] >> x[2])) return "vertex " + std::to_string(corners.size() / 3 + 1) + " has no three numbers";
        corners.insert(corners.end(), x, x + 3);
      } else if (word == "endloop") {
        if (corners.size() != before + 9) return "vertex " + std::to_string(corners.size() / 3) + " ends a facet that has not three vertices";
        before = corners.size();
      }
    }
  }
  if (corners.empty()) return "has no triangles: it is neither text nor binary STL";
  if (corners.size() % 9 != 0) return "ends within a triangle";
  return "";
}

}    // namespace superovoid

#endif
