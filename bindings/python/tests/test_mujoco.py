"""Superovoids in models of MuJoCo."""

import doctest

import numpy as np
import pytest
import superovoid
from conftest import matrices, poses, shapes

mujoco = pytest.importorskip("mujoco", reason="pip install 'superovoid[mujoco]'")

import superovoid.mujoco as module  # noqa: E402
from superovoid.mujoco import Superovoids  # noqa: E402


def model_of(bodies, parameters, at):
    """Returns a model with a free body for each superovoid, which lies somewhere in it, and these places."""
    spec = mujoco.MjSpec()
    for k, numbers in enumerate(parameters):
        body = spec.worldbody.add_body(name=f"body {k}", mass=1.0, inertia=[1.0, 1.0, 1.0])
        body.add_freejoint()
        bodies.add(spec, body, f"s{k}", numbers, pos=at[k, :3], quat=at[k, [6, 3, 4, 5]])
    return spec.compile()


def test_reports_are_contacts_at_the_poses_of_the_state(rng):
    parameters, at = shapes(rng, 5), poses(rng, 5, 0.3)
    bodies = Superovoids()
    model = model_of(bodies, parameters, at)
    data = mujoco.MjData(model)
    free = poses(rng, 5)
    data.qpos[:] = free[:, [0, 1, 2, 6, 3, 4, 5]].ravel()
    mujoco.mj_kinematics(model, data)
    world = matrices(free) @ matrices(at)
    assert np.abs(bodies.poses(model, data) - world).max() < 1e-12
    pairs, found = bodies.contacts(model, data)
    assert pairs == [(f"s{a}", f"s{b}") for a in range(5) for b in range(a + 1, 5)]
    first, second = np.triu_indices(5, 1)
    want = superovoid.contact(parameters[first], world[first], parameters[second], world[second])
    apart = want.distance > 0
    assert apart.any() and np.abs(found.distance - want.distance)[apart].max() < 1e-8
    near = bodies.contacts(model, data, max_distance=0.5)
    assert near.pairs == [p for p, d in zip(pairs, want.distance) if d <= 0.5] and len(near.contacts) < len(found)


def test_what_is_seen_is_the_surface(rng):
    """MuJoCo moves a mesh to its centre of mass; on the screen its vertices lie on the body all the same."""
    parameters = shapes(rng, 3, (0.4, 1.4))
    parameters[:, 5:] = 0.2
    bodies = Superovoids()
    model = model_of(bodies, parameters, poses(rng, 3, 0.3))
    data = mujoco.MjData(model)
    data.qpos[:] = poses(rng, 3)[:, [0, 1, 2, 6, 3, 4, 5]].ravel()
    mujoco.mj_kinematics(model, data)
    for k, frame in enumerate(bodies.poses(model, data)):
        geom, mesh = model.geom(f"s{k}").id, model.mesh(f"s{k}").id
        start, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        world = model.mesh_vert[start : start + count] @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
        local = (world - frame[:3, 3]) @ frame[:3, :3]
        distance = superovoid.vertex_contact(parameters[k], [0, 0, 0, 0, 0, 0, 1], local).distance
        assert count > 200 and np.abs(distance).max() < 1e-6  # its vertices have single precision


def test_meshes_collide_with_nothing_and_weigh_nothing(rng):
    bodies = Superovoids()
    model = model_of(bodies, shapes(rng, 2), np.tile([0.0, 0, 0, 0, 0, 0, 1], (2, 1)))
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data)
    assert data.ncon == 0 and np.allclose(model.body_mass[1:], 1.0)
    assert bodies.contacts(model, data).contacts.distance[0] < 0


def test_bodies_that_are_welded_together_are_no_pair(rng):
    spec, bodies = mujoco.MjSpec(), Superovoids()
    first, second = shapes(rng, 2)
    body = spec.worldbody.add_body()
    bodies.add(spec, body, "a", first)
    bodies.add(spec, spec.worldbody, "b", second)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    assert bodies.contacts(model, data).pairs == []
    with pytest.raises(ValueError, match="a superovoid 'a' already"):
        bodies.add(spec, body, "a", first)
    bodies.add(spec, body, "c", first)
    with pytest.raises(ValueError, match="no superovoid 'c'"):
        bodies.contacts(model, data)


def test_example_of_the_module_is_true():
    assert doctest.testmod(module).failed == 0
