/// @file
/// superovoid for C++17: values, handles and exceptions over the C interface of superovoid.h. The library is
/// header-only, adds no cost and no state, and programs link the same binary library.
///
/// SPDX-License-Identifier: MIT OR Apache-2.0
///
///     #include <superovoid.hpp>
///
///     const superovoid::Superovoid egg({0.02, 0.02, 0.03}, {1, 1}, {0.2, 0.2});
///     const superovoid::Superovoid brick({0.05, 0.03, 0.01}, {0.1, 0.1});
///     const auto contact = superovoid::contact(egg, {}, brick, superovoid::Pose({0, 0, 0.05}));
///     std::cout << contact.distance << " m apart\n";
///
/// Frames, units, signs, proofs and threads are those of superovoid.h. Each function calls the C function of its
/// name, whose comment has everything that is not repeated here.
///
/// VALUES  Superovoid, Pose, Contact and the other structs derive from those of C, add functions only, and have their size
/// and layout: a Superovoid can be passed where C needs a sovo_superovoid, a std::vector<Superovoid> is an array of sovo_superovoid, and
/// C functions without a wrapper can be called directly. Their fields are those of C, and so are the enumerators
/// (SOVO_DEPTH_FAST, SOVO_OUTCOME_CERTIFIED).
///
/// VECTORS  Vec3 takes {x, y, z}, double[3] and std::array<double, 3>; with superovoid/eigen.hpp also Eigen's
/// vectors. Types of other libraries work everywhere once vector_of, pose_of or points_of is specialised.
///
/// ERRORS  Functions throw superovoid::error, with a status and a text. The try_ functions never throw, return the
/// status, and leave their output unchanged on an error; sovo_last_error() has the text. Without exceptions
/// (-fno-exceptions) only functions that do not throw are declared: the values, the handles and the try_ functions.
/// The header needs no RTTI.
///
/// BODIES  A Body is a body of any kind: Body::cylinder() and so on make one, and a Superovoid, Hull, TriMesh, BoxSet or HeightField is
/// taken wherever a Body is. contact(), time_of_impact(), derivatives() and ray_cast() take any.
///
/// HANDLES  Hull, TriMesh, BoxSet, HeightField, Robot, Scene, Spline and Plan own their object, and can be moved, not copied. One that was
/// default-constructed or moved from is empty, and every query rejects it.
#ifndef SUPEROVOID_HPP
#define SUPEROVOID_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <superovoid.h>

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
/// This macro is defined where exceptions are enabled, and with them the functions that throw.
#define SUPEROVOID_EXCEPTIONS 1
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>
#endif

/// Exact contact between superovoids.
namespace superovoid {

#ifdef SUPEROVOID_EXCEPTIONS

/// An error of the library: the status of the C call, and its text as what().
class error : public std::runtime_error {
 public:
  /// Makes an error from a status and a text.
  error(sovo_status status, const std::string& text) : std::runtime_error(text), status_(status) {}

  /// Returns the status, which is never SOVO_STATUS_OK.
  sovo_status status() const noexcept { return status_; }

 private:
  sovo_status status_;
};

/// Throws superovoid::error, with the text of sovo_last_error(), unless the call succeeded.
inline void check(sovo_status status) {
  if (status != SOVO_STATUS_OK) throw error(status, sovo_last_error());
}

#endif  // SUPEROVOID_EXCEPTIONS

/// Returns the version of the library that runs, such as "0.1.0"; SOVO_VERSION is that of the headers.
inline const char* version() noexcept { return sovo_version(); }

/// Returns the name of a status, such as "SOVO_STATUS_ERROR_NULL".
inline const char* name(sovo_status status) noexcept { return sovo_status_name(status); }

// ------------------------------------------------------------------------------------------- vectors

/// The conversion of a type T of another library to a vector: specialise it with a function `static Vec3 from(const
/// T&)`, and T is accepted wherever a Vec3 is.
template <class T, class = void>
struct vector_of {};

/// The conversion of a type T of another library to a pose: specialise it with a function `static Pose from(const
/// T&)`, and T is accepted wherever a Pose is.
template <class T, class = void>
struct pose_of {};

/// The conversion of a type T of another library to many points, without a copy: specialise it with a function
/// `static Points from(const T&)`, and T is accepted wherever Points are.
template <class T, class = void>
struct points_of {};

/// The standard library's vector.
template <>
struct vector_of<std::array<double, 3>> {
  /// Returns the same numbers.
  static constexpr const std::array<double, 3>& from(const std::array<double, 3>& v) { return v; }
};

/// Two numbers: exponents, tapers, or a vector in two dimensions.
using Vec2 = std::array<double, 2>;

/// A point or a direction: three numbers, metres for a point.
struct Vec3 : std::array<double, 3> {
  /// Makes the origin.
  constexpr Vec3() noexcept : array{} {}

  /// Makes a vector from its coordinates.
  constexpr Vec3(double x, double y, double z) noexcept : array{{x, y, z}} {}

  /// Makes a vector from three numbers, such as the fields of a Contact.
  constexpr Vec3(const double (&v)[3]) noexcept : array{{v[0], v[1], v[2]}} {}

  /// Makes a vector from an array, or from another library's vector: see vector_of.
  template <class T, class = decltype(vector_of<T>::from(std::declval<const T&>()))>
  constexpr Vec3(const T& v) : array(vector_of<T>::from(v)) {}
};

/// The three vertices of a triangle, by their indices.
using Triangle = std::array<std::uint32_t, 3>;

/// A view of an array that it does not own: a pointer, a count, and the bytes from one element to the next. It is
/// made from std::vector, std::array, C arrays, std::span and everything with data() and size(), also of a type
/// derived from T, or from the first T in an array of larger elements:
///
///     span<const sovo_pose>(&bodies[0].pose, bodies.size(), sizeof bodies[0])
template <class T>
class span {
  template <class U>
  static constexpr bool fits = std::is_convertible_v<U*, T*>;

 public:
  /// Makes a view without elements.
  constexpr span() noexcept = default;

  /// Makes a view of count elements, of which the first is given; stride is the bytes from one to the next.
  constexpr span(T* first, std::size_t count, std::size_t stride = sizeof(T)) noexcept
      : data_(first), size_(count), stride_(stride) {}

  /// Makes a view of a C array.
  template <class U, std::size_t N, class = std::enable_if_t<fits<U>>>
  constexpr span(U (&array)[N]) noexcept : data_(array), size_(N), stride_(sizeof(U)) {}

  /// Makes a view of a container, which must outlive it.
  template <class C, class U = std::remove_pointer_t<decltype(std::declval<C&>().data())>,
            class = decltype(std::declval<C&>().size()),
            class = std::enable_if_t<fits<U>>>
  constexpr span(C&& container) noexcept
      : data_(container.data()), size_(container.size()), stride_(sizeof(U)) {}

  /// Makes a view of the same elements as their base class, or as constants.
  template <class U, class = std::enable_if_t<fits<U>>>
  constexpr span(const span<U>& other) noexcept
      : data_(other.first()), size_(other.size()), stride_(other.stride()) {}

  /// Returns the first element.
  constexpr T* first() const noexcept { return data_; }

  /// Returns the number of elements.
  constexpr std::size_t size() const noexcept { return size_; }

  /// Returns whether there are no elements.
  constexpr bool empty() const noexcept { return size_ == 0; }

  /// Returns the bytes from one element to the next.
  constexpr std::size_t stride() const noexcept { return stride_; }

  /// Returns whether the elements are contiguous.
  constexpr bool dense() const noexcept { return size_ < 2 || stride_ == sizeof(T); }

  /// Returns element k, which must be less than size().
  T& operator[](std::size_t k) const noexcept {
    using byte = std::conditional_t<std::is_const_v<T>, const unsigned char, unsigned char>;
    return *reinterpret_cast<T*>(reinterpret_cast<byte*>(data_) + k * stride_);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t stride_ = sizeof(T);
};

/// Makes a view with the same element for every pair of a batch. The element must outlive the call.
template <class T>
constexpr span<const T> repeat(const T& element) noexcept {
  return span<const T>(&element, 1, 0);
}
/// A temporary would be destroyed before the call.
template <class T>
span<const T> repeat(const T&&) = delete;

/// A view of the numbers of a configuration, or of several configurations one after the other, radians and metres. It is
/// made from std::vector, std::array, C arrays, std::span and everything else contiguous with data() and size(), from a
/// pointer and a count, or from a list in braces, which must outlive it; nothing is copied.
class Positions {
  // A view of another library, such as a row of a matrix, may have gaps: it comes as a pointer and a count.
  template <class C, class = void>
  struct gapless : std::true_type {};
  template <class C>
  struct gapless<C, std::void_t<decltype(std::declval<const C&>().innerStride())>> : std::false_type {};

 public:
  /// Makes a view without numbers.
  constexpr Positions() noexcept = default;

  /// Makes a view of count numbers.
  constexpr Positions(const double* first, std::size_t count) noexcept : data_(first), size_(count) {}

  /// Makes a view of a list, which lives until the end of the call that it is written in.
  constexpr Positions(std::initializer_list<double> list) noexcept : Positions(std::data(list), list.size()) {}

  /// Makes a view of a C array.
  template <std::size_t N>
  constexpr Positions(const double (&array)[N]) noexcept : data_(array), size_(N) {}

  /// Makes a view of a container or std::span.
  template <class C, class = std::enable_if_t<std::is_same_v<
                         std::remove_const_t<std::remove_pointer_t<decltype(std::declval<const C&>().data())>>, double>>,
            class = decltype(std::declval<const C&>().size()), class = std::enable_if_t<gapless<C>::value>>
  constexpr Positions(const C& container) noexcept
      : data_(container.data()), size_(static_cast<std::size_t>(container.size())) {}

  /// Returns the first number.
  constexpr const double* data() const noexcept { return data_; }

  /// Returns the number of numbers.
  constexpr std::size_t size() const noexcept { return size_; }

 private:
  const double* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A view of many points: each is three numbers, one after the other, metres.
class Points {
 public:
  /// Makes a view without points.
  constexpr Points() noexcept = default;

  /// Makes a view of count points, of which the first coordinate of the first is given; stride is the bytes from one
  /// point to the next.
  constexpr Points(const double* first, std::size_t count,
                   std::size_t stride = 3 * sizeof(double)) noexcept
      : data_(first), size_(count), stride_(stride) {}

  /// Makes a view of the rows of a C array.
  template <std::size_t N>
  constexpr Points(const double (&rows)[N][3]) noexcept : data_(rows[0]), size_(N) {}

  /// Makes a view of the elements, Vec3 or std::array<double, 3>, of a container or span, which must outlive it; or
  /// of another library's points: see points_of.
  template <class T, class = decltype(points_of<T>::from(std::declval<const T&>()))>
  constexpr Points(const T& points) : Points(points_of<T>::from(points)) {}

  /// Returns the first coordinate of the first point.
  constexpr const double* first() const noexcept { return data_; }

  /// Returns the number of points.
  constexpr std::size_t size() const noexcept { return size_; }

  /// Returns the bytes from one point to the next.
  constexpr std::size_t stride() const noexcept { return stride_; }

 private:
  const double* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t stride_ = 3 * sizeof(double);
};

/// The conversion of containers and spans of Vec3 or of std::array<double, 3>.
template <class T>
struct points_of<T, std::enable_if_t<std::is_convertible_v<const T&, span<const std::array<double, 3>>>>> {
  /// Returns the same points.
  static constexpr Points from(const T& container) {
    const span<const std::array<double, 3>> points(container);
    return Points(points.empty() ? nullptr : points.first()->data(), points.size(), points.stride());
  }
};

// -------------------------------------------------------------------------------------------- values

/// A pose of a body, sovo_pose; the default is the identity.
struct Pose : sovo_pose {
  /// Makes the identity.
  constexpr Pose() noexcept : Pose(Vec3()) {}

  /// Makes a pose from a translation t, metres, and a rotation as a quaternion q in the order x, y, z, w, of any
  /// length but zero. The queries check it.
  constexpr Pose(const Vec3& t, const std::array<double, 4>& q = {0, 0, 0, 1}) noexcept
      : sovo_pose{{t[0], t[1], t[2]}, {q[0], q[1], q[2], q[3]}} {}

  /// Makes a pose from that of C, or from another library's pose: see pose_of.
  template <class T, class = decltype(pose_of<T>::from(std::declval<const T&>()))>
  constexpr Pose(const T& pose) : sovo_pose(pose_of<T>::from(pose)) {}

  /// Calls sovo_pose_from_matrix(): rows is the rotation matrix, row by row, t the translation, metres.
  [[nodiscard]] static sovo_status try_from_matrix(const std::array<double, 9>& rows, const Vec3& t,
                                                   Pose& pose) noexcept {
    return sovo_pose_from_matrix(rows.data(), t.data(), &pose);
  }

#ifdef SUPEROVOID_EXCEPTIONS
  /// Calls sovo_pose_from_matrix(): rows is the rotation matrix, row by row, t the translation, metres.
  static Pose from_matrix(const std::array<double, 9>& rows, const Vec3& t) {
    Pose pose;
    check(try_from_matrix(rows, t, pose));
    return pose;
  }

  /// Calls sovo_pose_rotation_matrix(): the rotation matrix, row by row.
  std::array<double, 9> rotation_matrix() const {
    std::array<double, 9> rows;
    check(sovo_pose_rotation_matrix(this, rows.data()));
    return rows;
  }
#endif
};

/// The conversion of the pose of C.
template <>
struct pose_of<sovo_pose> {
  /// Returns the same pose.
  static constexpr const sovo_pose& from(const sovo_pose& pose) { return pose; }
};

/// A sphere, metres: sovo_bounding_sphere.
struct BoundingSphere : sovo_bounding_sphere {
  /// Makes a sphere that is all zero.
  constexpr BoundingSphere() noexcept : sovo_bounding_sphere() {}

  /// Makes a sphere from its centre c and radius r.
  constexpr BoundingSphere(const Vec3& c, double r) noexcept : sovo_bounding_sphere{{c[0], c[1], c[2]}, r} {}
};

/// A box with faces perpendicular to the axes of its frame, metres: sovo_aabb.
struct Aabb : sovo_aabb {
  /// Makes a box that is all zero.
  constexpr Aabb() noexcept : sovo_aabb() {}

  /// Makes a box from its smallest coordinates a and its largest b.
  constexpr Aabb(const Vec3& a, const Vec3& b) noexcept
      : sovo_aabb{{a[0], a[1], a[2]}, {b[0], b[1], b[2]}} {}
};

/// A box in any orientation: sovo_obb.
struct Obb : sovo_obb {
  /// Makes a box that is all zero.
  constexpr Obb() noexcept : sovo_obb() {}

