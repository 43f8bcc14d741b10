/// @file
/// superovoid for C++17: values, handles and exceptions over the C interface of superovoid.h. Header
/// only, it adds no cost and no state; programs link the same library.
///
/// SPDX-License-Identifier: MIT OR Apache-2.0
///
///     #include <superovoid.hpp>
///
///     const superovoid::Shape egg({0.02, 0.02, 0.03}, {1, 1}, {0.2, 0.2});
///     const superovoid::Shape brick({0.05, 0.03, 0.01}, {0.1, 0.1});
///     const auto contact = superovoid::pair_contact(egg, {}, brick, superovoid::Pose({0, 0, 0.05}));
///     std::cout << contact.distance << " m apart\n";
///
/// Frames, units, signs, proofs and threads are those of superovoid.h, and so are the meanings of the
/// functions: each stands for the C function of its name, whose comment says all that is not said here.
///
/// VALUES  Shape, Pose, Contact and the other structs derive from those of C, add functions and nothing
///   else, and have their size and layout: where C wants a sovo_shape, a Shape does, a std::vector<Shape>
///   is an array of sovo_shape, and what is missing here is a call of the C function. Their fields are
///   C's, and so are the enumerators (SOVO_DEPTH_FAST, SOVO_OUTCOME_CERTIFIED).
///
/// VECTORS  Vec3 takes {x, y, z}, double[3] and std::array<double, 3>; with superovoid/eigen.hpp also what
///   Eigen has. Other libraries' types work everywhere once vector_of, pose_of or points_of is specialised.
///
/// ERRORS  Functions throw superovoid::error, with a status and a text. The try_ functions never throw,
///   return the status, and leave their output alone on an error; sovo_last_error() has the text.
///   Without exceptions (-fno-exceptions) only what does not throw is declared: the values, the handles
///   and the try_ functions. The header needs no RTTI.
///
/// HANDLES  Mesh, Boxes, Robot and Scene own what they hold, move and do not copy. One that was default-constructed or
///   moved from is empty, and refused by every query.
#ifndef SUPEROVOID_HPP
#define SUPEROVOID_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include <superovoid.h>

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
/// Defined where exceptions are enabled, and with them the functions that throw.
#define SUPEROVOID_EXCEPTIONS 1
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>
#endif

/// Exact contact between superovoids.
namespace superovoid {

#ifdef SUPEROVOID_EXCEPTIONS

/// What the library refused: the status of the C call, and its text as what().
class error : public std::runtime_error {
 public:
  /// From a status and a text.
  error(sovo_status status, const std::string& text) : std::runtime_error(text), status_(status) {}

  /// The status, never SOVO_STATUS_OK.
  sovo_status status() const noexcept { return status_; }

 private:
  sovo_status status_;
};

/// Throws superovoid::error, with the text of sovo_last_error(), unless the call succeeded.
inline void check(sovo_status status) {
  if (status != SOVO_STATUS_OK) throw error(status, sovo_last_error());
}

#endif  // SUPEROVOID_EXCEPTIONS

/// Version of the library that runs, such as "0.1.0"; SOVO_VERSION is that of the headers.
inline const char* version() noexcept { return sovo_version(); }

/// The name of a status, such as "SOVO_STATUS_ERROR_NULL".
inline const char* name(sovo_status status) noexcept { return sovo_status_name(status); }

// ------------------------------------------------------------------------------------------- vectors

/// How a type T of another library is read as a vector: specialise it with a function
/// `static Vec3 from(const T&)`, and T is accepted wherever a Vec3 is.
template <class T, class = void>
struct vector_of {};

/// How a type T of another library is read as a pose: specialise it with a function
/// `static Pose from(const T&)`, and T is accepted wherever a Pose is.
template <class T, class = void>
struct pose_of {};

/// How a type T of another library is read as many points, without a copy: specialise it with a function
/// `static Points from(const T&)`, and T is accepted wherever Points are.
template <class T, class = void>
struct points_of {};

/// The standard library's vector.
template <>
struct vector_of<std::array<double, 3>> {
  /// The same numbers.
  static constexpr const std::array<double, 3>& from(const std::array<double, 3>& v) { return v; }
};

/// Two numbers: exponents, tapers, or a vector of the plane.
using Vec2 = std::array<double, 2>;

/// A point or a direction: three numbers, metres for a point.
struct Vec3 : std::array<double, 3> {
  /// The origin.
  constexpr Vec3() noexcept : array{} {}

  /// From its coordinates.
  constexpr Vec3(double x, double y, double z) noexcept : array{{x, y, z}} {}

  /// From three numbers, such as the fields of a Contact.
  constexpr Vec3(const double (&v)[3]) noexcept : array{{v[0], v[1], v[2]}} {}

  /// From an array, or from another library's vector: see vector_of.
  template <class T, class = decltype(vector_of<T>::from(std::declval<const T&>()))>
  constexpr Vec3(const T& v) : array(vector_of<T>::from(v)) {}
};

/// The three vertices of a triangle, by their place among the vertices.
using Triangle = std::array<std::uint32_t, 3>;

/// The elements of an array that somebody else owns: a pointer, a count, and the bytes from one element
/// to the next. Made from std::vector, std::array, C arrays, std::span and whatever has data() and
/// size(), also of a type derived from T, or from the first of the T in an array of something larger:
///
///     span<const sovo_pose>(&bodies[0].pose, bodies.size(), sizeof bodies[0])
template <class T>
class span {
  template <class U>
  static constexpr bool fits = std::is_convertible_v<U*, T*>;

 public:
  /// No elements.
  constexpr span() noexcept = default;

  /// count elements, of which the first is given; stride bytes from one to the next.
  constexpr span(T* first, std::size_t count, std::size_t stride = sizeof(T)) noexcept
      : data_(first), size_(count), stride_(stride) {}

  /// The elements of a C array.
  template <class U, std::size_t N, class = std::enable_if_t<fits<U>>>
  constexpr span(U (&array)[N]) noexcept : data_(array), size_(N), stride_(sizeof(U)) {}

  /// The elements of a container. It must outlive the span.
  template <class C, class U = std::remove_pointer_t<decltype(std::declval<C&>().data())>,
            class = decltype(std::declval<C&>().size()),
            class = std::enable_if_t<fits<U>>>
  constexpr span(C&& container) noexcept
      : data_(container.data()), size_(container.size()), stride_(sizeof(U)) {}

  /// The same elements, as what they derive from, or as constants.
  template <class U, class = std::enable_if_t<fits<U>>>
  constexpr span(const span<U>& other) noexcept
      : data_(other.first()), size_(other.size()), stride_(other.stride()) {}

  /// The first element.
  constexpr T* first() const noexcept { return data_; }

  /// How many there are.
  constexpr std::size_t size() const noexcept { return size_; }

  /// Whether there are none.
  constexpr bool empty() const noexcept { return size_ == 0; }

  /// Bytes from one element to the next.
  constexpr std::size_t stride() const noexcept { return stride_; }

  /// Whether the elements lie close together.
  constexpr bool dense() const noexcept { return size_ < 2 || stride_ == sizeof(T); }

