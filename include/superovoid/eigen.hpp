/// @file
/// superovoid with Eigen: vectors, poses and matrices of points as inputs and outputs.
///
/// SPDX-License-Identifier: MIT OR Apache-2.0
///
///     #include <superovoid/eigen.hpp>
///
///     Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
///     pose.translation() = Eigen::Vector3d(0, 0, 0.05);
///     const auto contact = superovoid::pair_contact(egg, {}, brick, pose);
///     const Eigen::Vector3d normal = superovoid::to_eigen(contact.normal);
///
/// This header is separate, so that superovoid.hpp means the same with and without Eigen. Where it is included,
/// superovoid::Vec3 takes every Eigen expression of three doubles, superovoid::Pose an Eigen::Isometry3d, and
/// superovoid::Points, without a copy, an Eigen::Matrix3Xd (also a map, or a block of its columns) and a
/// std::vector<Eigen::Vector3d>. It needs Eigen 3.3 or later.
#ifndef SUPEROVOID_EIGEN_HPP
#define SUPEROVOID_EIGEN_HPP

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <vector>

#include <superovoid.hpp>

namespace superovoid {

namespace detail {

template <class T>
std::true_type is_eigen(const Eigen::MatrixBase<T>*);
std::false_type is_eigen(const void*);

/// Whether T is a matrix, a vector or an expression of Eigen.
template <class T>
constexpr bool eigen_matrix = decltype(is_eigen(static_cast<const T*>(nullptr)))::value;

}  // namespace detail

/// The conversion of Eigen's vectors and expressions of three doubles.
template <class T>
struct vector_of<T, std::enable_if_t<detail::eigen_matrix<T>>> {
  /// Returns the value of the expression.
  static Vec3 from(const T& expression) {
    static_assert(std::is_same_v<typename T::Scalar, double>, "a vector must be of double");
    static_assert(T::SizeAtCompileTime == 3, "a vector must have three numbers");
    const Eigen::Matrix<double, T::RowsAtCompileTime, T::ColsAtCompileTime> v = expression;
    return Vec3(v(0), v(1), v(2));
  }
};

/// The conversion of Eigen's isometries. One whose matrix is not a rotation throws superovoid::error with
/// SOVO_STATUS_ERROR_POSE; without exceptions it becomes a pose that every query rejects.
template <int Options>
struct pose_of<Eigen::Transform<double, 3, Eigen::Isometry, Options>> {
  /// Returns the same pose.
  static Pose from(const Eigen::Transform<double, 3, Eigen::Isometry, Options>& isometry) {
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> r = isometry.linear();
    const std::array<double, 9> rows = {r(0), r(1), r(2), r(3), r(4), r(5), r(6), r(7), r(8)};
    const Vec3 translation = Eigen::Vector3d(isometry.translation());
#ifdef SUPEROVOID_EXCEPTIONS
    return Pose::from_matrix(rows, translation);
#else
    Pose pose(translation, {0, 0, 0, 0});
    static_cast<void>(Pose::try_from_matrix(rows, translation, pose));
    return pose;
#endif
  }
};

/// The conversion of the columns of a matrix with three rows.
template <class T>
struct points_of<T, std::enable_if_t<detail::eigen_matrix<T>>> {
  /// Returns the same points; the matrix must outlive them.
  static Points from(const T& columns) {
    static_assert(std::is_same_v<typename T::Scalar, double>, "points must be of double");
    static_assert(T::RowsAtCompileTime == 3 && !T::IsRowMajor,
                  "points must be the columns of a matrix with three rows");
    static_assert((T::Flags & Eigen::DirectAccessBit) != 0 && T::InnerStrideAtCompileTime == 1,
                  "points must lie in memory: evaluate the expression first");
    const auto stride = static_cast<std::size_t>(columns.outerStride()) * sizeof(double);
    return Points(columns.data(), static_cast<std::size_t>(columns.cols()), stride);
  }
};

/// The conversion of a std::vector of Eigen's vectors.
template <int Options, class Allocator>
struct points_of<std::vector<Eigen::Matrix<double, 3, 1, Options>, Allocator>> {
  /// Returns the same points; the vector must outlive them.
  static Points from(const std::vector<Eigen::Matrix<double, 3, 1, Options>, Allocator>& points) {
    using Element = Eigen::Matrix<double, 3, 1, Options>;
    return Points(points.empty() ? nullptr : points.data()->data(), points.size(), sizeof(Element));
  }
};

/// Returns a pose from a translation, metres, and a rotation of any length but zero.
inline Pose to_pose(const Eigen::Vector3d& translation, const Eigen::Quaterniond& rotation) {
  return Pose(translation, {rotation.x(), rotation.y(), rotation.z(), rotation.w()});
}

/// Returns a point or direction, such as Contact::normal.
inline Eigen::Vector3d to_eigen(const double (&v)[3]) { return Eigen::Vector3d(v[0], v[1], v[2]); }

/// Returns a point or direction.
inline Eigen::Vector3d to_eigen(const Vec3& v) { return Eigen::Vector3d(v[0], v[1], v[2]); }

/// Returns the rotation of a pose, divided by its length.
inline Eigen::Quaterniond rotation(const sovo_pose& pose) {
  const double(&q)[4] = pose.rotation;
  return Eigen::Quaterniond(q[3], q[0], q[1], q[2]).normalized();
}

/// Returns the 26 numbers of a gradient, which must outlive the map.
inline Eigen::Map<const Eigen::Matrix<double, 26, 1>> to_eigen(const sovo_gradient& gradient) {
  return Eigen::Map<const Eigen::Matrix<double, 26, 1>>(gradient.gradient);
}

/// Returns the Hessian of derivatives, which must outlive the map.
inline Eigen::Map<const Eigen::Matrix<double, 26, 26>> hessian(const Derivatives& derivatives) {
  return Eigen::Map<const Eigen::Matrix<double, 26, 26>>(derivatives.hessian.data());
}

/// Returns a Jacobian of derivatives (normal, point_a or point_b), which must outlive the map.
inline Eigen::Map<const Eigen::Matrix<double, 3, 26, Eigen::RowMajor>> jacobian(
    const std::array<double, 78>& rows) {
  return Eigen::Map<const Eigen::Matrix<double, 3, 26, Eigen::RowMajor>>(rows.data());
}

/// Returns a pose.
inline Eigen::Isometry3d to_eigen(const sovo_pose& pose) {
  return Eigen::Translation3d(to_eigen(pose.translation)) * rotation(pose);
}

}  // namespace superovoid

#endif  // SUPEROVOID_EIGEN_HPP