  /// Makes a box from its centre and axes, and half the lengths of its edges along these, metres.
  constexpr Obb(const Pose& axes, const Vec3& half) noexcept
      : sovo_obb{axes, {half[0], half[1], half[2]}} {}
};

/// The options of a query: sovo_query_options, every field at its default.
struct QueryOptions : sovo_query_options {
  /// Makes the default options.
  constexpr QueryOptions() noexcept : sovo_query_options SOVO_QUERY_OPTIONS_INIT {}
};

/// The options of a vertex query: sovo_vertex_options, every field at its default.
struct VertexOptions : sovo_vertex_options {
  /// Makes the default options.
  constexpr VertexOptions() noexcept : sovo_vertex_options SOVO_VERTEX_OPTIONS_INIT {}
};

/// The warm-start data of a pair: sovo_pair_cache, empty at first.
struct PairCache : sovo_pair_cache {
  /// Makes an empty cache.
  constexpr PairCache() noexcept : sovo_pair_cache() {}
};

/// The answer of a query, world frame, metres: sovo_contact.
struct Contact : sovo_contact {
  /// Makes a contact without an answer: all zero, outcome SOVO_OUTCOME_NONE.
  constexpr Contact() noexcept : sovo_contact() {}

  /// Makes a contact from that of C.
  explicit constexpr Contact(const sovo_contact& contact) noexcept : sovo_contact(contact) {}

  /// Returns whether the bodies are proven to be free of each other: lower > 0.
  constexpr bool apart() const noexcept { return lower > 0; }

  /// Returns whether the bracket is closed: SOVO_OUTCOME_CERTIFIED.
  constexpr bool certified() const noexcept { return outcome == SOVO_OUTCOME_CERTIFIED; }

  /// Returns whether the distance is an answer and not only a bound: SOVO_OUTCOME_CERTIFIED or
  /// SOVO_OUTCOME_CONVERGED.
  constexpr bool converged() const noexcept {
    return certified() || outcome == SOVO_OUTCOME_CONVERGED;
  }
};

/// The motion of a body over t from 0 to 1: sovo_motion.
struct Motion : sovo_motion {
  /// Makes a body at rest at the identity.
  constexpr Motion() noexcept : Motion(Pose()) {}

  /// Makes a body at rest.
  constexpr Motion(const Pose& at) noexcept : Motion(at, {}, {}) {}

  /// Makes a motion from its first pose and constant velocities v and w along the world's axes, metres and radians for
  /// the whole motion: of the point c of the body (its own frame), or for SOVO_MOTION_KIND_SCREW of its origin at first.
  constexpr Motion(const Pose& at, const Vec3& v, const Vec3& w,
                   sovo_motion_kind type = SOVO_MOTION_KIND_LINE_SPIN, const Vec3& c = {}) noexcept
      : sovo_motion{at,
                    {c[0], c[1], c[2]},
                    {v[0], v[1], v[2]},
                    {w[0], w[1], w[2]},
                    static_cast<std::uint32_t>(type),
                    0} {}

#ifdef SUPEROVOID_EXCEPTIONS
  /// Calls sovo_motion_between(): the motion from one pose to another.
  static Motion between(const Pose& from, const Pose& to, sovo_motion_kind type = SOVO_MOTION_KIND_LINE_SPIN) {
    Motion motion;
    check(sovo_motion_between(static_cast<std::uint32_t>(type), &from, &to, &motion));
    return motion;
  }

  /// Calls sovo_motion_pose(): the pose at an instant.
  Pose pose(double t) const {
    Pose there;
    check(sovo_motion_pose(this, t, &there));
    return there;
  }
#endif
};

/// The options of a time of impact: sovo_time_of_impact_options, every field at its default.
struct TimeOfImpactOptions : sovo_time_of_impact_options {
  /// Makes the default options.
  constexpr TimeOfImpactOptions() noexcept : sovo_time_of_impact_options SOVO_TIME_OF_IMPACT_OPTIONS_INIT {}
};

/// When two moving bodies touch first: sovo_time_of_impact.
struct TimeOfImpact : sovo_time_of_impact {
  /// Makes an impact without an answer: all zero, outcome SOVO_TIME_OF_IMPACT_NONE.
  constexpr TimeOfImpact() noexcept : sovo_time_of_impact() {}

  /// Returns whether the bodies are proven to stay apart.
  constexpr bool is_free() const noexcept { return outcome == SOVO_TIME_OF_IMPACT_FREE; }
};

/// The gradient of a signed distance by 26 inputs (see sovo_gradient): sovo_gradient.
struct Gradient : sovo_gradient {
  /// Makes a gradient without an answer: all zero, status SOVO_DERIVATIVE_STATUS_NONE.
  constexpr Gradient() noexcept : sovo_gradient() {}

  /// Returns whether there is a gradient, perhaps one of several.
  constexpr bool exists() const noexcept { return status != SOVO_DERIVATIVE_STATUS_NONE; }
};

/// All derivatives of a contact by the inputs of its gradient; rows are contiguous.
struct Derivatives {
  /// The gradient of the distance, with the status of all.
  Gradient gradient;
  /// The Hessian of the distance, symmetric: 26 rows of 26 numbers.
  std::array<double, 676> hessian{};
  /// The Jacobian of the unit normal: 3 rows of 26 numbers.
  std::array<double, 78> normal{};
  /// The Jacobian of the witness point of A, metres: 3 rows of 26 numbers.
  std::array<double, 78> point_a{};
  /// The Jacobian of the witness point of B, metres: 3 rows of 26 numbers.
  std::array<double, 78> point_b{};

  /// Returns the places of all arrays for C functions.
  sovo_derivatives places() noexcept {
    return {sizeof(sovo_derivatives), hessian.data(), normal.data(), point_a.data(), point_b.data()};
  }
};

/// The options of a clearance query: sovo_clearance_options, every field at its default.
struct ClearanceOptions : sovo_clearance_options {
  /// Makes the default options.
  constexpr ClearanceOptions() noexcept : sovo_clearance_options SOVO_CLEARANCE_OPTIONS_INIT {}
};

/// The contact of two collision shapes on different links: sovo_clearance.
struct Clearance : sovo_clearance {
  /// Makes a clearance without an answer: all zero.
  constexpr Clearance() noexcept : sovo_clearance() {}

  /// Returns whether there is an answer: false if no pair is within the maximum distance.
  explicit constexpr operator bool() const noexcept { return status != SOVO_COLLISION_STATUS_NONE; }
};

/// The options of an edge: sovo_edge_options, every field at its default.
struct EdgeOptions : sovo_edge_options {
  /// Makes the default options.
  constexpr EdgeOptions() noexcept : sovo_edge_options SOVO_EDGE_OPTIONS_INIT {}
};

/// The contact of a collision shape of a robot, or of an attached body, with another one or with an obstacle:
/// sovo_robot_contact.
struct RobotContact : sovo_robot_contact {
  /// Makes a contact without an answer: all zero.
  constexpr RobotContact() noexcept : sovo_robot_contact() {}

  /// Makes that of a contact in C.
  constexpr RobotContact(const sovo_robot_contact& found) noexcept : sovo_robot_contact(found) {}

  /// Returns whether there is an answer: false if no pair is within the maximum distance.
  explicit constexpr operator bool() const noexcept { return status != SOVO_COLLISION_STATUS_NONE; }

  /// Returns the index, into RobotScene::attached(), of the attached body that body A is; nothing if it is of a link.
  constexpr std::optional<std::uint32_t> attached_a() const noexcept { return attached(collision_a); }

  /// Returns the index, into RobotScene::attached(), of the attached body that body B is; nothing if it is none.
  constexpr std::optional<std::uint32_t> attached_b() const noexcept { return attached(collision_b); }

 private:
  static constexpr std::optional<std::uint32_t> attached(std::uint32_t collision) noexcept {
    if (collision < SOVO_ATTACHED) return std::nullopt;
    return collision - SOVO_ATTACHED;
  }
};

/// The options of a plan: sovo_plan_options, every field at its default.
struct PlanOptions : sovo_plan_options {
  /// Makes the default options.
  constexpr PlanOptions() noexcept : sovo_plan_options SOVO_PLAN_OPTIONS_INIT {}
};

/// The answer of an edge: sovo_edge.
struct Edge : sovo_edge {
  /// Makes an edge without an answer: all zero.
  constexpr Edge() noexcept : sovo_edge() {}

  /// Returns whether the whole edge is proven free.
  constexpr bool free() const noexcept { return status == SOVO_EDGE_STATUS_FREE; }
};

/// The contact of two bodies of a scene: sovo_scene_contact.
struct SceneContact : sovo_scene_contact {
  /// Makes a contact without an answer: all zero.
  constexpr SceneContact() noexcept : sovo_scene_contact() {}

  /// Returns whether there is an answer: false if no pair is within the maximum distance.
  explicit constexpr operator bool() const noexcept { return status != SOVO_COLLISION_STATUS_NONE; }
};

/// The contact of a body with a part of another one: sovo_part_contact.
struct PartContact : sovo_part_contact {
  /// Makes a contact without an answer: all zero.
  constexpr PartContact() noexcept : sovo_part_contact() {}
};

/// A contact with up to eight places where the bodies face each other: sovo_manifold.
struct Manifold : sovo_manifold {
  /// Makes a manifold without points: all zero.
  constexpr Manifold() noexcept : sovo_manifold() {}
};

/// The point where a ray meets a surface, world frame: sovo_ray_hit.
struct RayHit : sovo_ray_hit {
  /// Makes a miss: all zero.
  constexpr RayHit() noexcept : sovo_ray_hit() {}

  /// Returns whether the ray hits.
  explicit constexpr operator bool() const noexcept { return hit != 0; }
};

/// The answer of a query in two dimensions: sovo_planar_contact.
struct PlanarContact : sovo_planar_contact {
  /// Makes a contact without an answer: all zero, outcome SOVO_OUTCOME_NONE.
  constexpr PlanarContact() noexcept : sovo_planar_contact() {}
};

/// The result of sovo_superovoid_support().
struct Support {
  /// The value h(n) = max n . x over the body.
  double value;
  /// A surface point that attains it, in the body's own frame.
  Vec3 point;
};

/// The result of sovo_superovoid_surface_point().
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

/// A superovoid: sovo_superovoid. A default-constructed one is no body, and every query rejects it.
struct Superovoid : sovo_superovoid {
  /// Makes no body.
  constexpr Superovoid() noexcept : sovo_superovoid() {}

  /// Makes a shape from that of C.
  explicit constexpr Superovoid(const sovo_superovoid& shape) noexcept : sovo_superovoid(shape) {}

  /// Calls sovo_superovoid_make(): semi-axes a = {a1, a2, a3} (metres), exponents e = {e1, e2}, tapers t = {tx, ty}.
  [[nodiscard]] static sovo_status try_make(const Vec3& a, const Vec2& e, const Vec2& t,
                                            Superovoid& shape) noexcept {
    return sovo_superovoid_make(a.data(), e.data(), t.data(), &shape);
  }

  /// Returns whether the body is convex, so that its queries can prove their answers.
  constexpr bool convex() const noexcept { return convexity == SOVO_CONVEXITY_CONVEX; }

#ifdef SUPEROVOID_EXCEPTIONS
  /// Calls sovo_superovoid_make(): semi-axes a = {a1, a2, a3} (metres), exponents e = {e1, e2}, tapers t = {tx, ty};
  /// without tapers a superellipsoid.
  Superovoid(const Vec3& a, const Vec2& e, const Vec2& t = {}) : sovo_superovoid() {
    check(try_make(a, e, t, *this));
  }

  /// Calls sovo_superovoid_make_convex(): the convex shape nearest to these numbers.
  static Superovoid nearest_convex(const Vec3& a, const Vec2& e, const Vec2& t) {
    Superovoid shape;
    check(sovo_superovoid_make_convex(a.data(), e.data(), t.data(), &shape));
    return shape;
  }

  /// Makes an ellipsoid from its semi-axes a = {a1, a2, a3}, metres.
  static Superovoid ellipsoid(const Vec3& a) { return Superovoid(a, {1, 1}); }

  /// Makes a sphere from its radius r, metres.
  static Superovoid sphere(double r) { return ellipsoid({r, r, r}); }

  /// Calls sovo_body_inside_outside(): F at a point of the body's own frame.
  double inside_outside(const Vec3& point) const;

  /// Calls sovo_body_mass_properties(): of the solid body of a density, kg/m^3.
  sovo_mass_properties mass_properties(double density) const;

  /// Calls sovo_body_tessellate(): a mesh of the surface with this number of edges around z.
  TriangleMesh tessellate(std::size_t segments) const;

  /// Calls sovo_superovoid_support(): the support function in a direction, and a point that attains it.
  Support support(const Vec3& direction) const {
    Support support;
    check(sovo_superovoid_support(this, direction.data(), &support.value, support.point.data()));
    return support;
  }

  /// Calls sovo_superovoid_surface_point(): point and normal at the angles phi1 and phi2, radians.
  SurfacePoint surface_point(double phi1, double phi2) const {
    SurfacePoint at;
    check(sovo_superovoid_surface_point(this, phi1, phi2, at.point.data(), at.normal.data()));
    return at;
  }

  /// Returns the volume, cubic metres, from mass_properties().
  double volume() const { return mass_properties(1).volume; }

  /// Calls sovo_superovoid_bounding_sphere(): a sphere about the origin of the body's own frame that contains the body.
  BoundingSphere bounding_sphere() const {
    BoundingSphere sphere;
    check(sovo_superovoid_bounding_sphere(this, &sphere));
    return sphere;
  }

  /// Calls sovo_superovoid_aabb(): the smallest box along the world's axes around the body at a pose.
  Aabb aabb(const Pose& pose) const {
    Aabb box;
    check(sovo_superovoid_aabb(this, &pose, &box));
    return box;
  }