  /// Element k, which is less than size().
  T& operator[](std::size_t k) const noexcept {
    using byte = std::conditional_t<std::is_const_v<T>, const unsigned char, unsigned char>;
    return *reinterpret_cast<T*>(reinterpret_cast<byte*>(data_) + k * stride_);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t stride_ = sizeof(T);
};

/// The same element for every pair of a batch. It must outlive the call.
template <class T>
constexpr span<const T> repeat(const T& element) noexcept {
  return span<const T>(&element, 1, 0);
}
/// A temporary would be gone before the call.
template <class T>
span<const T> repeat(const T&&) = delete;

/// Many points that somebody else owns: each is three numbers, one after the other, metres.
class Points {
 public:
  /// No points.
  constexpr Points() noexcept = default;

  /// count points, of which the first coordinate of the first is given; stride bytes from one point to
  /// the next.
  constexpr Points(const double* first, std::size_t count,
                   std::size_t stride = 3 * sizeof(double)) noexcept
      : data_(first), size_(count), stride_(stride) {}

  /// The rows of a C array.
  template <std::size_t N>
  constexpr Points(const double (&rows)[N][3]) noexcept : data_(rows[0]), size_(N) {}

  /// The elements, Vec3 or std::array<double, 3>, of a container or span, which must outlive this; or
  /// another library's points: see points_of.
  template <class T, class = decltype(points_of<T>::from(std::declval<const T&>()))>
  constexpr Points(const T& points) : Points(points_of<T>::from(points)) {}

  /// The first coordinate of the first point.
  constexpr const double* first() const noexcept { return data_; }

  /// How many there are.
  constexpr std::size_t size() const noexcept { return size_; }

  /// Bytes from one point to the next.
  constexpr std::size_t stride() const noexcept { return stride_; }

 private:
  const double* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t stride_ = 3 * sizeof(double);
};

/// Containers and spans of Vec3 or of std::array<double, 3>.
template <class T>
struct points_of<T, std::enable_if_t<std::is_convertible_v<const T&, span<const std::array<double, 3>>>>> {
  /// The same points.
  static constexpr Points from(const T& container) {
    const span<const std::array<double, 3>> points(container);
    return Points(points.empty() ? nullptr : points.first()->data(), points.size(), points.stride());
  }
};

// -------------------------------------------------------------------------------------------- values

/// Where a body is: sovo_pose, the identity by default.
struct Pose : sovo_pose {
  /// The identity.
  constexpr Pose() noexcept : Pose(Vec3()) {}

  /// A translation t, metres, and a rotation as a unit quaternion q in the order x, y, z, w. Checked by
  /// the queries.
  constexpr Pose(const Vec3& t, const std::array<double, 4>& q = {0, 0, 0, 1}) noexcept
      : sovo_pose{{t[0], t[1], t[2]}, {q[0], q[1], q[2], q[3]}} {}

  /// From C's, or from another library's pose: see pose_of.
  template <class T, class = decltype(pose_of<T>::from(std::declval<const T&>()))>
  constexpr Pose(const T& pose) : sovo_pose(pose_of<T>::from(pose)) {}

  /// sovo_pose_from_matrix(): rows is the rotation matrix, row by row, t the translation, metres.
  [[nodiscard]] static sovo_status try_from_matrix(const std::array<double, 9>& rows, const Vec3& t,
                                                   Pose& pose) noexcept {
    return sovo_pose_from_matrix(rows.data(), t.data(), &pose);
  }

#ifdef SUPEROVOID_EXCEPTIONS
  /// sovo_pose_from_matrix(): rows is the rotation matrix, row by row, t the translation, metres.
  static Pose from_matrix(const std::array<double, 9>& rows, const Vec3& t) {
    Pose pose;
    check(try_from_matrix(rows, t, pose));
    return pose;
  }

  /// sovo_pose_rotation_matrix(): the rotation matrix, row by row.
  std::array<double, 9> rotation_matrix() const {
    std::array<double, 9> rows;
    check(sovo_pose_rotation_matrix(this, rows.data()));
    return rows;
  }
#endif
};

/// C's pose.
template <>
struct pose_of<sovo_pose> {
  /// The same pose.
  static constexpr const sovo_pose& from(const sovo_pose& pose) { return pose; }
};

/// A ball, metres: sovo_bounding_sphere.
struct BoundingSphere : sovo_bounding_sphere {
  /// All zero.
  constexpr BoundingSphere() noexcept : sovo_bounding_sphere() {}

  /// From its centre c and radius r.
  constexpr BoundingSphere(const Vec3& c, double r) noexcept : sovo_bounding_sphere{{c[0], c[1], c[2]}, r} {}
};

/// A box with faces parallel to the axes of its frame, metres: sovo_aabb.
struct Aabb : sovo_aabb {
  /// All zero.
  constexpr Aabb() noexcept : sovo_aabb() {}

  /// From its smallest coordinates a and its largest b.
  constexpr Aabb(const Vec3& a, const Vec3& b) noexcept
      : sovo_aabb{{a[0], a[1], a[2]}, {b[0], b[1], b[2]}} {}
};

/// A box in any orientation: sovo_obb.
struct Obb : sovo_obb {
  /// All zero.
  constexpr Obb() noexcept : sovo_obb() {}

  /// From its centre and axes, and half of its edges along these, metres.
  constexpr Obb(const Pose& axes, const Vec3& half) noexcept
      : sovo_obb{axes, {half[0], half[1], half[2]}} {}
};

/// What a query is asked for: sovo_query_options, every field its default.
struct QueryOptions : sovo_query_options {
  /// The defaults.
  constexpr QueryOptions() noexcept : sovo_query_options SOVO_QUERY_OPTIONS_INIT {}
};

/// What a vertex query is asked for: sovo_vertex_options, every field its default.
struct VertexOptions : sovo_vertex_options {
  /// The defaults.
  constexpr VertexOptions() noexcept : sovo_vertex_options SOVO_VERTEX_OPTIONS_INIT {}
};

/// Where the last query of a pair ended, for the next one to start from: sovo_pair_cache, empty at first.
struct PairCache : sovo_pair_cache {
  /// Empty.
  constexpr PairCache() noexcept : sovo_pair_cache() {}
};

/// The answer of a query, world frame, metres: sovo_contact.
struct Contact : sovo_contact {
  /// No answer yet: all zero, outcome SOVO_OUTCOME_NONE.
  constexpr Contact() noexcept : sovo_contact() {}

  /// From C's.
  explicit constexpr Contact(const sovo_contact& contact) noexcept : sovo_contact(contact) {}

  /// Whether the bodies are proven to be free of each other: lower > 0.
  constexpr bool apart() const noexcept { return lower > 0; }

  /// Whether the bracket is closed: SOVO_OUTCOME_CERTIFIED.
  constexpr bool certified() const noexcept { return outcome == SOVO_OUTCOME_CERTIFIED; }

