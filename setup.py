"""`pip install .`: the package scree, with the shared library and the program inside.

CMake builds both (tools/build); SCREE_BUILD=FOLDER in the environment takes those of a build that is there. The wheel
works for any
Python 3 of this kind of machine: the library is called through cffi, without a compiled module."""
import os
import pathlib
import shutil
import subprocess
import sys

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

source = pathlib.Path(__file__).resolve().parent
scratch = pathlib.Path(os.environ.get("SCREE_BUILD") or source / "build").resolve() / "python-setup"
scratch.mkdir(parents=True, exist_ok=True)
version = next(line.split()[2] for line in (source / "CMakeLists.txt").read_text().splitlines()
               if line.startswith("project("))


class Build(build_py):
    def run(self):
        super().run()
        build = pathlib.Path(os.environ["SCREE_BUILD"]) if os.environ.get("SCREE_BUILD") else self.make()
        package = pathlib.Path(self.build_lib) / "scree"
        library = (build / "libscree.so").resolve()
        shutil.copy2(library, package / "libscree.so")
        (package / "bin").mkdir(exist_ok=True)
        shutil.copy2(build / "scree", package / "bin" / "scree")
        subprocess.run([sys.executable, source / "python" / "build_api.py", source / "include", package / "_api.py"],
                       check=True)

    @staticmethod
    def make():
        subprocess.run([source / "tools" / "build", "release", "scree", "libscree_shared"], check=True)
        return source / "build"


class Binary(Distribution):
    def has_ext_modules(self):
        return True  # the library inside is for this kind of machine


setup(name="scree",
      version=version,
      description="discrete element engine: sand, grains, rock and elastic solids",
      license="Apache-2.0",
      packages=["scree"],
      package_dir={"": "python"},
      python_requires=">=3.9",
      install_requires=["cffi", "numpy"],
      extras_require={"all": ["matplotlib", "pandas", "scipy", "tqdm"]},
      cmdclass={"build_py": Build},
      distclass=Binary,
      options={"build": {"build_base": str(scratch)}, "egg_info": {"egg_base": str(scratch)},
               "bdist_wheel": {"bdist_dir": str(scratch / "wheel")}})