  /// Calls sovo_superovoid_obb(): the smallest box along the body's own axes around the body at a pose.
  Obb obb(const Pose& pose) const {
    Obb box;
    check(sovo_superovoid_obb(this, &pose, &box));
    return box;
  }
#endif
};

namespace detail {

/// Whether Derived has the layout of Base, so that arrays of it are arrays of Base.
template <class Derived, class Base>
constexpr bool same_layout = sizeof(Derived) == sizeof(Base) && alignof(Derived) == alignof(Base) &&
                             std::is_base_of_v<Base, Derived> &&
                             std::is_standard_layout_v<Derived> &&
                             std::is_trivially_copyable_v<Derived>;

static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Triangle) == 12);
static_assert(same_layout<Pose, sovo_pose> && same_layout<Superovoid, sovo_superovoid>);
static_assert(same_layout<BoundingSphere, sovo_bounding_sphere> && same_layout<Aabb, sovo_aabb>);
static_assert(same_layout<Obb, sovo_obb> && same_layout<PairCache, sovo_pair_cache>);
static_assert(same_layout<Contact, sovo_contact> && same_layout<PartContact, sovo_part_contact>);
static_assert(same_layout<Clearance, sovo_clearance> && same_layout<Manifold, sovo_manifold>);
static_assert(same_layout<Motion, sovo_motion> && same_layout<TimeOfImpact, sovo_time_of_impact>);
static_assert(same_layout<SceneContact, sovo_scene_contact> && same_layout<RobotContact, sovo_robot_contact>);
static_assert(same_layout<RayHit, sovo_ray_hit> && same_layout<PlanarContact, sovo_planar_contact>);

}  // namespace detail

// ------------------------------------------------------------------------------------------- handles

namespace detail {

struct Free {
  void operator()(sovo_hull* hull) const noexcept { sovo_hull_free(hull); }
  void operator()(sovo_tri_mesh* mesh) const noexcept { sovo_tri_mesh_free(mesh); }
  void operator()(sovo_box_set* set) const noexcept { sovo_box_set_free(set); }
  void operator()(sovo_height_field* field) const noexcept { sovo_height_field_free(field); }
  void operator()(sovo_robot* robot) const noexcept { sovo_robot_free(robot); }
  void operator()(sovo_scene* scene) const noexcept { sovo_scene_free(scene); }
  void operator()(sovo_robot_scene* scene) const noexcept { sovo_robot_scene_free(scene); }
  void operator()(sovo_spline* spline) const noexcept { sovo_spline_free(spline); }
  void operator()(sovo_plan* plan) const noexcept { sovo_plan_free(plan); }
};

/// The cancel function of a batch or a plan that is never cancelled.
struct Never {
  bool operator()(std::size_t, std::size_t) const noexcept { return false; }
};

/// Calls `cancel`, of any type, through C's callback. An exception that it throws ends the batch or plan and is kept, since
/// no exception may cross the library.
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
  /// Throws the exception that `cancel` has thrown.
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

/// The requirement on a cancel function that must not throw. Without exceptions no function can.
template <class Cancel>
constexpr bool silent =
#ifdef SUPEROVOID_EXCEPTIONS
    std::is_nothrow_invocable_r_v<bool, Cancel&, std::size_t, std::size_t>;
#else
    std::is_invocable_r_v<bool, Cancel&, std::size_t, std::size_t>;
#endif

/// Returns the size of two arrays, or one that nothing has: nothing is read beyond the shorter one.
inline std::size_t common(std::size_t a, std::size_t b) noexcept { return a == b ? a : SIZE_MAX; }

#ifdef SUPEROVOID_EXCEPTIONS
inline const char* c_text(const char* text) noexcept { return text; }
inline const char* c_text(const std::string& text) noexcept { return text.c_str(); }

/// Returns the texts in the form of C, which must not outlive the others.
inline std::vector<const char*> c_texts(const std::vector<std::string>& texts) {
  std::vector<const char*> found;
  for (const std::string& text : texts) found.push_back(text.c_str());
  return found;
}

/// Returns everything that `query(places, capacity, &count)` finds; it is called again where the room was too small.
template <class T, class Query>
std::vector<T> everything(const Query& query) {
  std::vector<T> found(64);
  std::size_t count = 0;
  check(query(found.data(), found.size(), &count));
  while (count > found.size()) {
    found.resize(count);
    check(query(found.data(), found.size(), &count));
  }
  found.resize(count);
  return found;
}
#endif

}  // namespace detail

/// The convex hull of points, prepared for queries: owns a sovo_hull.
class Hull {
 public:
  /// Makes an empty handle.
  Hull() noexcept = default;

  /// Calls sovo_hull_new(): of points, which are copied.
  [[nodiscard]] static sovo_status try_make(const Points& points, Hull& hull) noexcept {
    sovo_hull* made = nullptr;
    const sovo_status status = sovo_hull_new(points.first(), points.size(), points.stride(), &made);
    if (status == SOVO_STATUS_OK) hull.handle_.reset(made);
    return status;
  }

#ifdef SUPEROVOID_EXCEPTIONS
  /// Calls sovo_hull_new(): of points, which are copied.
  explicit Hull(const Points& points) { check(try_make(points, *this)); }
#endif

  /// Returns the handle for C functions, which remains owned by this object.
  const sovo_hull* get() const noexcept { return handle_.get(); }

  /// Returns whether there is a hull.
  explicit operator bool() const noexcept { return handle_ != nullptr; }

 private:
  std::unique_ptr<sovo_hull, detail::Free> handle_;
};

/// A triangle mesh, a solid where it is closed: owns a sovo_tri_mesh.
class TriMesh {
 public:
  /// Makes an empty handle.
  TriMesh() noexcept = default;

  /// Calls sovo_tri_mesh_new(): from vertices and triangles, both copied; as_surface makes a surface also of a closed
  /// mesh. SOVO_STATUS_ERROR_SIZE, without a text, if the triangles are not contiguous.
  [[nodiscard]] static sovo_status try_make(const Points& vertices, const span<const Triangle>& triangles,
                                            TriMesh& mesh, bool as_surface = false) noexcept {
    if (!triangles.dense()) return SOVO_STATUS_ERROR_SIZE;
    sovo_tri_mesh* made = nullptr;
    const auto* indices = reinterpret_cast<const std::uint32_t*>(triangles.first());
    const sovo_status status = sovo_tri_mesh_new(vertices.first(), vertices.size(), vertices.stride(), indices,
                                                 triangles.size(), as_surface ? 1 : 0, &made);
    if (status == SOVO_STATUS_OK) mesh.handle_.reset(made);
    return status;
  }

#ifdef SUPEROVOID_EXCEPTIONS
  /// Calls sovo_tri_mesh_new(): from vertices and triangles, both copied; as_surface makes a surface also of a closed
  /// mesh. The triangles must be contiguous.
  TriMesh(const Points& vertices, const span<const Triangle>& triangles, bool as_surface = false) {
    if (!triangles.dense()) throw error(SOVO_STATUS_ERROR_SIZE, "triangles must be contiguous");
    check(try_make(vertices, triangles, *this, as_surface));
  }

  /// Calls sovo_tri_mesh_is_solid().
  bool is_solid() const {
    std::int32_t solid = 0;
    check(sovo_tri_mesh_is_solid(get(), &solid));
    return solid != 0;
  }
#endif

  /// Returns the handle for C functions, which remains owned by this object.
  const sovo_tri_mesh* get() const noexcept { return handle_.get(); }

  /// Returns whether there is a mesh.
  explicit operator bool() const noexcept { return handle_ != nullptr; }

 private:
  std::unique_ptr<sovo_tri_mesh, detail::Free> handle_;
};

/// Solid boxes along the axes of their common frame: owns a sovo_box_set.
class BoxSet {
 public:
  /// Makes an empty handle.
  BoxSet() noexcept = default;

  /// Calls sovo_box_set_new(): from boxes, which are copied. SOVO_STATUS_ERROR_SIZE, without a text, if they are not
  /// contiguous.
  [[nodiscard]] static sovo_status try_make(const span<const sovo_aabb>& boxes, BoxSet& set) noexcept {
    if (!boxes.dense()) return SOVO_STATUS_ERROR_SIZE;
    sovo_box_set* made = nullptr;
    const sovo_status status = sovo_box_set_new(boxes.first(), boxes.size(), &made);
    if (status == SOVO_STATUS_OK) set.handle_.reset(made);
    return status;
  }

#ifdef SUPEROVOID_EXCEPTIONS
  /// Calls sovo_box_set_new(): from boxes, which are copied. They must be contiguous.
  explicit BoxSet(const span<const sovo_aabb>& boxes) {
    if (!boxes.dense()) throw error(SOVO_STATUS_ERROR_SIZE, "boxes must be contiguous");
    check(try_make(boxes, *this));
  }
#endif

  /// Returns the handle for C functions, which remains owned by this object.
  const sovo_box_set* get() const noexcept { return handle_.get(); }

  /// Returns whether there are boxes.
  explicit operator bool() const noexcept { return handle_ != nullptr; }

 private:
  std::unique_ptr<sovo_box_set, detail::Free> handle_;
};

/// Terrain from a grid of heights, solid down to a bottom: owns a sovo_height_field.
class HeightField {
 public:
  /// Makes an empty handle.
  HeightField() noexcept = default;

  /// Calls sovo_height_field_new(): from heights, row by row, which are copied. SOVO_STATUS_ERROR_SIZE, without a text, if
  /// they are not contiguous or not complete rows.
  [[nodiscard]] static sovo_status try_make(const span<const double>& heights, std::size_t columns, const double (&x)[2],
                                            const double (&y)[2], double bottom, HeightField& field) noexcept {
    if (!heights.dense() || columns == 0 || heights.size() % columns != 0) return SOVO_STATUS_ERROR_SIZE;
    sovo_height_field* made = nullptr;
    const sovo_status status =
        sovo_height_field_new(heights.first(), heights.size() / columns, columns, x, y, bottom, &made);
    if (status == SOVO_STATUS_OK) field.handle_.reset(made);
    return status;
  }

#ifdef SUPEROVOID_EXCEPTIONS
  /// Calls sovo_height_field_new(): from heights, row by row, which are copied. They must be contiguous and complete rows.
  HeightField(const span<const double>& heights, std::size_t columns, const double (&x)[2], const double (&y)[2],
              double bottom) {
    if (!heights.dense() || columns == 0 || heights.size() % columns != 0)
      throw error(SOVO_STATUS_ERROR_SIZE, "heights must be contiguous and complete rows");
    check(try_make(heights, columns, x, y, bottom, *this));
  }
#endif

  /// Returns the handle for C functions, which remains owned by this object.
  const sovo_height_field* get() const noexcept { return handle_.get(); }

  /// Returns whether there is a field.
  explicit operator bool() const noexcept { return handle_ != nullptr; }

 private:
  std::unique_ptr<sovo_height_field, detail::Free> handle_;
};

/// The families of superquadrics that are no superovoids: sovo_superquadric_family.
enum class SuperquadricFamily : std::uint32_t {
  Toroid = SOVO_SUPERQUADRIC_FAMILY_TOROID,
  OneSheet = SOVO_SUPERQUADRIC_FAMILY_ONE_SHEET,
  TwoSheets = SOVO_SUPERQUADRIC_FAMILY_TWO_SHEETS,
  UpperSheet = SOVO_SUPERQUADRIC_FAMILY_UPPER_SHEET,
  LowerSheet = SOVO_SUPERQUADRIC_FAMILY_LOWER_SHEET,
};

/// A body of any kind in its own frame: sovo_body. Its numbers are checked by the queries; the hulls, meshes, sets of
/// boxes and points that it names must outlive it.
struct Body : sovo_body {
  /// Makes no body, which every query refuses.
  Body() noexcept : Body(sovo_body_of_kind(SOVO_BODY_KIND_NONE)) {}

  /// Makes a body from that of C.
  Body(const sovo_body& body) noexcept : sovo_body(body) {}

  /// Makes a body of a superovoid.
  Body(const sovo_superovoid& shape) noexcept : Body(sovo_body_superovoid(&shape)) {}

  /// Makes a body of a convex hull.
  Body(const Hull& hull) noexcept : Body(sovo_body_hull(hull.get())) {}

  /// Makes a body of a triangle mesh.
  Body(const TriMesh& mesh) noexcept : Body(sovo_body_tri_mesh(mesh.get())) {}

  /// Makes a body of a set of boxes.
  Body(const BoxSet& set) noexcept : Body(sovo_body_box_set(set.get())) {}

  /// Makes a body of a height field.
  Body(const HeightField& field) noexcept : Body(sovo_body_height_field(field.get())) {}

  /// Makes a ball about the origin.
  static Body ball(double radius) noexcept { return sovo_body_ball(radius); }

  /// Makes a box along the axes from half its edge lengths.
  static Body cuboid(const Vec3& half) noexcept { return sovo_body_cuboid(half[0], half[1], half[2]); }

  /// Makes a cylinder about z from its radius and its whole length.
  static Body cylinder(double radius, double length) noexcept { return sovo_body_cylinder(radius, length); }

  /// Makes a capsule about z from its radius and the length of its cylindrical part; of length 0 it is a ball.
  static Body capsule(double radius, double length) noexcept { return sovo_body_capsule(radius, length); }

  /// Makes a cone about z, its tip at z = length/2.
  static Body cone(double radius, double length) noexcept { return sovo_body_cone(radius, length); }

  /// Makes the convex hull of points, which stay where they are.
  static Body points(const Points& points) noexcept {
    return sovo_body_points(points.first(), points.size(), points.stride());
  }

  /// Makes the point at the origin of its frame.
  static Body point() noexcept { return sovo_body_point(); }

  /// Makes the segment between two points.
  static Body segment(const Vec3& from, const Vec3& to) noexcept { return sovo_body_segment(from.data(), to.data()); }

  /// Makes the triangle of three points.
  static Body triangle(const Vec3& a, const Vec3& b, const Vec3& c) noexcept {
    const double corners[9] = {a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2]};
    return sovo_body_triangle(corners);
  }

  /// Makes the solid half-space of all x with normal . x <= offset.
  static Body half_space(const Vec3& normal, double offset) noexcept {
    return sovo_body_half_space(normal.data(), offset);
  }

  /// Makes the thin plane of all x with normal . x = offset.
  static Body plane(const Vec3& normal, double offset) noexcept { return sovo_body_plane(normal.data(), offset); }

  /// Makes a ring, a neck, or one or two cups.
  static Body superquadric(SuperquadricFamily family, const Vec3& semi_axes, const Vec2& exponents,
                           double extent) noexcept {
    return sovo_body_superquadric(static_cast<std::uint32_t>(family), semi_axes.data(), exponents.data(), extent);
  }

  /// Makes the convex hull of a ring, a neck, or one or two cups.
  static Body superquadric_hull(SuperquadricFamily family, const Vec3& semi_axes, const Vec2& exponents,
                                double extent) noexcept {
    return sovo_body_superquadric_hull(static_cast<std::uint32_t>(family), semi_axes.data(), exponents.data(), extent);
  }

#ifdef SUPEROVOID_EXCEPTIONS
  /// Calls sovo_body_inside_outside(): F at a point of the body's own frame.
  double inside_outside(const Vec3& point) const {
    double value;
    check(sovo_body_inside_outside(this, point.data(), &value));
    return value;
  }

  /// Calls sovo_body_local_aabb(): a box along the axes of the body's own frame.
  Aabb local_aabb() const {
    Aabb box;
    check(sovo_body_local_aabb(this, &box));
    return box;
  }

  /// Calls sovo_body_mass_properties(): of the solid body of a density, kg/m^3.
  sovo_mass_properties mass_properties(double density) const {
    sovo_mass_properties properties;
    check(sovo_body_mass_properties(this, density, &properties));
    return properties;
  }