  /// Whether the distance is an answer and not only a bound: SOVO_OUTCOME_CERTIFIED or
  /// SOVO_OUTCOME_CONVERGED.
  constexpr bool converged() const noexcept {
    return certified() || outcome == SOVO_OUTCOME_CONVERGED;
  }
};

/// What clearances are asked for: sovo_clearance_options, every field its default.
struct ClearanceOptions : sovo_clearance_options {
  /// The defaults.
  constexpr ClearanceOptions() noexcept : sovo_clearance_options SOVO_CLEARANCE_OPTIONS_INIT {}
};

/// The contact of two collision shapes on different links: sovo_clearance.
struct Clearance : sovo_clearance {
  /// No answer: all zero.
  constexpr Clearance() noexcept : sovo_clearance() {}

  /// Whether there is an answer: false if no pair is within the distance that was asked for.
  explicit constexpr operator bool() const noexcept { return status != SOVO_COLLISION_STATUS_NONE; }
};

/// The contact of two bodies of a scene: sovo_scene_contact.
struct SceneContact : sovo_scene_contact {
  /// No answer: all zero.
  constexpr SceneContact() noexcept : sovo_scene_contact() {}

  /// Whether there is an answer: false if no pair is within the distance that was asked for.
  explicit constexpr operator bool() const noexcept { return status != SOVO_COLLISION_STATUS_NONE; }
};

/// The answer about one part of a mesh or of a set of boxes: sovo_part_contact.
struct PartContact : sovo_part_contact {
  /// No answer: all zero.
  constexpr PartContact() noexcept : sovo_part_contact() {}

  /// Whether there is an answer: false if all parts are proven to be farther than max_distance.
  explicit constexpr operator bool() const noexcept { return contact.outcome != SOVO_OUTCOME_NONE; }
};

/// Where a ray meets a surface, world frame: sovo_ray_hit.
struct RayHit : sovo_ray_hit {
  /// A miss: all zero.
  constexpr RayHit() noexcept : sovo_ray_hit() {}

  /// Whether it does.
  explicit constexpr operator bool() const noexcept { return hit != 0; }
};

/// The answer of a query in the plane: sovo_planar_contact.
struct PlanarContact : sovo_planar_contact {
  /// No answer yet: all zero, outcome SOVO_OUTCOME_NONE.
  constexpr PlanarContact() noexcept : sovo_planar_contact() {}
};

/// What sovo_shape_support() finds.
struct Support {
  /// h(n) = max n . x over the body.
  double value;
  /// A surface point that attains it, in the body's own frame.
  Vec3 point;
};

/// What sovo_shape_surface_point() finds.
struct SurfacePoint {
  /// The point, in the body's own frame, metres.
  Vec3 point;
  /// The unit outward normal there.
  Vec3 normal;
};

#ifdef SUPEROVOID_EXCEPTIONS
/// A watertight triangle mesh.
struct TriangleMesh {
  /// The vertices, in the body's own frame, metres.
  std::vector<Vec3> vertices;
  /// The triangles, counter-clockwise seen from outside.
  std::vector<Triangle> triangles;
};
#endif

/// A superovoid: sovo_shape. One that was default-constructed is no body, and refused by every query.
struct Shape : sovo_shape {
  /// No body.
  constexpr Shape() noexcept : sovo_shape() {}

  /// From C's.
  explicit constexpr Shape(const sovo_shape& shape) noexcept : sovo_shape(shape) {}

  /// sovo_shape_make(): semi-axes a = {a1, a2, a3} (metres), exponents e = {e1, e2}, tapers t = {tx, ty}.
  [[nodiscard]] static sovo_status try_make(const Vec3& a, const Vec2& e, const Vec2& t,
                                            Shape& shape) noexcept {
    return sovo_shape_make(a.data(), e.data(), t.data(), &shape);
  }

  /// Whether the body is convex: its queries can prove their answers.
  constexpr bool convex() const noexcept { return convexity == SOVO_CONVEXITY_CONVEX; }

#ifdef SUPEROVOID_EXCEPTIONS
  /// sovo_shape_make(): semi-axes a = {a1, a2, a3} (metres), exponents e = {e1, e2}, tapers t = {tx, ty};
  /// without tapers a superellipsoid.
  Shape(const Vec3& a, const Vec2& e, const Vec2& t = {}) : sovo_shape() {
    check(try_make(a, e, t, *this));
  }

  /// An ellipsoid from its semi-axes a = {a1, a2, a3}, metres.
  static Shape ellipsoid(const Vec3& a) { return Shape(a, {1, 1}); }

  /// A sphere from its radius r, metres.
  static Shape sphere(double r) { return ellipsoid({r, r, r}); }

  /// sovo_shape_inside_outside(): F at a point of the body's own frame.
  double inside_outside(const Vec3& point) const {
    double value;
    check(sovo_shape_inside_outside(this, point.data(), &value));
    return value;
  }

  /// sovo_shape_support(): the support function in a direction, and a point that attains it.
  Support support(const Vec3& direction) const {
    Support support;
    check(sovo_shape_support(this, direction.data(), &support.value, support.point.data()));
    return support;
  }

  /// sovo_shape_surface_point(): point and normal at the angles phi1 and phi2, radians.
  SurfacePoint surface_point(double phi1, double phi2) const {
    SurfacePoint at;
    check(sovo_shape_surface_point(this, phi1, phi2, at.point.data(), at.normal.data()));
    return at;
  }

  /// sovo_shape_volume(): cubic metres.
  double volume() const {
    double volume;
    check(sovo_shape_volume(this, &volume));
    return volume;
  }

  /// sovo_shape_mass_properties(): of the solid body of a density, kg/m^3.
  sovo_mass_properties mass_properties(double density) const {
    sovo_mass_properties properties;
    check(sovo_shape_mass_properties(this, density, &properties));
    return properties;
  }

  /// sovo_shape_tessellate(): a mesh of the surface with so many edges around each ring.
  TriangleMesh tessellate(std::size_t segments) const {
    std::size_t vertices, triangles;
    check(sovo_tessellation_size(segments, &vertices, &triangles));
    TriangleMesh mesh{std::vector<Vec3>(vertices), std::vector<Triangle>(triangles)};
    check(sovo_shape_tessellate(this, segments, mesh.vertices.data()->data(), vertices,
                                mesh.triangles.data()->data(), triangles));
    return mesh;
  }

  /// sovo_shape_bounding_sphere(): a sphere about the origin of the body's own frame that holds the body.
  BoundingSphere bounding_sphere() const {
    BoundingSphere sphere;
    check(sovo_shape_bounding_sphere(this, &sphere));
    return sphere;
  }

  /// sovo_shape_aabb(): the smallest box along the world's axes around the body at a pose.
  Aabb aabb(const Pose& pose) const {
    Aabb box;
    check(sovo_shape_aabb(this, &pose, &box));
    return box;
  }

