#!/usr/bin/env python3
"""Runs a scene of rigid bodies in MuJoCo, for the report of the simulation.

    pip install -r studies/compare/derivatives_requirements.txt
    studies/compare/simulation_mujoco.py PROBLEM.json ANSWER.json

The tool `simulation` writes the problem: bodies with a plane, an ellipsoid, a box, the points of a convex hull, or convex
cells, and the step. The answer has the time of every frame in milliseconds (one call of `mj_step` for all steps of a
frame) and, once a second and at the end, the position, orientation, velocity and angular velocity of each moving body.
Everything that is not in the problem is MuJoCo's default.
"""
import json
import sys
import time

import mujoco
import numpy as np


def numbers(values):
    return " ".join(repr(float(v)) for v in np.ravel(values))


def geoms(name, geometry, assets):
    """Returns the elements of a body's geometry and adds its meshes to the assets."""
    if "plane" in geometry:
        return ['type="plane" size="0 0 1"']
    for kind in ("ellipsoid", "box"):
        if kind in geometry:
            return [f'type="{kind}" size="{numbers(geometry[kind])}"']
    hulls = [geometry["hull"]] if "hull" in geometry else geometry["cells"]
    for k, points in enumerate(hulls):
        assets.append(f'<mesh name="{name}_{k}" vertex="{numbers(points)}"/>')
    return [f'type="mesh" mesh="{name}_{k}"' for k in range(len(hulls))]


def model(problem):
    assets, bodies = [], []
    for k, body in enumerate(problem["bodies"]):
        density = body["density"]
        place = f'pos="{numbers(body["position"])}" quat="{numbers(body["orientation"])}"'
        parts = "".join(f'<geom {g} density="{density or 0}"/>' for g in geoms(f"m{k}", body["geometry"], assets))
        joint = "<freejoint/>" if density else ""
        bodies.append(f"<body {place}>{joint}{parts}</body>")
    xml = f"""<mujoco>
      <option timestep="{problem["step"]}" gravity="{numbers(problem["gravity"])}"/>
      <size memory="512M"/>
      <default><geom friction="{problem["friction"]} 0.005 0.0001"/></default>
      <asset>{"".join(assets)}</asset>
      <worldbody>{"".join(bodies)}</worldbody>
    </mujoco>"""
    return mujoco.MjModel.from_xml_string(xml)


def main():
    problem = json.load(open(sys.argv[1]))
    m = model(problem)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    moving = [k + 1 for k, body in enumerate(problem["bodies"]) if body["density"]]
    times, states = [], []
    for frame in range(1, problem["frames"] + 1):
        start = time.perf_counter()
        mujoco.mj_step(m, d, problem["substeps"])
        times.append(1e3 * (time.perf_counter() - start))
        if frame % 60 == 0 or frame == problem["frames"]:
            mujoco.mj_kinematics(m, d)
            velocities = d.qvel.reshape(-1, 6)
            states.append(
                [
                    [*d.xpos[b], *d.xquat[b], *v[:3], *(d.xmat[b].reshape(3, 3) @ v[3:])]
                    for b, v in zip(moving, velocities)
                ]
            )
    json.dump({"times": times, "states": states}, open(sys.argv[2], "w"))


if __name__ == "__main__":
    main()