  /// Calls sovo_body_tessellate(): a mesh of the surface with this number of edges around z.
  TriangleMesh tessellate(std::size_t segments) const {
    std::size_t vertices, triangles;
    check(sovo_body_tessellate(this, segments, nullptr, 0, nullptr, 0, &vertices, &triangles));
    TriangleMesh mesh{std::vector<Vec3>(vertices), std::vector<Triangle>(triangles)};
    check(sovo_body_tessellate(this, segments, mesh.vertices.data()->data(), vertices, mesh.triangles.data()->data(),
                               triangles, &vertices, &triangles));
    return mesh;
  }
#endif
};
static_assert(detail::same_layout<Body, sovo_body>);

#ifdef SUPEROVOID_EXCEPTIONS
inline double Superovoid::inside_outside(const Vec3& point) const { return Body(*this).inside_outside(point); }
inline sovo_mass_properties Superovoid::mass_properties(double density) const {
  return Body(*this).mass_properties(density);
}
inline TriangleMesh Superovoid::tessellate(std::size_t segments) const { return Body(*this).tessellate(segments); }
#endif

/// A robot from URDF: owns a sovo_robot. It is immutable, so that threads can share it. A configuration is a vector
/// of position_count() numbers, radians and metres; joint() tells which of them belong to a joint.
class Robot {
 public:
  /// Makes an empty handle.
  Robot() noexcept = default;

  /// Calls sovo_robot_load(): from a URDF file; the path is UTF-8.
  [[nodiscard]] static sovo_status try_load(const char* path, Robot& robot) noexcept {
    sovo_robot* read = nullptr;
    const sovo_status status = sovo_robot_load(path, &read);
    if (status == SOVO_STATUS_OK) robot.handle_.reset(read);
    return status;
  }

  /// Calls sovo_robot_parse(): from the text of a URDF file.
  [[nodiscard]] static sovo_status try_parse(const char* text, std::size_t length,
                                             Robot& robot) noexcept {
    sovo_robot* read = nullptr;
    const sovo_status status = sovo_robot_parse(text, length, &read);
    if (status == SOVO_STATUS_OK) robot.handle_.reset(read);
    return status;
  }

  /// Calls sovo_robot_in_collision(): colliding is false if every pair of bodies is proven to be free, and true
  /// otherwise.
  [[nodiscard]] sovo_status try_in_collision(const double* positions, std::size_t count, bool& colliding,
                                             const ClearanceOptions& options = {}) const noexcept {
    std::int32_t answer = 1;
    const sovo_status status = sovo_robot_in_collision(get(), positions, count, &options, &answer);
    if (status == SOVO_STATUS_OK) colliding = answer != 0;
    return status;
  }

  /// Calls sovo_robot_closest(): the least distance and its pair.
  [[nodiscard]] sovo_status try_closest(const double* positions, std::size_t count,
                                         Clearance& clearance,
                                         const ClearanceOptions& options = {}) const noexcept {
    return sovo_robot_closest(get(), positions, count, &options, &clearance);
  }

#ifdef SUPEROVOID_EXCEPTIONS
  /// Calls sovo_robot_load(): from a URDF file; the path is UTF-8.
  static Robot load(const std::string& path) {
    Robot robot;
    check(try_load(path.c_str(), robot));
    return robot;
  }

  /// Calls sovo_robot_parse(): from the text of a URDF file.
  static Robot parse(const std::string& urdf) {
    Robot robot;
    check(try_parse(urdf.data(), urdf.size(), robot));
    return robot;
  }

  /// Calls sovo_robot_with_meshes(): the same robot with meshes of its collision shapes. `meshes` is a range of pairs of
  /// the file name that the URDF has and a TriMesh, such as a std::map<std::string, superovoid::TriMesh>.
  template <class Meshes>
  Robot with_meshes(const Meshes& meshes) const {
    std::vector<const char*> filenames;
    std::vector<const sovo_tri_mesh*> handles;
    for (const auto& [filename, mesh] : meshes) {
      filenames.push_back(detail::c_text(filename));
      handles.push_back(mesh.get());
    }
    sovo_robot* made = nullptr;
    check(sovo_robot_with_meshes(get(), filenames.data(), handles.data(), handles.size(), &made));
    Robot robot;
    robot.handle_.reset(made);
    return robot;
  }

  /// Calls sovo_robot_with_mesh_files(): the same robot with the meshes of the files that the URDF at `urdf_path` names,
  /// of packages in the folders `package_paths`.
  Robot with_mesh_files(const std::string& urdf_path, const std::vector<std::string>& package_paths = {}) const {
    const std::vector<const char*> folders = detail::c_texts(package_paths);
    sovo_robot* made = nullptr;
    check(sovo_robot_with_mesh_files(get(), urdf_path.c_str(), folders.data(), folders.size(), &made));
    Robot robot;
    robot.handle_.reset(made);
    return robot;
  }

  /// Calls sovo_robot_use_cache(): whether what is worked out of the meshes was read from the file, which is written otherwise.
  bool use_cache(const std::string& path) const {
    std::int32_t was_read = 0;
    check(sovo_robot_use_cache(get(), path.c_str(), &was_read));
    return was_read != 0;
  }

  /// Calls sovo_robot_describe(): the name and the numbers of what the robot consists of.
  sovo_robot_info info() const { return number<sovo_robot_info>(&sovo_robot_describe); }

  /// Returns the name of the robot.
  std::string name() const { return info().name; }

  /// Calls sovo_robot_urdf(): the robot as a URDF document.
  std::string urdf() const {
    std::size_t length = 0;
    check(sovo_robot_urdf(get(), nullptr, 0, &length));
    std::string document(length + 1, '\0');
    check(sovo_robot_urdf(get(), &document[0], document.size(), &length));
    document.resize(length);
    return document;
  }

  /// Returns the number of links.
  std::uint32_t link_count() const { return info().link_count; }

  /// Calls sovo_robot_link(): the name of a link.
  std::string link_name(std::uint32_t link) const { return number<sovo_link>(&sovo_robot_link, link).name; }

  /// Calls sovo_robot_link_index(): the link of a name.
  std::uint32_t link_index(const std::string& name) const {
    return number<std::uint32_t>(&sovo_robot_link_index, name.c_str());
  }

  /// Calls sovo_robot_link(): the joint that moves a link; UINT32_MAX for the root.
  std::uint32_t parent_joint(std::uint32_t link) const {
    return number<sovo_link>(&sovo_robot_link, link).parent_joint;
  }

  /// Returns the number of joints.
  std::uint32_t joint_count() const { return info().joint_count; }

  /// Calls sovo_robot_joint(): the name of a joint.
  std::string joint_name(std::uint32_t index) const { return joint(index).name; }

  /// Calls sovo_robot_joint_index(): the joint of a name.
  std::uint32_t joint_index(const std::string& name) const {
    return number<std::uint32_t>(&sovo_robot_joint_index, name.c_str());
  }

  /// Calls sovo_robot_joint(): what a joint is, and where it stands in a configuration.
  sovo_joint joint(std::uint32_t index) const { return number<sovo_joint>(&sovo_robot_joint, index); }

  /// Returns the number of superovoids among the collision shapes.
  std::uint32_t body_count() const { return info().body_count; }

  /// Calls sovo_robot_body(): a collision shape that takes part in contact.
  sovo_superovoid_body body(std::uint32_t index) const { return number<sovo_superovoid_body>(&sovo_robot_body, index); }

  /// Calls sovo_robot_warning(): the warnings of the reader.
  std::vector<std::string> warnings() const {
    return texts(info().warning_count, &sovo_robot_warning);
  }

  /// Calls sovo_robot_unchecked(): the collision shapes that are not checked for contact.
  std::vector<std::string> unchecked() const {
    return texts(info().unchecked_count, &sovo_robot_unchecked);
  }

  /// Returns the number of numbers a configuration has.
  std::size_t position_count() const { return info().position_count; }

  /// Calls sovo_robot_neutral(): every joint at zero, or at the limit nearest to it.
  std::vector<double> neutral() const {
    std::vector<double> positions(position_count());
    check(sovo_robot_neutral(get(), positions.data(), positions.size()));
    return positions;
  }

  /// Calls sovo_robot_link_poses(): of every link in the frame of the root link.
  std::vector<Pose> link_poses(Positions positions) const {
    std::vector<Pose> poses(link_count());
    check(sovo_robot_link_poses(get(), positions.data(), positions.size(), poses.data(), poses.size()));
    return poses;
  }

  /// Calls sovo_robot_clearances(): of the bodies on different links, closest or deepest first.
  std::vector<Clearance> clearances(Positions positions,
                                    const ClearanceOptions& options = {}) const {
    return detail::everything<Clearance>([&](Clearance* places, std::size_t capacity,
                                             std::size_t* total) {
      return sovo_robot_clearances(get(), positions.data(), positions.size(), &options, places,
                                   capacity, total);
    });
  }

  /// Returns the number of velocities a configuration has.
  std::size_t velocity_count() const { return info().velocity_count; }

  /// Calls sovo_robot_clearance_gradients(): writes the contacts of clearances() and returns the gradients of their
  /// distances, a row of velocity_count() numbers for each, one row after the other.
  std::vector<double> clearance_gradients(Positions positions, std::vector<Clearance>& found,
                                          const ClearanceOptions& options = {}) const {
    found = clearances(positions, options);
    const std::size_t velocities = velocity_count();
    std::vector<double> rows(found.size() * velocities);
    std::size_t total = 0;
    check(sovo_robot_clearance_gradients(get(), positions.data(), positions.size(), &options, found.data(),
                                         rows.data(), velocities, found.size(), &total));
    return rows;
  }

  /// Calls sovo_robot_reaches(): how far each velocity can move a point.
  std::vector<double> reaches() const {
    std::vector<double> reaches(velocity_count());
    check(sovo_robot_reaches(get(), reaches.data(), reaches.size()));
    return reaches;
  }

  /// Calls sovo_robot_movable_joints(): the names of the joints that move in a plan unless it names others, in their order.
  std::vector<std::string> movable_joints() const {
    const std::vector<const char*> names = detail::everything<const char*>(
        [&](const char** places, std::size_t capacity, std::size_t* total) {
          return sovo_robot_movable_joints(get(), places, capacity, total);
        });
    return {names.begin(), names.end()};
  }

  /// Calls sovo_robot_edge_free(): judges the straight line between two configurations.
  Edge edge_free(Positions from, Positions to,
                 const EdgeOptions& options = {}) const {
    Edge edge;
    check(sovo_robot_edge_free(get(), from.data(), to.data(), detail::common(from.size(), to.size()), &options, &edge));
    return edge;
  }

  /// Calls sovo_robot_smooth_minimum(): writes a smooth lower bound of the distances of clearances() to value and returns
  /// its derivatives by the velocities of the joints.
  std::vector<double> smooth_minimum(Positions positions, double temperature, double& value,
                                     const ClearanceOptions& options = {}) const {
    std::vector<double> gradient(velocity_count());
    check(sovo_robot_smooth_minimum(get(), positions.data(), positions.size(), &options, temperature, &value,
                                    gradient.data(), gradient.size()));
    return gradient;
  }

  /// Calls sovo_robot_closest(): the first of clearances() alone, which takes less time.
  Clearance closest(Positions positions, const ClearanceOptions& options = {}) const {
    Clearance clearance;
    check(try_closest(positions.data(), positions.size(), clearance, options));
    return clearance;
  }

  /// Calls sovo_robot_in_collision(): false if every pair of bodies is proven to be free.
  bool in_collision(Positions positions, const ClearanceOptions& options = {}) const {
    bool colliding = true;
    check(try_in_collision(positions.data(), positions.size(), colliding, options));
    return colliding;
  }
#endif

  /// Returns the handle for C functions, which remains owned by this object.
  const sovo_robot* get() const noexcept { return handle_.get(); }

  /// Returns whether there is a robot.
  explicit operator bool() const noexcept { return handle_ != nullptr; }

 private:
#ifdef SUPEROVOID_EXCEPTIONS
  template <class T, class... Parameters, class... Arguments>
  T number(sovo_status (*ask)(const sovo_robot*, Parameters...), Arguments... arguments) const {
    T value;
    check(ask(get(), arguments..., &value));
    return value;
  }

  std::vector<std::string> texts(std::uint32_t count,
                                 sovo_status (*ask)(const sovo_robot*, std::uint32_t, const char**)) const {
    std::vector<std::string> all(count);
    for (std::uint32_t k = 0; k < count; ++k) all[k] = number<const char*>(ask, k);
    return all;
  }
#endif

  std::unique_ptr<sovo_robot, detail::Free> handle_;
};

#ifdef SUPEROVOID_EXCEPTIONS
/// A scene: bodies and obstacles that are added, moved and removed, a broad phase and their contacts. It owns a
/// sovo_scene, which two threads must not use at the same time. Bodies have numbers, groups names or numbers.
class Scene {
 public:
  /// Calls sovo_scene_new(): an empty scene.
  Scene() {
    sovo_scene* made = nullptr;
    check(sovo_scene_new(&made));
    handle_.reset(made);
  }

  /// Calls sovo_scene_group(): the group of a name, new if there is none yet.
  std::uint32_t group(const std::string& name) {
    std::uint32_t group;
    check(sovo_scene_group(get(), name.c_str(), &group));
    return group;
  }

  /// Calls sovo_scene_allow(): whether two groups may collide, and so are not compared.
  void allow(std::uint32_t group_a, std::uint32_t group_b, bool allowed = true) {
    check(sovo_scene_allow(get(), group_a, group_b, allowed ? 1 : 0));
  }

  /// Calls sovo_scene_add(): a body that is compared with all bodies and obstacles.
  std::uint64_t add(std::uint32_t group, const Body& body, const Pose& pose) {
    std::uint64_t id;
    check(sovo_scene_add(get(), group, &body, &pose, 0, &id));
    return id;
  }

  /// Calls sovo_scene_add(): an obstacle, which is compared with bodies only.
  std::uint64_t add_obstacle(std::uint32_t group, const Body& body, const Pose& pose = {}) {
    std::uint64_t id;
    check(sovo_scene_add(get(), group, &body, &pose, 1, &id));
    return id;
  }

  /// Calls sovo_scene_move().
  void move(std::uint64_t body, const Pose& pose) { check(sovo_scene_move(get(), body, &pose)); }

  /// Calls sovo_scene_remove().
  void remove(std::uint64_t body) { check(sovo_scene_remove(get(), body)); }

  /// Calls sovo_scene_count(): the number of bodies and obstacles there are.
  std::size_t size() const {
    std::size_t count;
    check(sovo_scene_count(handle_.get(), &count));
    return count;
  }

  /// Calls sovo_scene_contacts(): within options.max_distance, closest or deepest first.
  std::vector<SceneContact> contacts(const QueryOptions& options = {}) {
    return detail::everything<SceneContact>([&](SceneContact* places, std::size_t capacity,
                                                std::size_t* total) {
      return sovo_scene_contacts(get(), &options, places, capacity, total);
    });
  }