  /// sovo_shape_obb(): the smallest box along the body's own axes around the body at a pose.
  Obb obb(const Pose& pose) const {
    Obb box;
    check(sovo_shape_obb(this, &pose, &box));
    return box;
  }
#endif
};

namespace detail {

/// Whether Derived is laid out as Base, so that arrays of it are arrays of Base.
template <class Derived, class Base>
constexpr bool same_layout = sizeof(Derived) == sizeof(Base) && alignof(Derived) == alignof(Base) &&
                             std::is_base_of_v<Base, Derived> &&
                             std::is_standard_layout_v<Derived> &&
                             std::is_trivially_copyable_v<Derived>;

static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Triangle) == 12);
static_assert(same_layout<Pose, sovo_pose> && same_layout<Shape, sovo_shape>);
static_assert(same_layout<BoundingSphere, sovo_bounding_sphere> && same_layout<Aabb, sovo_aabb>);
static_assert(same_layout<Obb, sovo_obb> && same_layout<PairCache, sovo_pair_cache>);
static_assert(same_layout<Contact, sovo_contact> && same_layout<PartContact, sovo_part_contact>);
static_assert(same_layout<Clearance, sovo_clearance>);
static_assert(same_layout<SceneContact, sovo_scene_contact>);
static_assert(same_layout<RayHit, sovo_ray_hit> && same_layout<PlanarContact, sovo_planar_contact>);

}  // namespace detail

// ------------------------------------------------------------------------------------------- handles

namespace detail {

struct Free {
  void operator()(sovo_mesh* mesh) const noexcept { sovo_mesh_free(mesh); }
  void operator()(sovo_boxes* set) const noexcept { sovo_boxes_free(set); }
  void operator()(sovo_robot* robot) const noexcept { sovo_robot_free(robot); }
  void operator()(sovo_scene* scene) const noexcept { sovo_scene_free(scene); }
};

#ifdef SUPEROVOID_EXCEPTIONS
/// Everything that `query(places, capacity, &count)` finds: asked again where the room was too small.
template <class T, class Query>
std::vector<T> everything(const Query& query) {
  std::vector<T> found(64);
  std::size_t count = 0;
  check(query(found.data(), found.size(), &count));
  const bool complete = count <= found.size();
  found.resize(count);
  if (!complete) check(query(found.data(), found.size(), &count));
  return found;
}
#endif

}  // namespace detail

/// The surface of a triangle mesh: owns a sovo_mesh.
class Mesh {
 public:
  /// Empty.
  Mesh() noexcept = default;

  /// sovo_mesh_new(): from vertices and triangles, both copied. SOVO_STATUS_ERROR_SIZE, without a text, if the
  /// triangles do not lie close together.
  [[nodiscard]] static sovo_status try_make(const Points& vertices, const span<const Triangle>& triangles,
                                            Mesh& mesh) noexcept {
    if (!triangles.dense()) return SOVO_STATUS_ERROR_SIZE;
    sovo_mesh* made = nullptr;
    const auto* indices = reinterpret_cast<const std::uint32_t*>(triangles.first());
    const sovo_status status = sovo_mesh_new(vertices.first(), vertices.size(), vertices.stride(),
                                             indices, triangles.size(), &made);
    if (status == SOVO_STATUS_OK) mesh.handle_.reset(made);
    return status;
  }

#ifdef SUPEROVOID_EXCEPTIONS
  /// sovo_mesh_new(): from vertices and triangles, both copied. The triangles must lie close together.
  Mesh(const Points& vertices, const span<const Triangle>& triangles) {
    if (!triangles.dense()) throw error(SOVO_STATUS_ERROR_SIZE, "triangles must lie close together");
    check(try_make(vertices, triangles, *this));
  }
#endif

  /// For C functions; stays this object's.
  const sovo_mesh* get() const noexcept { return handle_.get(); }

  /// Whether it holds a mesh.
  explicit operator bool() const noexcept { return handle_ != nullptr; }

 private:
  std::unique_ptr<sovo_mesh, detail::Free> handle_;
};

/// Solid boxes along the axes of their common frame: owns a sovo_boxes.
class Boxes {
 public:
  /// Empty.
  Boxes() noexcept = default;

  /// sovo_boxes_new(): from boxes, which are copied. SOVO_STATUS_ERROR_SIZE, without a text, if they do not lie
  /// close together.
  [[nodiscard]] static sovo_status try_make(const span<const sovo_aabb>& boxes, Boxes& set) noexcept {
    if (!boxes.dense()) return SOVO_STATUS_ERROR_SIZE;
    sovo_boxes* made = nullptr;
    const sovo_status status = sovo_boxes_new(boxes.first(), boxes.size(), &made);
    if (status == SOVO_STATUS_OK) set.handle_.reset(made);
    return status;
  }

#ifdef SUPEROVOID_EXCEPTIONS
  /// sovo_boxes_new(): from boxes, which are copied. They must lie close together.
  explicit Boxes(const span<const sovo_aabb>& boxes) {
    if (!boxes.dense()) throw error(SOVO_STATUS_ERROR_SIZE, "boxes must lie close together");
    check(try_make(boxes, *this));
  }
#endif

  /// For C functions; stays this object's.
  const sovo_boxes* get() const noexcept { return handle_.get(); }

  /// Whether it holds boxes.
  explicit operator bool() const noexcept { return handle_ != nullptr; }

 private:
  std::unique_ptr<sovo_boxes, detail::Free> handle_;
};

/// A robot from URDF: owns a sovo_robot. Immutable, so that threads can share it. A configuration is a
/// vector of position_count() numbers, radians and metres; joint() says where each joint has its own.
class Robot {
 public:
  /// Empty.
  Robot() noexcept = default;

  /// sovo_robot_load(): from a URDF file; the path is UTF-8.
  [[nodiscard]] static sovo_status try_load(const char* path, Robot& robot) noexcept {
    sovo_robot* read = nullptr;
    const sovo_status status = sovo_robot_load(path, &read);
    if (status == SOVO_STATUS_OK) robot.handle_.reset(read);
    return status;
  }

  /// sovo_robot_parse(): from the text of a URDF file.
  [[nodiscard]] static sovo_status try_parse(const char* text, std::size_t length,
                                             Robot& robot) noexcept {
    sovo_robot* read = nullptr;
    const sovo_status status = sovo_robot_parse(text, length, &read);
    if (status == SOVO_STATUS_OK) robot.handle_.reset(read);
    return status;
  }

  /// sovo_robot_in_collision(): colliding is false if every pair of bodies is proven to be free, and true
  /// otherwise.
  [[nodiscard]] sovo_status try_in_collision(const double* positions, std::size_t count, bool& colliding,
                                             const ClearanceOptions& options = {}) const noexcept {
    std::int32_t answer = 1;
    const sovo_status status = sovo_robot_in_collision(get(), positions, count, &options, &answer);
    if (status == SOVO_STATUS_OK) colliding = answer != 0;
    return status;
  }

  /// sovo_robot_distance(): the least distance and its pair.
  [[nodiscard]] sovo_status try_distance(const double* positions, std::size_t count,
                                         Clearance& clearance,
                                         const ClearanceOptions& options = {}) const noexcept {
    return sovo_robot_distance(get(), positions, count, &options, &clearance);
  }

#ifdef SUPEROVOID_EXCEPTIONS
  /// sovo_robot_load(): from a URDF file; the path is UTF-8.
  static Robot load(const std::string& path) {
    Robot robot;
    check(try_load(path.c_str(), robot));
    return robot;
  }

  /// sovo_robot_parse(): from the text of a URDF file.
  static Robot parse(const std::string& urdf) {
    Robot robot;
    check(try_parse(urdf.data(), urdf.size(), robot));
    return robot;
  }

  /// sovo_robot_name().
  std::string name() const { return text(&sovo_robot_name); }

