#!/usr/bin/env python3
"""Judges a prefix sum of a WebGPU device, whose input and results are .npy files.

usage: webgpu_prefix_sum.py [FOLDER]
FOLDER has values.npy and sums.npy, which webgpu_capture.mjs writes on the machine's GPU. The files beside this one, which are the
default, were captured with Dawn on an NVIDIA H100.
"""

import pathlib
import shutil
import sys

import numpy as np

import lockstep as ls

HERE = pathlib.Path(__file__).resolve().parent


def shader():
    """The shader itself if a compiler for WGSL is in PATH, else its twin in GLSL."""
    has_compiler = shutil.which("naga") or shutil.which("tint")
    return ls.Shader(HERE / ("prefix_sum.wgsl" if has_compiler else "prefix_sum.comp"))


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    values, sums = np.load(folder / "values.npy"), np.load(folder / "sums.npy")
    scan = shader()
    buffers = {0: values, 1: np.zeros_like(values)}

    run = scan.run(4, buffers, check=True)
    print(run)

    judge = scan.judge(4, buffers)
    print(ls.compare(sums, to=judge))

    broken = sums.copy()
    broken[300] += 0.01
    print(ls.compare(broken, to=judge))


if __name__ == "__main__":
    main()