  /// Calls sovo_scene_closest(): the first of contacts() alone, which takes less time.
  SceneContact closest(const QueryOptions& options = {}) {
    SceneContact contact;
    check(sovo_scene_closest(get(), &options, &contact));
    return contact;
  }

  /// Calls sovo_scene_in_collision(): false if every pair is proven to be free.
  bool in_collision(const QueryOptions& options = {}) {
    std::int32_t colliding = 1;
    check(sovo_scene_in_collision(get(), &options, &colliding));
    return colliding != 0;
  }

  /// Returns the handle for C functions, which remains owned by this object.
  sovo_scene* get() noexcept { return handle_.get(); }

 private:
  std::unique_ptr<sovo_scene, detail::Free> handle_;
};

/// A motion by piecewise polynomials of the numbers of a configuration: owns a sovo_spline. Configurations are given one after
/// the other.
class Spline {
 public:
  /// Calls sovo_spline_cubic(): a position and a velocity for each time, in seconds, radians and metres.
  static Spline cubic(Positions times, Positions positions, Positions velocities) {
    const std::size_t count = each(detail::common(positions.size(), velocities.size()), times.size());
    return made(count, sovo_spline_cubic, times.data(), times.size(), positions.data(), velocities.data(), count);
  }

  /// Calls sovo_spline_quintic(): a position, a velocity and an acceleration for each time.
  static Spline quintic(Positions times, Positions positions, Positions velocities, Positions accelerations) {
    const std::size_t both = detail::common(positions.size(), velocities.size());
    const std::size_t count = each(detail::common(both, accelerations.size()), times.size());
    return made(count, sovo_spline_quintic, times.data(), times.size(), positions.data(), velocities.data(),
                accelerations.data(), count);
  }

  /// Calls sovo_spline_polynomials(): degree + 1 coefficients, each as many numbers as a configuration, for each piece.
  static Spline polynomials(Positions times, Positions coefficients, std::uint32_t degree) {
    const std::size_t pieces = times.size() > 0 ? times.size() - 1 : 0;
    const std::size_t count = each(coefficients.size(), pieces * (std::size_t(degree) + 1));
    return made(count, sovo_spline_polynomials, times.data(), times.size(), coefficients.data(), degree, count);
  }

  /// Calls sovo_spline_b_spline(): one knot more than control points and degree together.
  static Spline b_spline(std::uint32_t degree, Positions knots, Positions points) {
    const std::size_t ends = std::size_t(degree) + 1;
    const std::size_t point_count = knots.size() > ends ? knots.size() - ends : 0;
    const std::size_t count = each(points.size(), point_count);
    return made(count, sovo_spline_b_spline, degree, knots.data(), knots.size(), points.data(), point_count, count);
  }

  /// Calls sovo_spline_bezier(): degree points for each piece, and one more.
  static Spline bezier(std::uint32_t degree, Positions times, Positions points) {
    const std::size_t pieces = times.size() > 0 ? times.size() - 1 : 0;
    const std::size_t count = each(points.size(), pieces * degree + 1);
    return made(count, sovo_spline_bezier, degree, times.data(), times.size(), points.data(), count);
  }

  /// Calls sovo_spline_position(): the numbers of the configuration at a time.
  std::vector<double> position(double time) const {
    std::vector<double> positions(count_);
    check(sovo_spline_position(get(), time, positions.data(), positions.size()));
    return positions;
  }

  /// Returns the handle for C functions, which remains owned by this object.
  const sovo_spline* get() const noexcept { return handle_.get(); }

 private:
  Spline(sovo_spline* handle, std::size_t count) noexcept : handle_(handle), count_(count) {}

  /// The numbers of each of so many rows; where a rest is left it is one that no spline has.
  static std::size_t each(std::size_t size, std::size_t rows) noexcept {
    return rows > 0 && size % rows == 0 ? size / rows : SIZE_MAX;
  }

  template <class... Parameters, class... Arguments>
  static Spline made(std::size_t count, sovo_status (*make)(Parameters...), Arguments... arguments) {
    sovo_spline* spline = nullptr;
    check(make(arguments..., &spline));
    return Spline(spline, count);
  }

  std::unique_ptr<sovo_spline, detail::Free> handle_;
  std::size_t count_;
};

/// A box of configurations that is proven free: those whose every number is from its lower to its upper one.
struct FreeRegion {
  /// The least number of each place of a configuration.
  std::vector<double> lower;
  /// The greatest number of each place.
  std::vector<double> upper;
};

/// A body that is attached to a link of a robot in a scene: sovo_attached_body.
struct AttachedBody {
  /// The number of the body.
  std::uint64_t body;
  /// The name of the object, which may have several bodies.
  std::string name;
  /// The link that carries it.
  std::uint32_t link;
  /// The pose in the frame of the link.
  Pose pose;
};

/// A pair that is in collision at the start or at a goal of a plan: sovo_touching_pair.
struct TouchingPair {
  /// The name of the link, or of the object attached to it.
  std::string a;
  /// The name of the other link, of an attached object, or of the obstacle.
  std::string b;
  /// The contact, world frame.
  RobotContact contact;
};

/// The answer of RobotScene::plan(): owns a sovo_plan.
class Plan {
 public:
  /// Makes a plan without an answer, for RobotScene::try_plan().
  Plan() noexcept = default;

  /// Calls sovo_plan_describe(): the lengths of the path, the goal, and the work that it took.
  sovo_plan_info info() const {
    sovo_plan_info info;
    check(sovo_plan_describe(get(), &info));
    return info;
  }

  /// Returns whether a path was found.
  bool found() const { return info().configurations > 0; }

  /// Returns whether a path was found, and every edge of it is proven free.
  bool proven() const { return info().proven != 0; }

  /// Calls sovo_plan_path(): the configurations from the start to a goal, one after the other, info().position_count
  /// numbers each; none if no path was found.
  std::vector<double> path() const {
    const sovo_plan_info all = info();
    std::vector<double> positions(all.configurations * all.position_count);
    check(sovo_plan_path(get(), positions.data(), positions.size()));
    return positions;
  }

  /// Returns the reason why no path was found, in words; it is empty if one was.
  std::string reason() const {
    const char* text = info().text;
    return text ? text : "";
  }

  /// Calls sovo_plan_touching(): the pairs that are in collision at the start, or at each goal.
  std::vector<TouchingPair> touching() const {
    std::vector<TouchingPair> pairs;
    for (std::uint32_t k = 0; k < info().touching_count; ++k) {
      sovo_touching_pair pair;
      check(sovo_plan_touching(get(), k, &pair));
      pairs.push_back({pair.name_a, pair.name_b, pair.contact});
    }
    return pairs;
  }

  /// Returns the handle for C functions, which remains owned by this object.
  const sovo_plan* get() const noexcept { return handle_.get(); }

 private:
  friend class RobotScene;
  std::unique_ptr<sovo_plan, detail::Free> handle_;
};

/// A robot among obstacles. It owns a sovo_robot_scene, which two threads must not use at the same time; copies are
/// independent.
class RobotScene {
 public:
  /// Calls sovo_robot_scene_new(): a robot without obstacles.
  explicit RobotScene(const Robot& robot) {
    sovo_robot_scene* made = nullptr;
    check(sovo_robot_scene_new(robot.get(), &made));
    handle_.reset(made);
  }

  /// Calls sovo_robot_scene_copy().
  RobotScene(const RobotScene& other) {
    sovo_robot_scene* made = nullptr;
    check(sovo_robot_scene_copy(other.handle_.get(), &made));
    handle_.reset(made);
  }

  /// Calls sovo_robot_scene_copy().
  RobotScene& operator=(const RobotScene& other) {
    RobotScene copy(other);
    handle_ = std::move(copy.handle_);
    return *this;
  }

  /// Takes the scene of another object.
  RobotScene(RobotScene&&) noexcept = default;
  /// Takes the scene of another object.
  RobotScene& operator=(RobotScene&&) noexcept = default;

  /// Calls sovo_robot_scene_add_obstacle(): a body, to the group of a name.
  std::uint64_t add_obstacle(const std::string& group, const Body& body, const Pose& pose = {}) {
    std::uint64_t obstacle;
    check(sovo_robot_scene_add_obstacle(get(), group.c_str(), &body, &pose, &obstacle));
    return obstacle;
  }

  /// Calls sovo_robot_scene_move_obstacle().
  void move_obstacle(std::uint64_t obstacle, const Pose& pose) {
    check(sovo_robot_scene_move_obstacle(get(), obstacle, &pose));
  }

  /// Calls sovo_robot_scene_remove_obstacle().
  void remove_obstacle(std::uint64_t obstacle) { check(sovo_robot_scene_remove_obstacle(get(), obstacle)); }

  /// Calls sovo_robot_scene_set_allow_unchecked(): whether answers may leave out what is not checked.
  void set_allow_unchecked(bool allow) { check(sovo_robot_scene_set_allow_unchecked(get(), allow ? 1 : 0)); }

  /// Calls sovo_robot_scene_allow(): whether two links, attached objects or groups of obstacles may collide.
  void allow(const std::string& a, const std::string& b, bool allowed = true) {
    check(sovo_robot_scene_allow(get(), a.c_str(), b.c_str(), allowed ? 1 : 0));
  }

  /// Calls sovo_robot_scene_is_allowed(): whether two may collide, and so are not compared.
  bool is_allowed(const std::string& a, const std::string& b) const {
    std::int32_t allowed = 0;
    check(sovo_robot_scene_is_allowed(handle_.get(), a.c_str(), b.c_str(), &allowed));
    return allowed != 0;
  }

  /// Calls sovo_robot_scene_set_default(): whether one may collide in pairs for which nothing else is set.
  void set_default(const std::string& name, std::optional<bool> allowed) {
    check(sovo_robot_scene_set_default(get(), name.c_str(), allowed ? (*allowed ? 1 : 0) : -1));
  }

  /// Calls sovo_robot_scene_attach(): a body to a link, at a pose in its frame. It may touch the link and the touch links.
  std::uint64_t attach(const std::string& name, const std::string& link, const Body& body, const Pose& pose = {},
                       const std::vector<std::string>& touch_links = {}) {
    const std::vector<const char*> touching = detail::c_texts(touch_links);
    std::uint64_t attached = 0;
    check(sovo_robot_scene_attach(get(), name.c_str(), link.c_str(), &body, &pose, touching.data(), touching.size(),
                                  &attached));
    return attached;
  }

  /// Calls sovo_robot_scene_attach_obstacle(): all obstacles of a name to a link, where they are in a configuration.
  void attach_obstacle(const std::string& name, const std::string& link, Positions at,
                       const std::vector<std::string>& touch_links = {}) {
    const std::vector<const char*> touching = detail::c_texts(touch_links);
    check(sovo_robot_scene_attach_obstacle(get(), name.c_str(), link.c_str(), touching.data(), touching.size(), at.data(),
                                           at.size()));
  }

  /// Calls sovo_robot_scene_detach(): removes an attached object.
  void detach(const std::string& name) { check(sovo_robot_scene_detach(get(), name.c_str(), nullptr, 0)); }

  /// Calls sovo_robot_scene_detach(): makes an attached object an obstacle, where it is in a configuration.
  void detach(const std::string& name, Positions left_at) {
    const double none = 0;
    check(sovo_robot_scene_detach(get(), name.c_str(), left_at.data() ? left_at.data() : &none, left_at.size()));
  }

  /// Calls sovo_robot_scene_attached(): the attached bodies, those that were attached first first.
  std::vector<AttachedBody> attached() const {
    std::uint32_t count = 0;
    check(sovo_robot_scene_attached_count(handle_.get(), &count));
    std::vector<AttachedBody> bodies;
    for (std::uint32_t k = 0; k < count; ++k) {
      sovo_attached_body body;
      check(sovo_robot_scene_attached(handle_.get(), k, &body));
      bodies.push_back({body.body, body.name, body.link, body.pose});
    }
    return bodies;
  }

  /// Calls sovo_robot_scene_set_padding(): of a link or an attached object, metres.
  void set_padding(const std::string& name, double metres) {
    check(sovo_robot_scene_set_padding(get(), name.c_str(), metres));
  }

  /// Calls sovo_robot_scene_padding().
  double padding(const std::string& name) const {
    double metres = 0;
    check(sovo_robot_scene_padding(handle_.get(), name.c_str(), &metres));
    return metres;
  }

  /// Calls sovo_robot_scene_set_pair_padding(): in addition to the paddings of both, metres.
  void set_pair_padding(const std::string& a, const std::string& b, double metres) {
    check(sovo_robot_scene_set_pair_padding(get(), a.c_str(), b.c_str(), metres));
  }

  /// Calls sovo_robot_scene_pair_padding().
  double pair_padding(const std::string& a, const std::string& b) const {
    double metres = 0;
    check(sovo_robot_scene_pair_padding(handle_.get(), a.c_str(), b.c_str(), &metres));
    return metres;
  }

  /// Calls sovo_robot_scene_set_scale(): multiplies the collision shapes of a link.
  void set_scale(const std::string& link, double factor) {
    check(sovo_robot_scene_set_scale(get(), link.c_str(), factor));
  }

  /// Calls sovo_robot_scene_set_base(): the pose of the root link in the world.
  void set_base(const Pose& pose) { check(sovo_robot_scene_set_base(get(), &pose)); }

  /// Calls sovo_robot_scene_base().
  Pose base() const {
    Pose pose;
    check(sovo_robot_scene_base(handle_.get(), &pose));
    return pose;
  }

  /// Calls sovo_robot_scene_apply_srdf(): the collision settings of an SRDF document, from its text. The result has the
  /// warnings about what does not fit the robot.
  std::vector<std::string> apply_srdf(const std::string& text) {
    std::uint32_t count = 0;
    check(sovo_robot_scene_apply_srdf(get(), text.data(), text.size(), &count));
    std::vector<std::string> warnings;
    for (std::uint32_t k = 0; k < count; ++k) {
      const char* warning = nullptr;
      check(sovo_robot_scene_warning(handle_.get(), k, &warning));
      warnings.emplace_back(warning);
    }
    return warnings;
  }

  // What a planner repeats, into memory of the caller: the functions neither throw nor, once they were called with as
  // many configurations, allocate memory for these. Counts that do not fit are SOVO_STATUS_ERROR_SIZE.

  /// Calls sovo_robot_scene_in_collision().
  [[nodiscard]] sovo_status try_in_collision(Positions positions, bool& colliding,
                                             const QueryOptions& options = {}) noexcept {
    std::int32_t answer = 1;
    const sovo_status status =
        sovo_robot_scene_in_collision(get(), positions.data(), positions.size(), &options, &answer);
    if (status == SOVO_STATUS_OK) colliding = answer != 0;
    return status;
  }

