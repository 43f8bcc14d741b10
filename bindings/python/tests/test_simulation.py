"""Worlds in motion and recordings."""

import json
import pickle
import threading

import numpy as np
import pytest
import superovoid


BALL = {
    "version": 1,
    "materials": [{}],
    "bodies": [
        {
            "shape": {"Superovoid": {"semi_axes": [0.1, 0.1, 0.1], "exponents": [1, 1], "tapers": [0, 0]}},
            "position": [1, 2, 5],
            "motion": {"Dynamic": {"density": 1000}},
        }
    ],
}


def test_a_body_falls_as_bodies_do():
    world = superovoid.World(json.dumps(BALL))
    assert world.cloth_count == 0 and world.poses.tolist() == [[1, 2, 5, 0, 0, 0, 1]]
    world.step(60)
    assert world.frame == 60 and world.time == pytest.approx(1.0)
    # Ten substeps a frame, each with the velocity at its end.
    steps, h = 600, 1 / 600
    assert world.poses[0, 2] == pytest.approx(5 - 9.81 * h * h * steps * (steps + 1) / 2, abs=1e-9)
    assert world.velocities[0] == pytest.approx([0, 0, -9.81, 0, 0, 0], abs=1e-9)


def test_a_stack_stands():
    stack = superovoid.World("stack")
    start = stack.poses
    stack.step(60)
    assert len(start) == len(json.loads(stack.scene)["bodies"])
    assert np.abs(stack.poses - start).max() < 0.02 and np.abs(stack.velocities).max() < 0.1


def test_bits_depend_on_no_threads():
    one, two = superovoid.World("bowl"), superovoid.World("bowl", threads=2)
    one.step(20)
    two.step(20)
    assert np.array_equal(one.poses, two.poses) and np.array_equal(one.velocities, two.velocities)


def test_cloths_are_arrays_and_recordings_are_read_back(tmp_path):
    world = superovoid.World("tablecloth")
    before = world.cloth_positions()
    world.record(tmp_path / "cloth.sovorec", 5)
    after = world.cloth_positions(0)
    assert before.shape == after.shape and after[:, 2].max() < before[:, 2].max()
    recording = superovoid.Recording.read(tmp_path / "cloth.sovorec")
    assert len(recording) == 6 and recording.times[-1] == world.time
    cloth = recording.cloth_positions()
    assert cloth.dtype == np.float32 and np.array_equal(cloth[0], before.astype(np.float32))
    assert np.array_equal(cloth[-1], after.astype(np.float32)) and recording.scene == world.scene
    assert recording.poses.shape == (6, len(recording.moving), 7)
    assert world.cloth_velocities().shape == after.shape
    with pytest.raises(IndexError, match="cloth 1: the scene has 1"):
        world.cloth_positions(1)
    with pytest.raises(FileExistsError, match="cloth.sovorec"):
        world.record(tmp_path / "cloth.sovorec", 1)
    (tmp_path / "not.sovorec").write_text("nothing")
    with pytest.raises(ValueError, match="not.sovorec: this is no recording"):
        superovoid.Recording.read(tmp_path / "not.sovorec")
    with pytest.raises(FileNotFoundError, match="none.sovorec"):
        superovoid.Recording.read(tmp_path / "none.sovorec")
    assert {path.name for path in tmp_path.iterdir()} == {"cloth.sovorec", "not.sovorec"}


