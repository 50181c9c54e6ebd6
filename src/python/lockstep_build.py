"""What setuptools does for a wheel besides copying the package: CMake builds the module.

Variables of the environment: LOCKSTEP_BUILD, a configured build folder to use instead of build/python, and CMAKE_ARGS,
further options for CMake. patchelf, if it is there, gives the C++ library in the wheel a name of its own, so that the wheel
needs nothing of the system but glibc; without it the wheel needs libstdc++ as well.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

ROOT = pathlib.Path(__file__).resolve().parents[2]
_CONFIG = (ROOT / "include/lockstep/config.hpp").read_text()
version = ".".join(
    re.search(rf"#define LOCKSTEP_VERSION_{part} (\d+)", _CONFIG)[1] for part in ("MAJOR", "MINOR", "PATCH")
)

# Of GCC; another module of the process may have an older one.
RUNTIME = ("libstdc++.so.6", "libgcc_s.so.1")


def run(*command):
    subprocess.run([str(word) for word in command], check=True)


def build_folder():
    """A folder in which the module is built."""
    given = os.environ.get("LOCKSTEP_BUILD")
    folder = pathlib.Path(given) if given else ROOT / "build/python"
    if not given:
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        options = shlex.split(os.environ.get("CMAKE_ARGS", ""))
        run("cmake", "-S", ROOT, "-B", folder, *generator, "-DCMAKE_BUILD_TYPE=Release", "-DLOCKSTEP_ISA=all",
            "-DLOCKSTEP_PYTHON=ON", f"-DLOCKSTEP_PYTHON_EXECUTABLE={sys.executable}", "-DLOCKSTEP_MPI=OFF",
            "-DLOCKSTEP_BUILD_TESTS=OFF", "-DLOCKSTEP_BUILD_BENCH=OFF", *options)  # fmt: skip
    run("cmake", "--build", folder, "--target", "lockstep_python", "--parallel", os.cpu_count() or 1)
    return folder


def replace_links(libraries):
    """Puts libraries where the links to them are: a wheel would hold both."""
    for link in [path for path in libraries.iterdir() if path.is_symlink()]:
        target = link.resolve()
        link.unlink()
        target.rename(link)


def name_runtime(package):
    """Gives the runtime libraries names of their own; without patchelf they remain the system's."""
    libraries = package / "lib"
    patchelf = shutil.which("patchelf")
    present = [name for name in RUNTIME if (libraries / name).is_file()]
    if patchelf is None:
        print("patchelf was not found: the wheel will need the system's libstdc++", file=sys.stderr)
        for name in present:
            (libraries / name).unlink()
        return
    renamed = {name: name.replace(".so", "-lockstep.so") for name in present}
    for old, new in renamed.items():
        (libraries / old).rename(libraries / new)
        run(patchelf, "--set-soname", new, libraries / new)
    for file in [*package.glob("*.so"), *libraries.iterdir()]:
        for old, new in renamed.items():
            run(patchelf, "--replace-needed", old, new, file)


class Build(build_py):
    """Copies the package, builds the module, and adds it with the libraries that it uses."""

    def run(self):
        super().run()
        package = pathlib.Path(self.build_lib).resolve() / "lockstep"
        shutil.rmtree(package / "lib", ignore_errors=True)  # of an earlier wheel
        run("cmake", "--install", build_folder(), "--prefix", package, "--component", "python", "--strip")
        replace_links(package / "lib")
        name_runtime(package)


class Wheel(bdist_wheel):
    """A wheel for one version of Python and one kind of processor."""

    def finalize_options(self):
        self.distribution.has_ext_modules = lambda: True  # CMake's
        super().finalize_options()
