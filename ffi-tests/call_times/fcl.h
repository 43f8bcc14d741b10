/* FCL 0.7 behind a C interface: call_times_fcl.cpp. */
#ifndef CALL_TIMES_FCL_H
#define CALL_TIMES_FCL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fcl_body fcl_body;

/* To be freed with fcl_free; NULL without memory. */
fcl_body *fcl_new_ellipsoid(const double semi_axes[3]);
fcl_body *fcl_new_mesh(const double *vertices, size_t vertex_count, const uint32_t *triangles,
                       size_t triangle_count);
void fcl_free(fcl_body *body);

/* Position, and rotation as x, y, z, w. */
void fcl_place(fcl_body *body, const double translation[3], const double rotation[4]);

/* The distance as FCL reports it; 0 if it throws. */
int fcl_distance(const fcl_body *a, const fcl_body *b, int independent_solver, int is_signed,
                 double *distance);

#ifdef __cplusplus
}
#endif

#endif
