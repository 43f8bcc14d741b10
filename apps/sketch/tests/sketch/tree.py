"""Reads a URDF file with Python's XML parser, and prints the number of links and joints and the root of their one tree."""

import sys
import xml.etree.ElementTree as tree

robot = tree.parse(sys.argv[1]).getroot()
links = {link.get("name") for link in robot.findall("link")}
parents = {}
for joint in robot.findall("joint"):
    child, parent = joint.find("child").get("link"), joint.find("parent").get("link")
    assert child in links and parent in links and child not in parents, child
    parents[child] = parent
    limit = joint.find("limit")
    assert joint.get("type") == "fixed" or float(limit.get("lower")) < float(limit.get("upper"))
for link in robot.findall("link"):
    if link.find("collision") is not None:
        assert link.find("collision/superovoid") is not None
        assert float(link.find("inertial/mass").get("value")) > 0
roots = links - parents.keys()
assert len(roots) == 1
for link in links:
    while link in parents:
        link = parents[link]
    assert link in roots
print(len(links), len(parents), roots.pop())