  /// Calls sovo_robot_scene_closest().
  [[nodiscard]] sovo_status try_closest(Positions positions, RobotContact& contact,
                                        const QueryOptions& options = {}) noexcept {
    return sovo_robot_scene_closest(get(), positions.data(), positions.size(), &options, &contact);
  }

  /// Calls sovo_robot_scene_edge_free().
  [[nodiscard]] sovo_status try_edge_free(Positions from, Positions to, Edge& edge,
                                          const EdgeOptions& options = {}) noexcept {
    const std::size_t count = detail::common(from.size(), to.size());
    return sovo_robot_scene_edge_free(get(), from.data(), to.data(), count, &options, &edge);
  }

  /// Calls sovo_robot_scene_edge_free_batch(): one edge for each two configurations of count numbers.
  [[nodiscard]] sovo_status try_edge_free_batch(Positions from, Positions to, std::size_t count, span<sovo_edge> edges,
                                                const EdgeOptions& options = {}, std::uint32_t threads = 1) noexcept {
    const std::size_t edge_count = whole(from, count);
    if (to.size() != from.size() || edge_count != edges.size() || !edges.dense()) count = SIZE_MAX;
    return sovo_robot_scene_edge_free_batch(get(), from.data(), to.data(), count, edge_count, &options, threads,
                                            edges.first());
  }

  /// Calls sovo_robot_scene_find_collision_between(): found is SIZE_MAX if every state is proven to be free.
  [[nodiscard]] sovo_status try_find_collision_between(Positions from, Positions to, std::size_t states,
                                                       std::size_t& found, const QueryOptions& options = {}) noexcept {
    const std::size_t count = detail::common(from.size(), to.size());
    return sovo_robot_scene_find_collision_between(get(), from.data(), to.data(), count, states, &options, &found);
  }

  /// Calls sovo_robot_scene_find_collision(): found is SIZE_MAX if every configuration is proven to be free.
  [[nodiscard]] sovo_status try_find_collision(Positions positions, std::size_t count, std::size_t& found,
                                               const QueryOptions& options = {}) noexcept {
    const std::size_t configurations = whole(positions, count), stride = sizeof(double) * count;
    return sovo_robot_scene_find_collision(get(), positions.data(), stride, count, configurations, &options, &found);
  }

  /// Calls sovo_robot_scene_in_collision_batch(): one number for each configuration of count numbers.
  [[nodiscard]] sovo_status try_in_collision_batch(Positions positions, std::size_t count, span<std::int32_t> colliding,
                                                   const QueryOptions& options = {},
                                                   std::uint32_t threads = 1) noexcept {
    return batch(sovo_robot_scene_in_collision_batch, positions, count, colliding, options, threads);
  }

  /// Calls sovo_robot_scene_closest_batch(): one contact for each configuration of count numbers.
  [[nodiscard]] sovo_status try_closest_batch(Positions positions, std::size_t count, span<sovo_robot_contact> contacts,
                                              const QueryOptions& options = {}, std::uint32_t threads = 1) noexcept {
    return batch(sovo_robot_scene_closest_batch, positions, count, contacts, options, threads);
  }

  /// Calls sovo_robot_scene_clearance_batch(): one number, metres, for each configuration of count numbers.
  [[nodiscard]] sovo_status try_clearance_batch(Positions positions, std::size_t count, span<double> clearances,
                                                const QueryOptions& options = {}, std::uint32_t threads = 1) noexcept {
    return batch(sovo_robot_scene_clearance_batch, positions, count, clearances, options, threads);
  }

  /// Calls sovo_robot_scene_plan(): goals are configurations as long as start, one after the other. That no path is found
  /// is no error. cancel(samples, max_samples) is called from time to time, on the calling thread, and tells whether to end the
  /// plan; it must be noexcept. The function allocates memory.
  template <class Cancel = const detail::Never>
  [[nodiscard]] sovo_status try_plan(Positions start, Positions goals, Plan& plan, const PlanOptions& options = {},
                                     span<const char* const> joints = {}, Cancel&& cancel = {}) noexcept {
    static_assert(detail::silent<Cancel>, "cancel must be a noexcept bool(std::size_t, std::size_t)");
    PlanOptions asking = options;
    const detail::Asked<Cancel> asked(cancel, asking);
    return ask_plan(start, goals, plan, asking, joints);
  }

  /// Calls sovo_robot_scene_plan(): a path from start to one of the goals, configurations one after the other, with every
  /// edge proven free. joints: the names of those that move; none stand for all. cancel(samples, max_samples), such as a
  /// std::function<bool(std::size_t, std::size_t)>, is called from time to time, on the calling thread, and tells whether to end
  /// the plan: then the reason is SOVO_PLAN_REASON_CANCELLED. What it throws ends the plan too, and is thrown again.
  template <class Cancel = const detail::Never>
  Plan plan(Positions start, Positions goals, const PlanOptions& options = {}, const std::vector<std::string>& joints = {},
            Cancel&& cancel = {}) {
    const std::vector<const char*> names = detail::c_texts(joints);
    Plan plan;
    PlanOptions asking = options;
    const detail::Asked<Cancel> asked(cancel, asking);
    const sovo_status status = ask_plan(start, goals, plan, asking, names);
    asked.rethrow();
    check(status);
    return plan;
  }

  /// Calls sovo_robot_scene_in_collision(): false if every pair is proven to be free.
  bool in_collision(Positions positions, const QueryOptions& options = {}) {
    bool colliding = true;
    check(try_in_collision(positions, colliding, options));
    return colliding;
  }

  /// Calls sovo_robot_scene_closest(): the least distance and its pair.
  RobotContact closest(Positions positions, const QueryOptions& options = {}) {
    RobotContact contact;
    check(sovo_robot_scene_closest(get(), positions.data(), positions.size(), &options, &contact));
    return contact;
  }

  /// Calls sovo_robot_scene_contacts(): every pair within options.max_distance, closest or deepest first.
  std::vector<RobotContact> contacts(Positions positions, const QueryOptions& options = {}) {
    return detail::everything<RobotContact>([&](RobotContact* places, std::size_t capacity, std::size_t* total) {
      return sovo_robot_scene_contacts(get(), positions.data(), positions.size(), &options, places, capacity, total);
    });
  }

  /// Calls sovo_robot_scene_in_collision_batch(): positions holds configurations of count numbers, one after the other.
  /// The result has 1 for each that is not proven to be free, otherwise 0.
  std::vector<std::int32_t> in_collision_batch(Positions positions, std::size_t count,
                                               const QueryOptions& options = {}, std::uint32_t threads = 1) {
    std::vector<std::int32_t> colliding(whole(positions, count));
    check(try_in_collision_batch(positions, count, colliding, options, threads));
    return colliding;
  }

  /// Calls sovo_robot_scene_closest_batch(): the closest pair of each configuration.
  std::vector<RobotContact> closest_batch(Positions positions, std::size_t count,
                                           const QueryOptions& options = {}, std::uint32_t threads = 1) {
    std::vector<RobotContact> contacts(whole(positions, count));
    check(try_closest_batch(positions, count, contacts, options, threads));
    return contacts;
  }

  /// Calls sovo_robot_scene_clearance_batch(): the clearance of each configuration, metres, 0 in collision.
  std::vector<double> clearance_batch(Positions positions, std::size_t count,
                                      const QueryOptions& options = {}, std::uint32_t threads = 1) {
    std::vector<double> clearances(whole(positions, count));
    check(try_clearance_batch(positions, count, clearances, options, threads));
    return clearances;
  }

  /// Calls sovo_robot_scene_find_collision(): positions holds configurations of count numbers, one after the other. The
  /// result is the index of one that is not proven to be free; it is empty if all are, which says nothing about those
  /// between them.
  std::optional<std::size_t> find_collision(Positions positions, std::size_t count, const QueryOptions& options = {}) {
    std::size_t found = SIZE_MAX;
    check(try_find_collision(positions, count, found, options));
    return found == SIZE_MAX ? std::nullopt : std::optional<std::size_t>(found);
  }

  /// Calls sovo_robot_scene_edge_free(): judges the straight line between two configurations.
  Edge edge_free(Positions from, Positions to,
                 const EdgeOptions& options = {}) {
    Edge edge;
    check(try_edge_free(from, to, edge, options));
    return edge;
  }

  /// Calls sovo_robot_scene_step_counts().
  sovo_step_counts step_counts() {
    sovo_step_counts counts;
    check(sovo_robot_scene_step_counts(get(), &counts));
    return counts;
  }

  /// Calls sovo_robot_scene_edge_free_batch(): from and to hold configurations of count numbers, one after the other.
  std::vector<Edge> edge_free_batch(Positions from, Positions to, std::size_t count, const EdgeOptions& options = {},
                                    std::uint32_t threads = 1) {
    std::vector<Edge> edges(whole(from, count));
    check(try_edge_free_batch(from, to, count, edges, options, threads));
    return edges;
  }

  /// Calls sovo_robot_scene_find_collision_between(): the number k, from 1 to states, of a state that is not proven to be free
  /// among those at k / states of the straight line between two configurations; it is empty if all are.
  std::optional<std::size_t> find_collision_between(Positions from, Positions to, std::size_t states,
                                                    const QueryOptions& options = {}) {
    std::size_t found = SIZE_MAX;
    check(try_find_collision_between(from, to, states, found, options));
    return found == SIZE_MAX ? std::nullopt : std::optional<std::size_t>(found);
  }

  /// Calls sovo_robot_scene_spline_free(): judges the motion along a spline. In the edge, t is the time of the spline.
  Edge spline_free(const Spline& spline, const EdgeOptions& options = {}) {
    Edge edge;
    check(sovo_robot_scene_spline_free(get(), spline.get(), &options, &edge));
    return edge;
  }

  /// Calls sovo_robot_scene_free_region(): a box of configurations around one, proven free. A resolution of 0 is 1e-3,
  /// max_states of 0 are 20000, and any_contact and max_time must be 0.
  FreeRegion free_region(Positions positions, const EdgeOptions& options = {}) {
    FreeRegion region{std::vector<double>(positions.size()), std::vector<double>(positions.size())};
    check(sovo_robot_scene_free_region(get(), positions.data(), positions.size(), &options, region.lower.data(),
                                       region.upper.data()));
    return region;
  }

  /// Returns the handle for C functions, which remains owned by this object.
  sovo_robot_scene* get() noexcept { return handle_.get(); }

 private:
  sovo_status ask_plan(Positions start, Positions goals, Plan& plan, const PlanOptions& options,
                       span<const char* const> joints) noexcept {
    std::size_t count = start.size();
    const std::size_t goal_count = whole(goals, count);
    if (!joints.dense()) count = SIZE_MAX;
    sovo_plan* made = nullptr;
    const sovo_status status = sovo_robot_scene_plan(get(), start.data(), count, goals.data(), goal_count, joints.first(),
                                                     joints.size(), &options, &made);
    if (status == SOVO_STATUS_OK) plan.handle_.reset(made);
    return status;
  }

  /// The number of configurations of count numbers. Where a rest is left count becomes one that no robot has.
  static std::size_t whole(Positions positions, std::size_t& count) noexcept {
    if (count == 0 || positions.size() % count != 0) count = SIZE_MAX;
    return positions.size() / count;
  }

  template <class Ask, class T>
  sovo_status batch(Ask ask, Positions positions, std::size_t count, span<T> answers, const QueryOptions& options,
                    std::uint32_t threads) noexcept {
    const std::size_t configurations = whole(positions, count);
    if (configurations != answers.size() || !answers.dense()) count = SIZE_MAX;
    return ask(get(), positions.data(), count, configurations, &options, threads, answers.first());
  }

  std::unique_ptr<sovo_robot_scene, detail::Free> handle_;
};
#endif

// ------------------------------------------------------------------------------- queries: do not throw

/// Calls sovo_pair_contact().
[[nodiscard]] inline sovo_status try_pair_contact(const sovo_superovoid& shape_a, const Pose& pose_a,
                                                  const sovo_superovoid& shape_b, const Pose& pose_b,
                                                  Contact& contact, const QueryOptions& options = {},
                                                  PairCache* cache = nullptr) noexcept {
  return sovo_pair_contact(&shape_a, &pose_a, &shape_b, &pose_b, &options, cache, &contact);
}

/// Calls sovo_vertex_contact().
[[nodiscard]] inline sovo_status try_vertex_contact(const sovo_superovoid& shape, const Pose& pose,
                                                    const Vec3& point, Contact& contact,
                                                    const VertexOptions& options = {}) noexcept {
  return sovo_vertex_contact(&shape, &pose, point.data(), &options, &contact);
}

/// Calls sovo_body_contact(): two bodies of any kind. parts: nullptr, or receives the parts of both.
[[nodiscard]] inline sovo_status try_contact(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                                             Contact& contact, const QueryOptions& options = {},
                                             std::array<std::uint32_t, 2>* parts = nullptr) noexcept {
  return sovo_body_contact(&a, &pose_a, &b, &pose_b, &options, &contact, parts ? parts->data() : nullptr);
}

/// The arrays of a batch of pairs: sovo_pair_batch. There are as many pairs as contacts; every other array has as
/// many elements, or is repeat() of one.
struct PairBatch {
  /// The bodies A.
  span<const sovo_superovoid> shapes_a;
  /// The poses of the bodies A.
  span<const sovo_pose> poses_a;
  /// The bodies B.
  span<const sovo_superovoid> shapes_b;
  /// The poses of the bodies B.
  span<const sovo_pose> poses_b;
  /// The places for the answers.
  span<sovo_contact> contacts;
  /// The caches, one for each pair, or none at all.
  span<sovo_pair_cache> caches = {};
  /// The number of threads that share the work; 0 and 1: only the calling one.
  std::uint32_t threads = 1;
};

/// The arrays of a batch of pairs of bodies that are in one table: sovo_indexed_pair_batch. There are as many pairs as
/// contacts; index_a, index_b and wanted have as many elements, or are repeat() of one. There are as many bodies as
/// poses, which no repeat() gives.
struct IndexedPairBatch {
  /// The poses of the bodies.
  span<const sovo_pose> poses;
  /// The shapes: of each body, or those that body_shapes names.
  span<const sovo_superovoid> shapes;
  /// The indices of the bodies A.
  span<const std::uint32_t> index_a;
  /// The indices of the bodies B.
  span<const std::uint32_t> index_b;
  /// The places for the answers.
  span<sovo_contact> contacts;
  /// The index of each body's shape; without elements body k has shape k.
  span<const std::uint32_t> body_shapes = {};
  /// What is wanted of each pair, sums of sovo_wanted; without elements the whole answer of all.
  span<const std::uint8_t> wanted = {};
  /// The margin of SOVO_WANTED_NEAR, metres.
  double margin = 0.0;
  /// The caches, one for each pair, or none at all.
  span<sovo_pair_cache> caches = {};
  /// The number of threads that share the work; 0 and 1: only the calling one.
  std::uint32_t threads = 1;
};

