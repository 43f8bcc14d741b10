#!/usr/bin/env python3
"""Asks Pinocchio and coal the edges of `cargo run --release -p superovoid-compare --example edge_times -- EDGES FOLDER`.

    studies/compare/edges.py FOLDER [FIRST_EDGES]

Kinematics are those of Pinocchio, the bodies coal's convex hulls with the vertices of the folder's meshes, the obstacles
coal's spheres; both run in C++ and Python only steps along the edge, whose share is printed. Configurations are checked
in the order of van der Corput at the spacings 2^-5 to 2^-12 rad, up to the first collision, once by Pinocchio's plain
loop over the pairs and once by its broad phase (the dynamic AABB tree); the faster one counts. The peer's own truth is
the finest spacing: the coarsest one that misses no edge which the finest one finds to collide is the one to compare
with. Needs the wheel `pin`.
"""
import pathlib
import sys
import time
import xml.etree.ElementTree as ElementTree

import coal
import numpy as np
import pinocchio as pin

ROOT = pathlib.Path(__file__).resolve().parents[2]
COARSEST, FINEST = 5, 12


def load(name, folder):
    urdf = ROOT / "urdf" / {"panda": "panda.urdf", "hands": "icub_hands.urdf"}[name]
    model = pin.buildModelFromUrdf(str(urdf))
    geometry = pin.GeometryModel()
    joints, allowed, edges, bodies, spheres = [], set(), [], [], []
    for line in (folder / f"{name}.txt").read_text().splitlines():
        kind, *words = line.split()
        if kind == "joint":
            joints.append(words[0])
        elif kind == "allowed":
            allowed.add(frozenset(words))
        elif kind == "sphere":
            spheres.append([float(w) for w in words])
        elif kind == "body":
            bodies.append((words[0], [float(w) for w in words[1:]], []))
        elif kind == "vertex":
            bodies[-1][2].append([float(w) for w in words])
        elif kind == "edge":
            edges.append(np.array([float(w) for w in words]).reshape(2, -1))
    links = add_bodies(model, geometry, bodies)
    add_pairs(urdf, geometry, links, spheres, allowed)
    return model, geometry, positions(urdf, model, joints), edges


def add_bodies(model, geometry, bodies):
    links = []
    for k, (link, numbers, vertices) in enumerate(bodies):
        points = coal.StdVec_Vec3s()
        points.extend(np.array(v) for v in vertices)
        shape = coal.Convex.convexHull(points, True, None)
        frame = model.frames[model.getFrameId(link)]
        own = pin.SE3(pin.Quaternion(np.array(numbers[3:])).matrix(), np.array(numbers[:3]))
        parent = frame.parentJoint
        geometry.addGeometryObject(pin.GeometryObject(f"body{k}", parent, frame.placement * own, shape))
        links.append(link)
    return links


def add_pairs(urdf, geometry, links, spheres, allowed):
    """The pairs that the library compares: links that one joint joins, or fixed joints, are left out."""
    rigid, above = {link: link for link in links}, {}
    root = ElementTree.parse(urdf).getroot()
    parents = {}
    for joint in root.findall("joint"):
        parent, child = joint.find("parent").get("link"), joint.find("child").get("link")
        above[child] = parent
        if joint.get("type") == "fixed":
            parents[child] = parent

    def top(link):
        while link in parents:
            link = parents[link]
        return link

    for a in range(len(links)):
        for b in range(a + 1, len(links)):
            x, y = links[a], links[b]
            adjacent = top(x) == top(y) or above.get(x) == y or above.get(y) == x
            if x != y and not adjacent and frozenset((x, y)) not in allowed:
                geometry.addCollisionPair(pin.CollisionPair(a, b))
    for k, (x, y, z, radius) in enumerate(spheres):
        place = pin.SE3(np.eye(3), np.array([x, y, z]))
        index = geometry.addGeometryObject(pin.GeometryObject(f"sphere{k}", 0, place, coal.Sphere(radius)))
        for a in range(len(links)):
            geometry.addCollisionPair(pin.CollisionPair(a, index))