  /// sovo_robot_urdf(): the robot as a URDF document.
  std::string urdf() const {
    std::size_t length = 0;
    check(sovo_robot_urdf(get(), nullptr, 0, &length));
    std::string document(length + 1, '\0');
    check(sovo_robot_urdf(get(), &document[0], document.size(), &length));
    document.resize(length);
    return document;
  }

  /// sovo_robot_link_count().
  std::uint32_t link_count() const { return number<std::uint32_t>(&sovo_robot_link_count); }

  /// sovo_robot_link_name().
  std::string link_name(std::uint32_t link) const { return text(&sovo_robot_link_name, link); }

  /// sovo_robot_link_index(): the link of a name.
  std::uint32_t link_index(const std::string& name) const {
    return number<std::uint32_t>(&sovo_robot_link_index, name.c_str());
  }

  /// sovo_robot_parent_joint(): the joint that moves a link; UINT32_MAX for the root.
  std::uint32_t parent_joint(std::uint32_t link) const {
    return number<std::uint32_t>(&sovo_robot_parent_joint, link);
  }

  /// sovo_robot_joint_count().
  std::uint32_t joint_count() const { return number<std::uint32_t>(&sovo_robot_joint_count); }

  /// sovo_robot_joint_name().
  std::string joint_name(std::uint32_t joint) const { return text(&sovo_robot_joint_name, joint); }

  /// sovo_robot_joint_index(): the joint of a name.
  std::uint32_t joint_index(const std::string& name) const {
    return number<std::uint32_t>(&sovo_robot_joint_index, name.c_str());
  }

  /// sovo_robot_joint(): what a joint is, and where it stands in a configuration.
  sovo_joint joint(std::uint32_t index) const { return number<sovo_joint>(&sovo_robot_joint, index); }

  /// sovo_robot_body_count(): how many collision shapes take part in contact.
  std::uint32_t body_count() const { return number<std::uint32_t>(&sovo_robot_body_count); }

  /// sovo_robot_body(): a collision shape that takes part in contact.
  sovo_body body(std::uint32_t index) const { return number<sovo_body>(&sovo_robot_body, index); }

  /// sovo_robot_warning(): the warnings of the reader.
  std::vector<std::string> warnings() const {
    return texts(&sovo_robot_warning_count, &sovo_robot_warning);
  }

  /// sovo_robot_not_in_contact(): the collision shapes that take no part in contact.
  std::vector<std::string> not_in_contact() const {
    return texts(&sovo_robot_not_in_contact_count, &sovo_robot_not_in_contact);
  }

  /// sovo_robot_position_count(): how many numbers a configuration has.
  std::size_t position_count() const { return number<std::size_t>(&sovo_robot_position_count); }

  /// sovo_robot_neutral(): every joint at zero, or at the limit nearest to it.
  std::vector<double> neutral() const {
    std::vector<double> positions(position_count());
    check(sovo_robot_neutral(get(), positions.data(), positions.size()));
    return positions;
  }

  /// sovo_robot_link_poses(): of every link in the frame of the root link.
  std::vector<Pose> link_poses(const std::vector<double>& positions) const {
    std::vector<Pose> poses(link_count());
    check(sovo_robot_link_poses(get(), positions.data(), positions.size(), poses.data(), poses.size()));
    return poses;
  }

  /// sovo_robot_clearances(): of the bodies on different links, closest or deepest first.
  std::vector<Clearance> clearances(const std::vector<double>& positions,
                                    const ClearanceOptions& options = {}) const {
    return detail::everything<Clearance>([&](Clearance* places, std::size_t capacity,
                                             std::size_t* total) {
      return sovo_robot_clearances(get(), positions.data(), positions.size(), &options, places,
                                   capacity, total);
    });
  }

  /// sovo_robot_distance(): the first of clearances() alone, which takes less time.
  Clearance distance(const std::vector<double>& positions, const ClearanceOptions& options = {}) const {
    Clearance clearance;
    check(try_distance(positions.data(), positions.size(), clearance, options));
    return clearance;
  }

  /// sovo_robot_in_collision(): false if every pair of bodies is proven to be free.
  bool in_collision(const std::vector<double>& positions, const ClearanceOptions& options = {}) const {
    bool colliding = true;
    check(try_in_collision(positions.data(), positions.size(), colliding, options));
    return colliding;
  }
#endif

  /// For C functions; stays this object's.
  const sovo_robot* get() const noexcept { return handle_.get(); }

  /// Whether it holds a robot.
  explicit operator bool() const noexcept { return handle_ != nullptr; }

 private:
#ifdef SUPEROVOID_EXCEPTIONS
  template <class T, class... Parameters, class... Arguments>
  T number(sovo_status (*ask)(const sovo_robot*, Parameters...), Arguments... arguments) const {
    T value;
    check(ask(get(), arguments..., &value));
    return value;
  }

  template <class... Parameters, class... Arguments>
  std::string text(sovo_status (*ask)(const sovo_robot*, Parameters...), Arguments... arguments) const {
    return number<const char*>(ask, arguments...);
  }

  std::vector<std::string> texts(sovo_status (*count)(const sovo_robot*, std::uint32_t*),
                                 sovo_status (*ask)(const sovo_robot*, std::uint32_t,
                                                    const char**)) const {
    std::vector<std::string> all(number<std::uint32_t>(count));
    for (std::uint32_t k = 0; k < all.size(); ++k) all[k] = text(ask, k);
    return all;
  }
#endif

  std::unique_ptr<sovo_robot, detail::Free> handle_;
};

#ifdef SUPEROVOID_EXCEPTIONS
/// Bodies and obstacles that are added, moved and removed, and what is close among them: owns a sovo_scene.
/// Not to be used by two threads at once. Bodies are named by numbers, groups by names or numbers.
class Scene {
 public:
  /// sovo_scene_new(): an empty scene.
  Scene() {
    sovo_scene* made = nullptr;
    check(sovo_scene_new(&made));
    handle_.reset(made);
  }

  /// sovo_scene_group(): the group of a name, new if there is none yet.
  std::uint32_t group(const std::string& name) {
    std::uint32_t group;
    check(sovo_scene_group(get(), name.c_str(), &group));
    return group;
  }

  /// sovo_scene_allow(): whether two groups may collide, and so are not compared.
  void allow(std::uint32_t group_a, std::uint32_t group_b, bool allowed = true) {
    check(sovo_scene_allow(get(), group_a, group_b, allowed ? 1 : 0));
  }

  /// sovo_scene_add(): a superovoid that is compared with all bodies and obstacles.
  std::uint64_t add(std::uint32_t group, const sovo_shape& shape, const Pose& pose) {
    std::uint64_t body;
    check(sovo_scene_add(get(), group, &shape, &pose, &body));
    return body;
  }

  /// sovo_scene_add_obstacle(): a superovoid that is compared with bodies only.
  std::uint64_t add_obstacle(std::uint32_t group, const sovo_shape& shape, const Pose& pose) {
    std::uint64_t body;
    check(sovo_scene_add_obstacle(get(), group, &shape, &pose, &body));
    return body;
  }