/// The arrays of a batch of pairs of bodies of any kind: sovo_body_batch. There are as many pairs as contacts; every other
/// array has as many elements, or is repeat() of one.
struct BodyBatch {
  /// The bodies A.
  span<const sovo_body> bodies_a;
  /// The poses of the bodies A.
  span<const sovo_pose> poses_a;
  /// The bodies B.
  span<const sovo_body> bodies_b;
  /// The poses of the bodies B.
  span<const sovo_pose> poses_b;
  /// The places for the answers.
  span<sovo_part_contact> contacts;
  /// The number of threads that share the work; 0 and 1: only the calling one.
  std::uint32_t threads = 1;
};

/// The arrays of a batch of pairs of moving bodies: sovo_time_of_impact_batch. There are as many pairs as impacts; every
/// other array has as many elements, or is repeat() of one.
struct TimeOfImpactBatch {
  /// The bodies A.
  span<const sovo_body> bodies_a;
  /// The motions of the bodies A.
  span<const sovo_motion> motions_a;
  /// The bodies B.
  span<const sovo_body> bodies_b;
  /// The motions of the bodies B.
  span<const sovo_motion> motions_b;
  /// The places for the answers.
  span<sovo_time_of_impact> impacts;
  /// The number of threads that share the work; 0 and 1: only the calling one.
  std::uint32_t threads = 1;
};

/// The arrays of a batch of rays: sovo_ray_batch. There are as many rays as hits; every other array has as many elements, or
/// is repeat() of one, or a single point with the stride 0.
struct RayBatch {
  /// The bodies.
  span<const sovo_body> bodies;
  /// The poses of the bodies.
  span<const sovo_pose> poses;
  /// The origins, world frame.
  Points origins;
  /// The directions, world frame, of any length but zero.
  Points directions;
  /// The places for the answers.
  span<sovo_ray_hit> hits;
  /// The number of threads that share the work; 0 and 1: only the calling one.
  std::uint32_t threads = 1;
};

/// The arrays of a batch of vertices against one superovoid: sovo_vertex_batch. There are as many vertices as
/// contacts.
struct VertexBatch {
  /// The vertices, world frame.
  Points points;
  /// The places for the answers.
  span<sovo_contact> contacts;
  /// The number of threads that share the work; 0 and 1: only the calling one.
  std::uint32_t threads = 1;
};