def positions(urdf, model, joints):
    """A function from the planned joints to Pinocchio's configuration."""
    neutral, at, followers = pin.neutral(model), [], []
    for joint in ElementTree.parse(urdf).getroot().findall("joint"):
        limit = joint.find("limit")
        if joint.get("type") in ("revolute", "prismatic") and limit is not None:
            index = model.joints[model.getJointId(joint.get("name"))].idx_q
            neutral[index] = min(max(0.0, float(limit.get("lower", 0))), float(limit.get("upper", 0)))
        mimic = joint.find("mimic")
        if mimic is not None:
            own, source = (model.joints[model.getJointId(n)].idx_q for n in (joint.get("name"), mimic.get("joint")))
            followers.append((own, source, float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0))))
    at = [model.joints[model.getJointId(name)].idx_q for name in joints]

    def fill(numbers):
        q = neutral.copy()
        q[at] = numbers
        for own, source, multiplier, offset in followers:
            q[own] = multiplier * q[source] + offset
        return q

    return fill


def order(count):
    """0, 1, then 1/2, 1/4, 3/4, ...: all of count + 1 points once, count a power of two."""
    points = [0, count]
    step = count
    while step > 1:
        level = range(step // 2, count, step)
        bits = max(len(level) - 1, 0).bit_length()
        points += [level[int(format(k, f"0{bits}b")[::-1], 2) if bits else 0] for k in range(len(level))]
        step //= 2
    return points


def main():
    folder = pathlib.Path(sys.argv[1])
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    for name in ("panda", "hands"):
        model, geometry, fill, edges = load(name, folder)
        edges = edges[:first]
        data, geometry_data = model.createData(), geometry.createData()
        manager = pin.BroadPhaseManager_DynamicAABBTreeCollisionManager(model, geometry, geometry_data)
        ways = {
            "pairs": lambda q: pin.computeCollisions(model, data, geometry, geometry_data, q, True),
            "broad phase": lambda q: pin.computeCollisions(model, data, manager, q, True),
        }
        print(f"\n{name}: {len(edges)} edges, {len(geometry.collisionPairs)} pairs, {len(geometry.geometryObjects)} bodies")
        way = min(ways, key=lambda way: judge(ways[way], fill, edges, COARSEST + 2)[1])
        print(f"  the faster way: {way}")
        rows = []
        for power in range(COARSEST, FINEST + 1):
            hits, seconds, states, free_seconds = judge(ways[way], fill, edges, power)
            rows.append((power, hits))
            free = len(edges) - sum(hits)
            print(f"  2^-{power:<2} rad: {free:4d} free, {1e6 * seconds / len(edges):10.1f} us an edge "
                  f"({1e6 * free_seconds / max(free, 1):.1f} of a free one), {states / len(edges):8.1f} configurations, "
                  f"{1e6 * seconds / states:.2f} us each")
        truth = rows[-1][1]
        enough = [power for power, hits in rows if hits == truth]
        print(f"  the coarsest spacing that misses none of them: 2^-{enough[0]} rad")
        started = time.perf_counter()
        for _ in range(10000):
            fill(edges[0][0])
        print(f"  of which Python's share: {1e2 * (time.perf_counter() - started):.2f} us a configuration")


def judge(collides, fill, edges, power):
    hits, states, seconds, free_seconds = [], 0, 0.0, 0.0
    for start, end in edges:
        length = np.linalg.norm(end - start)
        count = 1
        while length / count > 2.0 ** -power:
            count *= 2
        points = order(count)
        started = time.perf_counter()
        hit = False
        for k in points:
            states += 1
            if collides(fill(start + (end - start) * (k / count))):
                hit = True
                break
        took = time.perf_counter() - started
        seconds += took
        free_seconds += 0.0 if hit else took
        hits.append(hit)
    return hits, seconds, states, free_seconds


main()