  /// sovo_scene_add_box(): a solid box, as an obstacle.
  std::uint64_t add_box(std::uint32_t group, const Vec3& half_extents, const Pose& pose) {
    std::uint64_t body;
    check(sovo_scene_add_box(get(), group, half_extents.data(), &pose, &body));
    return body;
  }

  /// sovo_scene_add_half_space(): all x with normal . x <= offset in the frame of a pose, as an obstacle.
  std::uint64_t add_half_space(std::uint32_t group, const Vec3& normal, double offset,
                               const Pose& pose = {}) {
    std::uint64_t body;
    check(sovo_scene_add_half_space(get(), group, normal.data(), offset, &pose, &body));
    return body;
  }

  /// sovo_scene_add_mesh(): a triangle mesh, as an obstacle.
  std::uint64_t add_mesh(std::uint32_t group, const Mesh& mesh, const Pose& pose) {
    std::uint64_t body;
    check(sovo_scene_add_mesh(get(), group, mesh.get(), &pose, &body));
    return body;
  }

  /// sovo_scene_add_boxes(): a set of boxes, as an obstacle.
  std::uint64_t add_boxes(std::uint32_t group, const Boxes& set, const Pose& pose) {
    std::uint64_t body;
    check(sovo_scene_add_boxes(get(), group, set.get(), &pose, &body));
    return body;
  }

  /// sovo_scene_move().
  void move(std::uint64_t body, const Pose& pose) { check(sovo_scene_move(get(), body, &pose)); }

  /// sovo_scene_remove().
  void remove(std::uint64_t body) { check(sovo_scene_remove(get(), body)); }

  /// sovo_scene_count(): how many bodies and obstacles there are.
  std::size_t size() const {
    std::size_t count;
    check(sovo_scene_count(handle_.get(), &count));
    return count;
  }

  /// sovo_scene_contacts(): within options.max_distance, closest or deepest first.
  std::vector<SceneContact> contacts(const QueryOptions& options = {}) {
    return detail::everything<SceneContact>([&](SceneContact* places, std::size_t capacity,
                                                std::size_t* total) {
      return sovo_scene_contacts(get(), &options, places, capacity, total);
    });
  }

  /// sovo_scene_distance(): the first of contacts() alone, which takes less time.
  SceneContact distance(const QueryOptions& options = {}) {
    SceneContact contact;
    check(sovo_scene_distance(get(), &options, &contact));
    return contact;
  }

  /// sovo_scene_in_collision(): false if every pair is proven to be free.
  bool in_collision(const QueryOptions& options = {}) {
    std::int32_t colliding = 1;
    check(sovo_scene_in_collision(get(), &options, &colliding));
    return colliding != 0;
  }

  /// For C functions; stays this object's.
  sovo_scene* get() noexcept { return handle_.get(); }

 private:
  std::unique_ptr<sovo_scene, detail::Free> handle_;
};
#endif

// ------------------------------------------------------------------------------- queries: do not throw

/// sovo_pair_contact().
[[nodiscard]] inline sovo_status try_pair_contact(const sovo_shape& shape_a, const Pose& pose_a,
                                                  const sovo_shape& shape_b, const Pose& pose_b,
                                                  Contact& contact, const QueryOptions& options = {},
                                                  PairCache* cache = nullptr) noexcept {
  return sovo_pair_contact(&shape_a, &pose_a, &shape_b, &pose_b, &options, cache, &contact);
}

/// sovo_vertex_contact().
[[nodiscard]] inline sovo_status try_vertex_contact(const sovo_shape& shape, const Pose& pose,
                                                    const Vec3& point, Contact& contact,
                                                    const VertexOptions& options = {}) noexcept {
  return sovo_vertex_contact(&shape, &pose, point.data(), &options, &contact);
}

/// sovo_mesh_contact().
[[nodiscard]] inline sovo_status try_mesh_contact(const sovo_shape& shape, const Pose& pose,
                                                  const Mesh& mesh, const Pose& mesh_pose,
                                                  PartContact& contact,
                                                  const QueryOptions& options = {}) noexcept {
  return sovo_mesh_contact(&shape, &pose, mesh.get(), &mesh_pose, &options, &contact);
}

/// sovo_boxes_contact().
[[nodiscard]] inline sovo_status try_boxes_contact(const sovo_shape& shape, const Pose& pose,
                                                   const Boxes& set, const Pose& set_pose,
                                                   PartContact& contact,
                                                   const QueryOptions& options = {}) noexcept {
  return sovo_boxes_contact(&shape, &pose, set.get(), &set_pose, &options, &contact);
}

/// Many pairs at once: sovo_pair_batch. As many pairs as contacts; every other array has as many elements,
/// or is repeat() of one.
struct PairBatch {
  /// Bodies A.
  span<const sovo_shape> shapes_a;
  /// Their poses.
  span<const sovo_pose> poses_a;
  /// Bodies B.
  span<const sovo_shape> shapes_b;
  /// Their poses.
  span<const sovo_pose> poses_b;
  /// Places for the answers.
  span<sovo_contact> contacts;
  /// A cache for each pair, or none at all.
  span<sovo_pair_cache> caches = {};
  /// How many threads share the work, 0 and 1: only the calling one.
  std::uint32_t threads = 1;
};

/// Many points against one superovoid: sovo_vertex_batch. As many points as contacts.
struct VertexBatch {
  /// The points, world frame.
  Points points;
  /// Places for the answers.
  span<sovo_contact> contacts;
  /// How many threads share the work, 0 and 1: only the calling one.
  std::uint32_t threads = 1;
};

namespace detail {

/// The first array of a batch whose length is wrong, nullptr if none is.
inline const char* misfit(const PairBatch& batch) noexcept {
  const std::size_t count = batch.contacts.size();
  const auto fits = [count](const auto& elements) {
    return elements.size() == count || (elements.size() == 1 && elements.stride() == 0);
  };
  if (!fits(batch.shapes_a)) return "shapes_a";
  if (!fits(batch.poses_a)) return "poses_a";
  if (!fits(batch.shapes_b)) return "shapes_b";
  if (!fits(batch.poses_b)) return "poses_b";
  if (!batch.caches.empty() && !fits(batch.caches)) return "caches";
  return nullptr;
}

inline const char* misfit(const VertexBatch& batch) noexcept {
  return batch.points.size() == batch.contacts.size() ? nullptr : "points";
}

inline sovo_pair_batch to_c(const PairBatch& batch) noexcept {
  sovo_pair_batch c = SOVO_PAIR_BATCH_INIT;
  c.count = batch.contacts.size();
  c.shapes_a = batch.shapes_a.first();
  c.shape_a_stride = batch.shapes_a.stride();
  c.poses_a = batch.poses_a.first();
  c.pose_a_stride = batch.poses_a.stride();
  c.shapes_b = batch.shapes_b.first();
  c.shape_b_stride = batch.shapes_b.stride();
  c.poses_b = batch.poses_b.first();
  c.pose_b_stride = batch.poses_b.stride();
  c.caches = batch.caches.first();
  c.cache_stride = batch.caches.stride();
  c.contacts = batch.contacts.first();
  c.contact_stride = batch.contacts.stride();
  c.threads = batch.threads;
  return c;
}

inline sovo_vertex_batch to_c(const VertexBatch& batch) noexcept {
  sovo_vertex_batch c = SOVO_VERTEX_BATCH_INIT;
  c.count = batch.contacts.size();
  c.points = batch.points.first();
  c.point_stride = batch.points.stride();
  c.contacts = batch.contacts.first();
  c.contact_stride = batch.contacts.stride();
  c.threads = batch.threads;
  return c;
}

/// What is asked whether to end a batch when nobody is.
struct Never {
  bool operator()(std::size_t, std::size_t) const noexcept { return false; }
};

/// Lets a batch ask `cancel`, of any type, through C's callback. What it throws ends the batch and is kept,
/// since no exception may cross the library.
template <class Cancel>
class Asked {
 public:
  template <class CBatch>
  Asked(Cancel& cancel, CBatch& batch) noexcept : cancel_(cancel) {
    if (std::is_same_v<Cancel, const Never>) return;
    batch.cancel = &ask;
    batch.cancel_data = this;
  }

#ifdef SUPEROVOID_EXCEPTIONS
  /// Throws what `cancel` has thrown.
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }
#endif