namespace detail {

/// Returns whether an array has so many elements, or one for all.
template <class Elements>
constexpr bool fits(const Elements& elements, std::size_t count) noexcept {
  return elements.size() == count || (elements.size() == 1 && elements.stride() == 0);
}

/// Returns the name of the first array of a batch whose length is wrong, or nullptr if none is.
inline const char* misfit(const PairBatch& batch) noexcept {
  const std::size_t count = batch.contacts.size();
  if (!fits(batch.shapes_a, count)) return "shapes_a";
  if (!fits(batch.poses_a, count)) return "poses_a";
  if (!fits(batch.shapes_b, count)) return "shapes_b";
  if (!fits(batch.poses_b, count)) return "poses_b";
  // Caches are written to, one for each pair.
  if (!batch.caches.empty() && batch.caches.size() != count) return "caches";
  return nullptr;
}

inline const char* misfit(const BodyBatch& batch) noexcept {
  const std::size_t count = batch.contacts.size();
  if (!fits(batch.bodies_a, count)) return "bodies_a";
  if (!fits(batch.poses_a, count)) return "poses_a";
  if (!fits(batch.bodies_b, count)) return "bodies_b";
  if (!fits(batch.poses_b, count)) return "poses_b";
  return nullptr;
}

inline const char* misfit(const TimeOfImpactBatch& batch) noexcept {
  const std::size_t count = batch.impacts.size();
  if (!fits(batch.bodies_a, count)) return "bodies_a";
  if (!fits(batch.motions_a, count)) return "motions_a";
  if (!fits(batch.bodies_b, count)) return "bodies_b";
  if (!fits(batch.motions_b, count)) return "motions_b";
  return nullptr;
}

inline const char* misfit(const RayBatch& batch) noexcept {
  const std::size_t count = batch.hits.size();
  if (!fits(batch.bodies, count)) return "bodies";
  if (!fits(batch.poses, count)) return "poses";
  if (!fits(batch.origins, count)) return "origins";
  if (!fits(batch.directions, count)) return "directions";
  return nullptr;
}

inline const char* misfit(const IndexedPairBatch& batch) noexcept {
  const std::size_t count = batch.contacts.size(), bodies = batch.poses.size();
  if (!fits(batch.index_a, count)) return "index_a";
  if (!fits(batch.index_b, count)) return "index_b";
  if (!batch.wanted.empty() && !fits(batch.wanted, count)) return "wanted";
  if (!batch.body_shapes.empty() && !fits(batch.body_shapes, bodies)) return "body_shapes";
  if (batch.body_shapes.empty() && !fits(batch.shapes, bodies)) return "shapes";
  // Caches are written to, one for each pair.
  if (!batch.caches.empty() && batch.caches.size() != count) return "caches";
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

inline sovo_indexed_pair_batch to_c(const IndexedPairBatch& batch) noexcept {
  sovo_indexed_pair_batch c = SOVO_INDEXED_PAIR_BATCH_INIT;
  c.count = batch.contacts.size();
  c.body_count = batch.poses.size();
  c.poses = batch.poses.first();
  c.pose_stride = batch.poses.stride();
  // One shape that is repeated is that of all bodies.
  c.shape_count = batch.body_shapes.empty() ? c.body_count : batch.shapes.size();
  c.shapes = batch.shapes.first();
  c.shape_stride = batch.shapes.stride();
  c.body_shapes = batch.body_shapes.first();
  c.body_shape_stride = batch.body_shapes.stride();
  c.index_a = batch.index_a.first();
  c.index_a_stride = batch.index_a.stride();
  c.index_b = batch.index_b.first();
  c.index_b_stride = batch.index_b.stride();
  c.wanted = batch.wanted.first();
  c.wanted_stride = batch.wanted.stride();
  c.margin = batch.margin;
  c.caches = batch.caches.first();
  c.cache_stride = batch.caches.stride();
  c.contacts = batch.contacts.first();
  c.contact_stride = batch.contacts.stride();
  c.threads = batch.threads;
  return c;
}

inline sovo_body_batch to_c(const BodyBatch& batch) noexcept {
  sovo_body_batch c = SOVO_BODY_BATCH_INIT;
  c.count = batch.contacts.size();
  c.bodies_a = batch.bodies_a.first();
  c.body_a_stride = batch.bodies_a.stride();
  c.poses_a = batch.poses_a.first();
  c.pose_a_stride = batch.poses_a.stride();
  c.bodies_b = batch.bodies_b.first();
  c.body_b_stride = batch.bodies_b.stride();
  c.poses_b = batch.poses_b.first();
  c.pose_b_stride = batch.poses_b.stride();
  c.contacts = batch.contacts.first();
  c.contact_stride = batch.contacts.stride();
  c.threads = batch.threads;
  return c;
}

inline sovo_time_of_impact_batch to_c(const TimeOfImpactBatch& batch) noexcept {
  sovo_time_of_impact_batch c = SOVO_TIME_OF_IMPACT_BATCH_INIT;
  c.count = batch.impacts.size();
  c.bodies_a = batch.bodies_a.first();
  c.body_a_stride = batch.bodies_a.stride();
  c.motions_a = batch.motions_a.first();
  c.motion_a_stride = batch.motions_a.stride();
  c.bodies_b = batch.bodies_b.first();
  c.body_b_stride = batch.bodies_b.stride();
  c.motions_b = batch.motions_b.first();
  c.motion_b_stride = batch.motions_b.stride();
  c.impacts = batch.impacts.first();
  c.impact_stride = batch.impacts.stride();
  c.threads = batch.threads;
  return c;
}

inline sovo_ray_batch to_c(const RayBatch& batch) noexcept {
  sovo_ray_batch c = SOVO_RAY_BATCH_INIT;
  c.count = batch.hits.size();
  c.bodies = batch.bodies.first();
  c.body_stride = batch.bodies.stride();
  c.poses = batch.poses.first();
  c.pose_stride = batch.poses.stride();
  c.origins = batch.origins.first();
  c.origin_stride = batch.origins.stride();
  c.directions = batch.directions.first();
  c.direction_stride = batch.directions.stride();
  c.hits = batch.hits.first();
  c.hit_stride = batch.hits.stride();
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

/// Returns what `call` returns for a batch in the form of C, or SOVO_STATUS_ERROR_SIZE for arrays of wrong lengths.
template <class Batch, class Cancel, class Call>
sovo_status try_batch(const Batch& batch, Cancel& cancel, const Call& call) noexcept {
  static_assert(silent<Cancel>, "cancel must be a noexcept bool(std::size_t, std::size_t)");
  if (misfit(batch)) return SOVO_STATUS_ERROR_SIZE;
  auto c = to_c(batch);
  const Asked<Cancel> asked(cancel, c);
  return call(c);
}

}  // namespace detail

/// Calls sovo_pair_contact_batch(). cancel(done, count) is called from time to time, on the calling thread, and tells whether to end
/// the batch; it must be noexcept. SOVO_STATUS_ERROR_SIZE, without a text, if an array has the wrong length.
template <class Cancel = const detail::Never>
[[nodiscard]] sovo_status try_pair_contact_batch(const PairBatch& batch, const QueryOptions& options = {},
                                            Cancel&& cancel = {}) noexcept {
  return detail::try_batch(batch, cancel, [&](const sovo_pair_batch& c) { return sovo_pair_contact_batch(&c, &options); });
}

/// Calls sovo_indexed_pair_contact_batch(). cancel and sizes as for try_pair_contact_batch().
template <class Cancel = const detail::Never>
[[nodiscard]] sovo_status try_indexed_pair_contact_batch(const IndexedPairBatch& batch, const QueryOptions& options = {},
                                                         Cancel&& cancel = {}) noexcept {
  return detail::try_batch(batch, cancel, [&](const sovo_indexed_pair_batch& c) {
    return sovo_indexed_pair_contact_batch(&c, &options);
  });
}

/// Calls sovo_pair_gradient_batch() for the gradients alone: one for each contact of the batch, which
/// pair_contact_batch() has answered. cancel and sizes as for try_pair_contact_batch().
template <class Cancel = const detail::Never>
[[nodiscard]] sovo_status try_pair_gradient_batch(const PairBatch& batch, span<sovo_gradient> gradients,
                                                  Cancel&& cancel = {}) noexcept {
  if (gradients.size() != batch.contacts.size()) return SOVO_STATUS_ERROR_SIZE;
  return detail::try_batch(batch, cancel, [&](const sovo_pair_batch& c) {
    return sovo_pair_gradient_batch(&c, nullptr, gradients.first(), gradients.stride());
  });
}

/// Calls sovo_vertex_contact_batch(). cancel and sizes as for try_pair_contact_batch().
template <class Cancel = const detail::Never>
[[nodiscard]] sovo_status try_vertex_contact_batch(const sovo_superovoid& shape, const Pose& pose,
                                              const VertexBatch& batch,
                                              const VertexOptions& options = {},
                                              Cancel&& cancel = {}) noexcept {
  return detail::try_batch(batch, cancel, [&](const sovo_vertex_batch& c) {
    return sovo_vertex_contact_batch(&shape, &pose, &c, &options);
  });
}

/// Calls sovo_body_contact_batch(). cancel and sizes as for try_pair_contact_batch().
template <class Cancel = const detail::Never>
[[nodiscard]] sovo_status try_contact_batch(const BodyBatch& batch, const QueryOptions& options = {},
                                            Cancel&& cancel = {}) noexcept {
  return detail::try_batch(batch, cancel, [&](const sovo_body_batch& c) { return sovo_body_contact_batch(&c, &options); });
}

/// Calls sovo_body_derivatives_batch() for the gradients alone: one for each contact of the batch, which contact_batch() has
/// answered. cancel and sizes as for try_pair_contact_batch().
template <class Cancel = const detail::Never>
[[nodiscard]] sovo_status try_derivatives_batch(const BodyBatch& batch, span<sovo_gradient> gradients,
                                                Cancel&& cancel = {}) noexcept {
  if (gradients.size() != batch.contacts.size()) return SOVO_STATUS_ERROR_SIZE;
  return detail::try_batch(batch, cancel, [&](const sovo_body_batch& c) {
    return sovo_body_derivatives_batch(&c, nullptr, gradients.first(), gradients.stride());
  });
}

/// Calls sovo_body_time_of_impact_batch(). cancel and sizes as for try_pair_contact_batch().
template <class Cancel = const detail::Never>
[[nodiscard]] sovo_status try_time_of_impact_batch(const TimeOfImpactBatch& batch, const TimeOfImpactOptions& options = {},
                                                   Cancel&& cancel = {}) noexcept {
  return detail::try_batch(batch, cancel, [&](const sovo_time_of_impact_batch& c) {
    return sovo_body_time_of_impact_batch(&c, &options);
  });
}

/// Calls sovo_body_ray_cast_batch(). cancel and sizes as for try_pair_contact_batch().
template <class Cancel = const detail::Never>
[[nodiscard]] sovo_status try_ray_cast_batch(const RayBatch& batch,
                                             double max_time_of_impact = std::numeric_limits<double>::infinity(),
                                             bool solid = true, Cancel&& cancel = {}) noexcept {
  return detail::try_batch(batch, cancel, [&](const sovo_ray_batch& c) {
    return sovo_body_ray_cast_batch(&c, max_time_of_impact, solid);
  });
}

/// Calls sovo_pair_gradient(): the gradient alone.
[[nodiscard]] inline sovo_status try_pair_gradient(const sovo_superovoid& shape_a, const Pose& pose_a,
                                                   const sovo_superovoid& shape_b, const Pose& pose_b,
                                                   const sovo_contact& contact,
                                                   Gradient& gradient) noexcept {
  return sovo_pair_gradient(&shape_a, &pose_a, &shape_b, &pose_b, &contact, nullptr, &gradient);
}

/// Calls sovo_body_derivatives(): all derivatives at a contact.
[[nodiscard]] inline sovo_status try_derivatives(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                                                 const sovo_contact& contact, Derivatives& derivatives) noexcept {
  const sovo_derivatives places = derivatives.places();
  return sovo_body_derivatives(&a, &pose_a, &b, &pose_b, &contact, &places, &derivatives.gradient);
}

// -------------------------------------------------------------------------------------- queries: throw

#ifdef SUPEROVOID_EXCEPTIONS

/// Calls sovo_pair_contact(): two superovoids.
inline Contact pair_contact(const sovo_superovoid& shape_a, const Pose& pose_a, const sovo_superovoid& shape_b,
                            const Pose& pose_b, const QueryOptions& options = {},
                            PairCache* cache = nullptr) {
  Contact contact;
  check(try_pair_contact(shape_a, pose_a, shape_b, pose_b, contact, options, cache));
  return contact;
}

/// Calls sovo_vertex_contact(): a superovoid and a point, world frame.
inline Contact vertex_contact(const sovo_superovoid& shape, const Pose& pose, const Vec3& point,
                              const VertexOptions& options = {}) {
  Contact contact;
  check(try_vertex_contact(shape, pose, point, contact, options));
  return contact;
}

/// Calls sovo_pair_gradient(): the gradient of the distance at a contact of two superovoids.
inline Gradient pair_gradient(const sovo_superovoid& shape_a, const Pose& pose_a, const sovo_superovoid& shape_b,
                              const Pose& pose_b, const sovo_contact& contact) {
  Gradient gradient;
  check(try_pair_gradient(shape_a, pose_a, shape_b, pose_b, contact, gradient));
  return gradient;
}

/// Calls sovo_body_contact(): two bodies of any kind. parts: nullptr, or receives the parts of both.
inline Contact contact(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                       const QueryOptions& options = {}, std::array<std::uint32_t, 2>* parts = nullptr) {
  Contact contact;
  check(try_contact(a, pose_a, b, pose_b, contact, options, parts));
  return contact;
}

/// Calls sovo_body_contacts(): every two parts of A and B within margin (metres) of each other.
inline std::vector<PartContact> contacts(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                                         double margin, const QueryOptions& options = {}) {
  return detail::everything<PartContact>([&](PartContact* places, std::size_t capacity, std::size_t* count) {
    return sovo_body_contacts(&a, &pose_a, &b, &pose_b, margin, &options, places, capacity, count);
  });
}

/// Calls sovo_body_manifolds(): the contact manifolds of every two parts of A and B within margin (metres) of each other.
inline std::vector<Manifold> manifolds(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                                       double margin = 0.0, const QueryOptions& options = {}) {
  return detail::everything<Manifold>([&](Manifold* places, std::size_t capacity, std::size_t* count) {
    return sovo_body_manifolds(&a, &pose_a, &b, &pose_b, margin, &options, places, capacity, count);
  });
}

/// Calls sovo_body_manifold_batch(): the manifolds of pairs of bodies, which are given by two indices each. bodies and poses are
/// contiguous and as many.
inline std::vector<Manifold> manifold_batch(span<const sovo_body> bodies, span<const sovo_pose> poses,
                                            const std::vector<std::array<std::uint32_t, 2>>& pairs, double margin = 0.0,
                                            const QueryOptions& options = {}, std::uint32_t threads = 1) {
  if (bodies.size() != poses.size())
    throw error(SOVO_STATUS_ERROR_SIZE, "manifold_batch: as many poses as bodies are needed");
  if (!bodies.dense() || !poses.dense())
    throw error(SOVO_STATUS_ERROR_SIZE, "manifold_batch: bodies and poses must be contiguous");
  std::vector<Manifold> manifolds(pairs.size());
  check(sovo_body_manifold_batch(bodies.first(), poses.first(), bodies.size(), pairs.empty() ? nullptr : pairs[0].data(),
                                 pairs.size(), margin, &options, threads, manifolds.data()));
  return manifolds;
}

/// Calls sovo_body_derivatives(): all derivatives at a contact.
inline Derivatives derivatives(const Body& a, const Pose& pose_a, const Body& b, const Pose& pose_b,
                               const sovo_contact& contact) {
  Derivatives derivatives;
  check(try_derivatives(a, pose_a, b, pose_b, contact, derivatives));
  return derivatives;
}

/// Calls sovo_body_time_of_impact(): when two moving bodies touch first.
inline TimeOfImpact time_of_impact(const Body& a, const sovo_motion& motion_a, const Body& b, const sovo_motion& motion_b,
                                   const TimeOfImpactOptions& options = {}) {
  TimeOfImpact impact;
  check(sovo_body_time_of_impact(&a, &motion_a, &b, &motion_b, &options, &impact));
  return impact;
}

/// Published methods, for comparison with the exact queries.
namespace published {

/// Calls sovo_published_scheme_contact(): two superovoids by one of the four schemes of Goncalves et al. (2017), verified
/// or as published.
inline Contact scheme_contact(sovo_scheme scheme, const sovo_superovoid& shape_a, const Pose& pose_a,
                              const sovo_superovoid& shape_b, const Pose& pose_b,
                              const QueryOptions& options = {}, PairCache* cache = nullptr,
                              sovo_jacobian jacobian = SOVO_JACOBIAN_ANALYTIC, bool as_published = false) {
  Contact contact;
  const auto number = static_cast<std::uint32_t>(scheme) |
                      (as_published ? static_cast<std::uint32_t>(SOVO_SCHEME_AS_PUBLISHED) : 0u);
  check(sovo_published_scheme_contact(number, static_cast<std::uint32_t>(jacobian),
                                      &shape_a, &pose_a, &shape_b, &pose_b, &options, cache, &contact));
  return contact;
}

/// Calls sovo_published_iterative_vertex_contact(): a superovoid and a point by the iterative geometric method.
inline Contact iterative_vertex_contact(const sovo_superovoid& shape, const Pose& pose, const Vec3& point,
                                        const VertexOptions& options = {}) {
  Contact contact;
  check(sovo_published_iterative_vertex_contact(&shape, &pose, point.data(), &options, &contact));
  return contact;
}

/// Calls sovo_published_radial_vertex_contact(): the surface point on the ray from the centre through a point.
inline Contact radial_vertex_contact(const sovo_superovoid& shape, const Pose& pose, const Vec3& point,
                                     const VertexOptions& options = {}) {
  Contact contact;
  check(sovo_published_radial_vertex_contact(&shape, &pose, point.data(), &options, &contact));
  return contact;
}

}  // namespace published

namespace detail {

/// Throws if an array of a batch has another length than that of the answers, by name.
template <class Batch>
void check_sizes(const Batch& batch, const char* answers, std::size_t count) {
  if (const char* array = misfit(batch))
    throw error(SOVO_STATUS_ERROR_SIZE, std::string(array) + " must have as many elements as " + answers + ", " +
                                            std::to_string(count));
}

inline void check_sizes(const PairBatch& batch) { check_sizes(batch, "contacts", batch.contacts.size()); }
inline void check_sizes(const VertexBatch& batch) { check_sizes(batch, "contacts", batch.contacts.size()); }
inline void check_sizes(const BodyBatch& batch) { check_sizes(batch, "contacts", batch.contacts.size()); }
inline void check_sizes(const TimeOfImpactBatch& batch) { check_sizes(batch, "impacts", batch.impacts.size()); }
inline void check_sizes(const RayBatch& batch) { check_sizes(batch, "hits", batch.hits.size()); }

inline void check_sizes(const IndexedPairBatch& batch) {
  const char* const array = misfit(batch);
  const bool of_bodies = array && (array == std::string("shapes") || array == std::string("body_shapes"));
  if (of_bodies)
    check_sizes(batch, "poses", batch.poses.size());
  else
    check_sizes(batch, "contacts", batch.contacts.size());
}

/// Calls `call` with a batch in the form of C, and throws what it or `cancel` ends with.
template <class Batch, class Cancel, class Call>
void run_batch(const Batch& batch, Cancel& cancel, const Call& call) {
  check_sizes(batch);
  auto c = to_c(batch);
  const Asked<Cancel> asked(cancel, c);
  const sovo_status status = call(c);
  asked.rethrow();
  check(status);
}

inline void check_gradients(std::size_t gradients, std::size_t contacts) {
  if (gradients != contacts) throw error(SOVO_STATUS_ERROR_SIZE, "there must be as many gradients as contacts");
}

}  // namespace detail

/// Calls sovo_pair_contact_batch(): many pairs, all or none.
///
/// cancel(done, count) is called from time to time, on the calling thread, and ends the batch if it returns true:
/// with a superovoid::error with SOVO_STATUS_ERROR_CANCELLED. An exception that it throws ends the batch too, and is
/// rethrown here.
template <class Cancel = const detail::Never>
void pair_contact_batch(const PairBatch& batch, const QueryOptions& options = {}, Cancel&& cancel = {}) {
  detail::run_batch(batch, cancel, [&](const sovo_pair_batch& c) { return sovo_pair_contact_batch(&c, &options); });
}

/// Calls sovo_indexed_pair_contact_batch(): many pairs of the bodies of one table, all or none. cancel as for
/// pair_contact_batch().
template <class Cancel = const detail::Never>
void indexed_pair_contact_batch(const IndexedPairBatch& batch, const QueryOptions& options = {}, Cancel&& cancel = {}) {
  detail::run_batch(batch, cancel, [&](const sovo_indexed_pair_batch& c) {
    return sovo_indexed_pair_contact_batch(&c, &options);
  });
}

/// Calls sovo_pair_gradient_batch() for the gradients alone, all or none: one for each contact of the batch, which
/// pair_contact_batch() has answered; cancel as there.
template <class Cancel = const detail::Never>
void pair_gradient_batch(const PairBatch& batch, span<sovo_gradient> gradients, Cancel&& cancel = {}) {
  detail::check_gradients(gradients.size(), batch.contacts.size());
  detail::run_batch(batch, cancel, [&](const sovo_pair_batch& c) {
    return sovo_pair_gradient_batch(&c, nullptr, gradients.first(), gradients.stride());
  });
}

/// Calls sovo_vertex_contact_batch(): many points against one superovoid, all or none; cancel as for
/// pair_contact_batch().
template <class Cancel = const detail::Never>
void vertex_contact_batch(const sovo_superovoid& shape, const Pose& pose, const VertexBatch& batch,
                     const VertexOptions& options = {}, Cancel&& cancel = {}) {
  detail::run_batch(batch, cancel, [&](const sovo_vertex_batch& c) {
    return sovo_vertex_contact_batch(&shape, &pose, &c, &options);
  });
}

/// Calls sovo_body_contact_batch(): many pairs of bodies of any kind, all or none; cancel as for pair_contact_batch().
template <class Cancel = const detail::Never>
void contact_batch(const BodyBatch& batch, const QueryOptions& options = {}, Cancel&& cancel = {}) {
  detail::run_batch(batch, cancel, [&](const sovo_body_batch& c) { return sovo_body_contact_batch(&c, &options); });
}

/// Calls sovo_body_derivatives_batch() for the gradients alone, all or none: one for each contact of the batch, which
/// contact_batch() has answered; cancel as for pair_contact_batch().
template <class Cancel = const detail::Never>
void derivatives_batch(const BodyBatch& batch, span<sovo_gradient> gradients, Cancel&& cancel = {}) {
  detail::check_gradients(gradients.size(), batch.contacts.size());
  detail::run_batch(batch, cancel, [&](const sovo_body_batch& c) {
    return sovo_body_derivatives_batch(&c, nullptr, gradients.first(), gradients.stride());
  });
}

/// Calls sovo_body_time_of_impact_batch(): many pairs of moving bodies, all or none; cancel as for pair_contact_batch().
template <class Cancel = const detail::Never>
void time_of_impact_batch(const TimeOfImpactBatch& batch, const TimeOfImpactOptions& options = {}, Cancel&& cancel = {}) {
  detail::run_batch(batch, cancel, [&](const sovo_time_of_impact_batch& c) {
    return sovo_body_time_of_impact_batch(&c, &options);
  });
}

/// Calls sovo_body_ray_cast_batch(): many rays, all or none; cancel as for pair_contact_batch().
template <class Cancel = const detail::Never>
void ray_cast_batch(const RayBatch& batch, double max_time_of_impact = std::numeric_limits<double>::infinity(),
                    bool solid = true, Cancel&& cancel = {}) {
  detail::run_batch(batch, cancel, [&](const sovo_ray_batch& c) {
    return sovo_body_ray_cast_batch(&c, max_time_of_impact, solid);
  });
}

/// Calls sovo_body_ray_cast(): the first hit of origin + t * direction, 0 <= t <= max_time_of_impact, on a body of any kind;
/// one that is not solid is a shell, which an origin inside meets from within.
inline RayHit ray_cast(const Body& body, const Pose& pose, const Vec3& origin, const Vec3& direction,
                       double max_time_of_impact = std::numeric_limits<double>::infinity(), bool solid = true) {
  RayHit hit;
  check(sovo_body_ray_cast(&body, &pose, origin.data(), direction.data(), max_time_of_impact, solid, &hit));
  return hit;
}

/// Casts the segment between two different points, of which t = 0 is the first and t = 1 the second.
inline RayHit segment_cast(const Body& body, const Pose& pose, const Vec3& from, const Vec3& to, bool solid = true) {
  return ray_cast(body, pose, from, {to[0] - from[0], to[1] - from[1], to[2] - from[2]}, 1, solid);
}

/// The hits of a ray on a superquadric, by increasing time of impact, and whether none can be missing.
struct RayHits {
  /// The hits, by increasing time of impact.
  std::vector<RayHit> hits;
  /// Whether none can be missing.
  bool complete;
};

/// Calls sovo_body_ray_hits(): every hit of a ray on a superquadric.
inline RayHits ray_hits(const Body& body, const Pose& pose, const Vec3& origin, const Vec3& direction,
                        double max_time_of_impact = std::numeric_limits<double>::infinity()) {
  std::int32_t complete = 0;
  auto hits = detail::everything<RayHit>([&](RayHit* places, std::size_t capacity, std::size_t* count) {
    return sovo_body_ray_hits(&body, &pose, origin.data(), direction.data(), max_time_of_impact, places, capacity, count,
                              &complete);
  });
  return {std::move(hits), complete != 0};
}

/// Calls sovo_planar_segment_contact(): a superellipse and a segment, both in the plane.
inline PlanarContact planar_segment_contact(const Vec2& semi_axes, double exponent,
                                            const Vec2& translation, double angle, const Vec2& from,
                                            const Vec2& to) {
  PlanarContact contact;
  check(sovo_planar_segment_contact(semi_axes.data(), exponent, translation.data(), angle, from.data(),
                                    to.data(), &contact));
  return contact;
}

/// Calls sovo_bounding_sphere_distance(): the distance of two spheres, 0 if they meet.
inline double distance(const BoundingSphere& a, const BoundingSphere& b) {
  double distance;
  check(sovo_bounding_sphere_distance(&a, &b, &distance));
  return distance;
}

/// Calls sovo_aabb_distance(): of two boxes, 0 if they meet.
inline double distance(const Aabb& a, const Aabb& b) {
  double distance;
  check(sovo_aabb_distance(&a, &b, &distance));
  return distance;
}

/// Calls sovo_obb_distance(): a lower bound of the distance of two boxes, 0 if they meet.
inline double distance(const Obb& a, const Obb& b) {
  double distance;
  check(sovo_obb_distance(&a, &b, &distance));
  return distance;
}

#endif  // SUPEROVOID_EXCEPTIONS

}  // namespace superovoid

#endif  // SUPEROVOID_HPP
