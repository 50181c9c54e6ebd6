"""What setuptools does for a wheel besides copying the package: CMake builds the module and the program.

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
    """A folder in which the module and the program are built."""
    given = os.environ.get("LOCKSTEP_BUILD")
    folder = pathlib.Path(given) if given else ROOT / "build/python"
    if not given:
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        options = shlex.split(os.environ.get("CMAKE_ARGS", ""))
        run("cmake", "-S", ROOT, "-B", folder, *generator, "-DCMAKE_BUILD_TYPE=Release", "-DLOCKSTEP_ISA=all",
            "-DLOCKSTEP_PYTHON=ON", f"-DLOCKSTEP_PYTHON_EXECUTABLE={sys.executable}", "-DLOCKSTEP_MPI=OFF",
            "-DLOCKSTEP_BUILD_TESTS=OFF", "-DLOCKSTEP_BUILD_BENCH=OFF", *options)  # fmt: skip
    run("cmake", "--build", folder, "--target", "lockstep_wheel", "--parallel", os.cpu_count() or 1)
    return folder


def replace_links(libraries):
    """Puts libraries where the links to them are: a wheel would hold both."""
    for link in [path for path in libraries.iterdir() if path.is_symlink()]:
        target = link.resolve()
        link.unlink()
        target.rename(link)


def name_runtime(package, libraries):
    """Gives the runtime libraries names of their own; without patchelf they remain the system's."""
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
    for file in [*package.glob("*.so"), *package.glob("bin/*"), *libraries.iterdir()]:
        for old, new in renamed.items():
            run(patchelf, "--replace-needed", old, new, file)


def remove_pages(package):
    """Removes what is for a system: manual pages, completions, and documentation but for licences."""
    share = package / "share"
    for folder in [*share.iterdir(), *share.glob("doc/*"), *share.glob("doc/lockstep/*")]:
        if folder not in (share / "lockstep", share / "doc", share / "doc/lockstep", share / "doc/lockstep/licenses"):
            shutil.rmtree(folder) if folder.is_dir() else folder.unlink()


class Build(build_py):
    """Copies the package, builds the module and the program, and adds them with the libraries that they use."""

    def run(self):
        package = pathlib.Path(self.build_lib).resolve() / "lockstep"
        shutil.rmtree(package, ignore_errors=True)  # of an earlier wheel
        super().run()
        folder = build_folder()
        for component in "program", "portable", "python":
            run("cmake", "--install", folder, "--prefix", package, "--component", component, "--strip")
        (libraries,) = {path.parent for path in package.glob("lib/**/*tbb*")}
        replace_links(libraries)
        name_runtime(package, libraries)
        remove_pages(package)


class Wheel(bdist_wheel):
    """A wheel for one version of Python and one kind of processor."""

    def finalize_options(self):
        self.distribution.has_ext_modules = lambda: True  # CMake's
        super().finalize_options()
