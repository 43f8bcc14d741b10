"""Loads a model with MuJoCo and prints what it has: counts, and the bodies for every line of joint positions.

python mujoco_model.py MODEL < POSITIONS, a line of NAME<tab>VALUE<tab>NAME<tab>VALUE... for each configuration
"""

import sys

import mujoco

model = mujoco.MjModel.from_xml_path(sys.argv[1])
data = mujoco.MjData(model)
name = lambda kind, k: mujoco.mj_id2name(model, kind, k) or ""
shown = int((model.geom_group == 2).sum())
print("counts", model.nbody, model.njnt, model.ngeom, shown, model.nmesh, model.neq, model.nexclude, sep="\t")
print("mass", repr(float(model.body_mass.sum())), sep="\t")
for k in range(model.nbody):
    print("body", name(mujoco.mjtObj.mjOBJ_BODY, k), repr(float(model.body_mass[k])), sep="\t")
for k in range(model.njnt):
    effort = model.jnt_actfrcrange[k] if model.jnt_actfrclimited[k] else [0.0, 0.0]
    dof = model.jnt_dofadr[k]
    numbers = [*model.jnt_range[k], *effort, model.dof_damping[dof], model.dof_frictionloss[dof]]
    print("joint", name(mujoco.mjtObj.mjOBJ_JOINT, k), int(model.jnt_type[k]), *(repr(float(x)) for x in numbers), sep="\t")
for k in range(model.neq):
    first, second = model.eq_obj1id[k], model.eq_obj2id[k]
    pair = [name(mujoco.mjtObj.mjOBJ_JOINT, j) for j in (first, second)]
    print("equality", *pair, *(repr(float(x)) for x in model.eq_data[k][:2]), sep="\t")
for line in sys.stdin:
    words = line.rstrip("\n").split("\t")
    mujoco.mj_resetData(model, data)
    for joint, value in zip(words[0::2], words[1::2]):
        data.joint(joint).qpos[0] = float(value)
    mujoco.mj_kinematics(model, data)
    print("configuration")
    for k in range(model.nbody):
        at = [*data.xpos[k], *data.xquat[k]]
        print("pose", name(mujoco.mjtObj.mjOBJ_BODY, k), *(repr(float(x)) for x in at), sep="\t")
    # Some vertices of what collides, where they are in the world.
    for k in range(model.ngeom):
        if model.geom_type[k] == mujoco.mjtGeom.mjGEOM_MESH and model.geom_group[k] == 3 and "--vertices" in sys.argv:
            mesh, body = model.geom_dataid[k], model.geom_bodyid[k]
            first, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
            for vertex in model.mesh_vert[first:first + count:29]:
                at = data.geom_xpos[k] + data.geom_xmat[k].reshape(3, 3) @ vertex
                print("vertex", name(mujoco.mjtObj.mjOBJ_BODY, body), *(repr(float(x)) for x in at), sep="\t")
# It moves: nothing is lost to infinity in a tenth of a second.
mujoco.mj_resetData(model, data)
for _ in range(50):
    mujoco.mj_step(model, data)
print("finite", all(abs(x) < 1e6 for x in data.qpos), sep="\t")