def test_contacts_carry_the_weight_and_balance_the_momentum():
    scene = json.loads(json.dumps(BALL))
    del scene["materials"]
    scene["settings"] = {"sleep_speed": 0}
    ball, egg = scene["bodies"][0], json.loads(json.dumps(BALL))["bodies"][0]
    ball["position"] = [0, 0, 0.105]
    egg["shape"]["Superovoid"].update(exponents=[0.5, 1.2], tapers=[0.2, 0.1])
    egg["position"] = [0.02, 0.01, 0.5]
    scene["bodies"] = [{"shape": "HalfSpace"}, ball, egg]
    world, other = superovoid.World(json.dumps(scene)), superovoid.World(json.dumps(scene), threads=2)
    none = world.contacts()
    assert len(none) == 0 and none.bodies.shape == (0, 2) and none.impulse.shape == (0, 3) and none.distance.shape == (0,)
    world.step()
    other.step()
    contacts = world.contacts()
    mass = 1000 * 4 / 3 * np.pi * 0.001
    assert len(contacts) == 1 and contacts.bodies.tolist() == [[0, 1]] and contacts.bodies.dtype == np.int64
    assert contacts.point_b[0] == pytest.approx([0, 0, 0.005], abs=1e-8)
    assert contacts.point_a[0] == pytest.approx([0, 0, 0], abs=1e-8)
    assert contacts.normal.tolist() == [[0, 0, 1]] and contacts.distance[0] == pytest.approx(0.005, abs=1e-8)
    assert contacts.normal_impulse[0] == pytest.approx(mass * 9.81 / 60, rel=1e-4)
    assert contacts.angular_impulse.tolist() == [[0, 0, 0]]
    shape = superovoid.Superovoids([0.1, 0.1, 0.1, 0.5, 1.2, 0.2, 0.1])
    masses = [mass, 1000 * float(np.ravel(shape.mass_properties().volume)[0])]
    for _ in range(60):
        before = world.velocities[:, :3]
        world.step()
        other.step()
        contacts, same = world.contacts(), other.contacts()
        assert np.array_equal(contacts.impulse, same.impulse) and np.array_equal(contacts.point_a, same.point_a)
        for k in (1, 2):
            impulses = contacts.impulse[contacts.bodies[:, 1] == k].sum(0) - contacts.impulse[contacts.bodies[:, 0] == k].sum(0)
            gained = masses[k - 1] * (world.velocities[k, :3] - before[k])
            assert gained == pytest.approx(impulses + [0, 0, -masses[k - 1] * 9.81 / 60], abs=1e-9)
    again = pickle.loads(pickle.dumps(contacts))
    for name in ("bodies", "point_a", "point_b", "normal", "distance", "impulse", "normal_impulse", "angular_impulse"):
        assert np.array_equal(getattr(again, name), getattr(contacts, name))


def test_contacts_of_cloths_carry_the_cloth():
    world = superovoid.World("tablecloth")
    assert len(world.cloth_contacts()) == 0
    world.step(40)
    contacts = world.cloth_contacts()
    assert len(contacts) > 10 and set(contacts.cloth) == {0}
    assert np.array_equal(contacts.point, world.cloth_positions()[contacts.vertex])
    assert np.abs(np.linalg.norm(contacts.normal, axis=1) - 1).max() < 1e-9
    assert np.allclose((contacts.impulse * contacts.normal).sum(1), contacts.normal_impulse, atol=1e-15)
    assert contacts.body.shape == contacts.vertex.shape and contacts.impulse[:, 2].sum() > 0
    again = pickle.loads(pickle.dumps(contacts))
    for name in ("cloth", "vertex", "body", "point", "normal", "impulse", "normal_impulse"):
        assert np.array_equal(getattr(again, name), getattr(contacts, name))


def test_a_material_that_is_not_there_is_named():
    scene = json.loads(json.dumps(BALL))
    del scene["materials"]
    superovoid.World(json.dumps(scene))
    scene["bodies"][0]["material"] = 1
    with pytest.raises(ValueError, match=r"bodies\[0\].material: is 1; a scene without materials has the default one alone, 0"):
        superovoid.World(json.dumps(scene))


def test_wrong_scenes_are_named():
    with pytest.raises(ValueError, match="neither JSON nor a ready scene; those are tablecloth"):
        superovoid.World("table")
    with pytest.raises(ValueError, match=r"scene: line 1, column \d+, bodies\[0\]"):
        superovoid.World('{"version": 1, "bodies": [{"shap": 1}]}')
    with pytest.raises(ValueError, match="scene: .*version"):
        superovoid.World('{"version": 99}')
    with pytest.raises(ValueError, match="threads = 0"):
        superovoid.World("stack", threads=0)
    assert set(superovoid.ready_scenes()) >= {"tablecloth", "bowl", "stack", "hands-and-cloth"}


def test_a_world_that_diverges_says_so(tmp_path):
    scene = json.loads(superovoid.World("tablecloth").scene)
    scene["settings"]["gravity"] = [0, 0, -1e200]
    try:
        world = superovoid.World(json.dumps(scene))
    except ValueError as error:
        assert "gravity" in str(error)
        return
    with pytest.raises(RuntimeError):
        world.record(tmp_path / "out.sovorec", 10)
    assert list(tmp_path.iterdir()) == []


def test_threads_share_a_world():
    world = superovoid.World("stack")
    def work():
        for _ in range(20):
            world.step()
            assert np.isfinite(world.poses).all()
    callers = [threading.Thread(target=work) for _ in range(3)]
    [t.start() for t in callers]
    [t.join(timeout=60) for t in callers]
    assert world.frame == 60