 private:
  static std::int32_t ask(void* data, std::size_t done, std::size_t count) noexcept {
    Asked& self = *static_cast<Asked*>(data);
#ifdef SUPEROVOID_EXCEPTIONS
    try {
      return self.cancel_(done, count) ? 1 : 0;
    } catch (...) {
      self.thrown_ = std::current_exception();
      return 1;
    }
#else
    return self.cancel_(done, count) ? 1 : 0;
#endif
  }

  Cancel& cancel_;
#ifdef SUPEROVOID_EXCEPTIONS
  std::exception_ptr thrown_;
#endif
};

/// What a cancel function that must not throw has to be. Without exceptions none can.
template <class Cancel>
constexpr bool silent =
#ifdef SUPEROVOID_EXCEPTIONS
    std::is_nothrow_invocable_r_v<bool, Cancel&, std::size_t, std::size_t>;
#else
    std::is_invocable_r_v<bool, Cancel&, std::size_t, std::size_t>;
#endif

}  // namespace detail

/// sovo_pair_contact_batch(). cancel(done, count) is asked now and then, on the calling thread, whether to end
/// the batch; it must be noexcept. SOVO_STATUS_ERROR_SIZE, without a text, if an array has the wrong length.
template <class Cancel = const detail::Never>
[[nodiscard]] sovo_status try_pair_contact_batch(const PairBatch& batch, const QueryOptions& options = {},
                                            Cancel&& cancel = {}) noexcept {
  static_assert(detail::silent<Cancel>, "cancel must be a noexcept bool(std::size_t, std::size_t)");
  if (detail::misfit(batch)) return SOVO_STATUS_ERROR_SIZE;
  sovo_pair_batch c = detail::to_c(batch);
  const detail::Asked<std::remove_reference_t<Cancel>> asked(cancel, c);
  return sovo_pair_contact_batch(&c, &options);
}

/// sovo_vertex_contact_batch(). cancel and sizes as for try_pair_contact_batch().
template <class Cancel = const detail::Never>
[[nodiscard]] sovo_status try_vertex_contact_batch(const sovo_shape& shape, const Pose& pose,
                                              const VertexBatch& batch,
                                              const VertexOptions& options = {},
                                              Cancel&& cancel = {}) noexcept {
  static_assert(detail::silent<Cancel>, "cancel must be a noexcept bool(std::size_t, std::size_t)");
  if (detail::misfit(batch)) return SOVO_STATUS_ERROR_SIZE;
  sovo_vertex_batch c = detail::to_c(batch);
  const detail::Asked<std::remove_reference_t<Cancel>> asked(cancel, c);
  return sovo_vertex_contact_batch(&shape, &pose, &c, &options);
}

// -------------------------------------------------------------------------------------- queries: throw

#ifdef SUPEROVOID_EXCEPTIONS

/// sovo_pair_contact(): two superovoids.
inline Contact pair_contact(const sovo_shape& shape_a, const Pose& pose_a, const sovo_shape& shape_b,
                            const Pose& pose_b, const QueryOptions& options = {},
                            PairCache* cache = nullptr) {
  Contact contact;
  check(try_pair_contact(shape_a, pose_a, shape_b, pose_b, contact, options, cache));
  return contact;
}

/// sovo_vertex_contact(): a superovoid and a point, world frame.
inline Contact vertex_contact(const sovo_shape& shape, const Pose& pose, const Vec3& point,
                              const VertexOptions& options = {}) {
  Contact contact;
  check(try_vertex_contact(shape, pose, point, contact, options));
  return contact;
}

/// Published methods, for comparison with the exact queries.
namespace published {

/// sovo_published_scheme_contact(): two superovoids by one of the four schemes of Goncalves et al. (2017).
inline Contact scheme_contact(sovo_scheme scheme, const sovo_shape& shape_a, const Pose& pose_a,
                              const sovo_shape& shape_b, const Pose& pose_b,
                              const QueryOptions& options = {}, PairCache* cache = nullptr,
                              sovo_jacobian jacobian = SOVO_JACOBIAN_ANALYTIC) {
  Contact contact;
  check(sovo_published_scheme_contact(static_cast<std::uint32_t>(scheme), static_cast<std::uint32_t>(jacobian),
                                      &shape_a, &pose_a, &shape_b, &pose_b, &options, cache, &contact));
  return contact;
}

/// sovo_published_iterative_vertex_contact(): a superovoid and a point by the iterative geometric method.
inline Contact iterative_vertex_contact(const sovo_shape& shape, const Pose& pose, const Vec3& point,
                                        const VertexOptions& options = {}) {
  Contact contact;
  check(sovo_published_iterative_vertex_contact(&shape, &pose, point.data(), &options, &contact));
  return contact;
}

/// sovo_published_radial_vertex_contact(): the surface point on the ray from the centre through a point.
inline Contact radial_vertex_contact(const sovo_shape& shape, const Pose& pose, const Vec3& point,
                                     const VertexOptions& options = {}) {
  Contact contact;
  check(sovo_published_radial_vertex_contact(&shape, &pose, point.data(), &options, &contact));
  return contact;
}

}  // namespace published

namespace detail {

template <class Batch>
void check_sizes(const Batch& batch) {
  if (const char* array = misfit(batch))
    throw error(SOVO_STATUS_ERROR_SIZE, std::string(array) + " must have as many elements as contacts, " +
                                     std::to_string(batch.contacts.size()));
}

}  // namespace detail

/// sovo_pair_contact_batch(): many pairs, all or none.
///
/// cancel(done, count) is asked now and then, on the calling thread, whether to end the batch:
/// superovoid::error with SOVO_STATUS_ERROR_CANCELLED if it says true; what it throws ends the batch too, and
/// comes out here.
template <class Cancel = const detail::Never>
void pair_contact_batch(const PairBatch& batch, const QueryOptions& options = {}, Cancel&& cancel = {}) {
  detail::check_sizes(batch);
  sovo_pair_batch c = detail::to_c(batch);
  const detail::Asked<std::remove_reference_t<Cancel>> asked(cancel, c);
  const sovo_status status = sovo_pair_contact_batch(&c, &options);
  asked.rethrow();
  check(status);
}

