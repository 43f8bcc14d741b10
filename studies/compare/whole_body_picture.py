#!/usr/bin/env python3
"""Draws models with MuJoCo beside each other: a picture of `superovoid mjcf`'s output.

    pip install mujoco numpy
    MUJOCO_GL=egl python3 studies/compare/whole_body_picture.py OUT.png MODEL.xml:GROUP... [--azimuth 150] [--joint NAME=VALUE]...

GROUP is that of the geoms that are shown: 2 for what the robot shows, 3 for what takes part in contact.
"""

import argparse
import struct
import zlib

import mujoco
import numpy as np


def drawn(path, group, arguments):
    spec = mujoco.MjSpec.from_file(path)
    spec.visual.global_.offwidth = spec.visual.global_.offheight = 1600
    spec.visual.headlight.ambient = [0.45, 0.45, 0.45]
    model = spec.compile()
    data = mujoco.MjData(model)
    for setting in arguments.joint:
        name, value = setting.rsplit("=", 1)
        data.joint(name).qpos[0] = float(value)
    mujoco.mj_forward(model, data)
    shown = model.geom_group == group
    # A colour for each body, in contact; what is shown keeps its own.
    if group == 3:
        for k in np.nonzero(shown)[0]:
            angle = 2.4 * model.geom_bodyid[k]
            model.geom_rgba[k, :3] = 0.55 + 0.3 * np.cos(angle + np.array([0.0, 2.1, 4.2]))
    centers = data.geom_xpos[shown]
    low, high = centers.min(0), centers.max(0)
    camera = mujoco.MjvCamera()
    camera.lookat = 0.5 * (low + high)
    camera.distance = arguments.distance * max(np.linalg.norm(high - low), 0.05)
    camera.azimuth, camera.elevation = arguments.azimuth, arguments.elevation
    options = mujoco.MjvOption()
    options.geomgroup[:] = 0
    options.geomgroup[group] = 1
    renderer = mujoco.Renderer(model, 2 * arguments.height, 2 * arguments.width)
    renderer.update_scene(data, camera, options)
    renderer.scene.flags[mujoco.mjtRndFlag.mjRND_SKYBOX] = 0
    pixels = renderer.render().astype(float)
    seen = renderer_mask(renderer, data, camera, options)
    pixels[~seen] = 255.0
    h, w = arguments.height, arguments.width
    return pixels.reshape(h, 2, w, 2, 3).mean((1, 3)).astype(np.uint8)


def renderer_mask(renderer, data, camera, options):
    renderer.enable_segmentation_rendering()
    renderer.update_scene(data, camera, options)
    mask = renderer.render()[..., 0] >= 0
    renderer.disable_segmentation_rendering()
    return mask


def write_png(path, pixels):
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    chunk = lambda kind, body: struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", metavar="OUT.png")
    parser.add_argument("models", nargs="+", metavar="MODEL.xml:GROUP")
    parser.add_argument("--joint", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--azimuth", type=float, default=150.0)
    parser.add_argument("--elevation", type=float, default=-12.0)
    parser.add_argument("--distance", type=float, default=1.4, help="of the camera, in sizes of the robot")
    parser.add_argument("--width", type=int, default=500)
    parser.add_argument("--height", type=int, default=700)
    arguments = parser.parse_args()
    pictures = []
    for model in arguments.models:
        path, group = model.rsplit(":", 1)
        pictures.append(drawn(path, int(group), arguments))
    write_png(arguments.output, np.concatenate(pictures, axis=1))


if __name__ == "__main__":
    main()