/// sovo_vertex_contact_batch(): many points against one superovoid, all or none; cancel as for
/// pair_contact_batch().
template <class Cancel = const detail::Never>
void vertex_contact_batch(const sovo_shape& shape, const Pose& pose, const VertexBatch& batch,
                     const VertexOptions& options = {}, Cancel&& cancel = {}) {
  detail::check_sizes(batch);
  sovo_vertex_batch c = detail::to_c(batch);
  const detail::Asked<std::remove_reference_t<Cancel>> asked(cancel, c);
  const sovo_status status = sovo_vertex_contact_batch(&shape, &pose, &c, &options);
  asked.rethrow();
  check(status);
}

/// sovo_plane_contact(): a superovoid and the thin plane of all x with normal . x = offset.
inline Contact plane_contact(const sovo_shape& shape, const Pose& pose, const Vec3& normal,
                             double offset) {
  Contact contact;
  check(sovo_plane_contact(&shape, &pose, normal.data(), offset, &contact));
  return contact;
}

/// sovo_half_space_contact(): a superovoid and the solid half-space of all x with normal . x <= offset.
inline Contact half_space_contact(const sovo_shape& shape, const Pose& pose, const Vec3& normal,
                                  double offset) {
  Contact contact;
  check(sovo_half_space_contact(&shape, &pose, normal.data(), offset, &contact));
  return contact;
}

/// sovo_segment_contact(): a superovoid and the segment between two points, world frame.
inline Contact segment_contact(const sovo_shape& shape, const Pose& pose, const Vec3& from,
                               const Vec3& to, const QueryOptions& options = {}) {
  Contact contact;
  check(sovo_segment_contact(&shape, &pose, from.data(), to.data(), &options, &contact));
  return contact;
}

/// sovo_triangle_contact(): a superovoid and the triangle of three points, world frame.
inline Contact triangle_contact(const sovo_shape& shape, const Pose& pose, const Vec3& a, const Vec3& b,
                                const Vec3& c, const QueryOptions& options = {}) {
  const double corners[9] = {a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]};
  Contact contact;
  check(sovo_triangle_contact(&shape, &pose, corners, &options, &contact));
  return contact;
}

/// sovo_box_contact(): a superovoid and a solid box.
inline Contact box_contact(const sovo_shape& shape, const Pose& pose, const Vec3& half_extents,
                           const Pose& box_pose, const QueryOptions& options = {}) {
  Contact contact;
  check(sovo_box_contact(&shape, &pose, half_extents.data(), &box_pose, &options, &contact));
  return contact;
}

/// sovo_hull_contact(): a superovoid and the convex hull of points in the frame of hull_pose.
inline Contact hull_contact(const sovo_shape& shape, const Pose& pose, const Points& points,
                            const Pose& hull_pose, const QueryOptions& options = {}) {
  Contact contact;
  check(sovo_hull_contact(&shape, &pose, points.first(), points.size(), points.stride(), &hull_pose,
                          &options, &contact));
  return contact;
}

/// sovo_mesh_contact(): the triangle of a mesh with the least signed distance to a superovoid.
inline PartContact mesh_contact(const sovo_shape& shape, const Pose& pose, const Mesh& mesh,
                                const Pose& mesh_pose, const QueryOptions& options = {}) {
  PartContact contact;
  check(try_mesh_contact(shape, pose, mesh, mesh_pose, contact, options));
  return contact;
}

/// sovo_boxes_contact(): the box of a set with the least signed distance to a superovoid.
inline PartContact boxes_contact(const sovo_shape& shape, const Pose& pose, const Boxes& set,
                                 const Pose& set_pose, const QueryOptions& options = {}) {
  PartContact contact;
  check(try_boxes_contact(shape, pose, set, set_pose, contact, options));
  return contact;
}

/// sovo_mesh_contacts(): every triangle of a mesh within margin (metres) of a superovoid.
inline std::vector<PartContact> mesh_contacts(const sovo_shape& shape, const Pose& pose,
                                              const Mesh& mesh, const Pose& mesh_pose, double margin,
                                              const QueryOptions& options = {}) {
  return detail::everything<PartContact>([&](PartContact* contacts, std::size_t capacity, std::size_t* count) {
    return sovo_mesh_contacts(&shape, &pose, mesh.get(), &mesh_pose, margin, &options, contacts,
                              capacity, count);
  });
}

/// sovo_boxes_contacts(): every box of a set within margin (metres) of a superovoid.
inline std::vector<PartContact> boxes_contacts(const sovo_shape& shape, const Pose& pose,
                                               const Boxes& set, const Pose& set_pose, double margin,
                                               const QueryOptions& options = {}) {
  return detail::everything<PartContact>([&](PartContact* contacts, std::size_t capacity, std::size_t* count) {
    return sovo_boxes_contacts(&shape, &pose, set.get(), &set_pose, margin, &options, contacts,
                               capacity, count);
  });
}

/// sovo_ray_cast(): the first hit of origin + t * direction, 0 <= t <= max_time_of_impact, on a
/// superovoid; one that is not solid is a shell, which an origin inside meets from within.
inline RayHit ray_cast(const sovo_shape& shape, const Pose& pose, const Vec3& origin,
                       const Vec3& direction,
                       double max_time_of_impact = std::numeric_limits<double>::infinity(),
                       bool solid = true) {
  RayHit hit;
  check(sovo_ray_cast(&shape, &pose, origin.data(), direction.data(), max_time_of_impact, solid, &hit));
  return hit;
}

/// sovo_segment_cast(): the first hit of the segment between two points on a superovoid.
inline RayHit segment_cast(const sovo_shape& shape, const Pose& pose, const Vec3& from, const Vec3& to,
                           bool solid = true) {
  RayHit hit;
  check(sovo_segment_cast(&shape, &pose, from.data(), to.data(), solid, &hit));
  return hit;
}

/// sovo_planar_segment_contact(): a superellipse and a segment, both in the plane.
inline PlanarContact planar_segment_contact(const Vec2& semi_axes, double exponent,
                                            const Vec2& translation, double angle, const Vec2& from,
                                            const Vec2& to) {
  PlanarContact contact;
  check(sovo_planar_segment_contact(semi_axes.data(), exponent, translation.data(), angle, from.data(),
                                    to.data(), &contact));
  return contact;
}

/// sovo_bounding_sphere_distance(): of two balls, 0 if they meet.
inline double distance(const BoundingSphere& a, const BoundingSphere& b) {
  double distance;
  check(sovo_bounding_sphere_distance(&a, &b, &distance));
  return distance;
}

/// sovo_aabb_distance(): of two boxes, 0 if they meet.
inline double distance(const Aabb& a, const Aabb& b) {
  double distance;
  check(sovo_aabb_distance(&a, &b, &distance));
  return distance;
}

/// sovo_obb_distance(): a lower bound of the distance of two boxes, 0 if they meet.
inline double distance(const Obb& a, const Obb& b) {
  double distance;
  check(sovo_obb_distance(&a, &b, &distance));
  return distance;
}

#endif  // SUPEROVOID_EXCEPTIONS

}  // namespace superovoid

#endif  // SUPEROVOID_HPP
