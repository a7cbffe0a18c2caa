# A recipe for Spack: copy it to packages/drowse of a repository of your own, and give the address of the sources.
from spack_repo.builtin.build_systems.cargo import CargoPackage

from spack.package import *


class Drowse(CargoPackage):
    """Simulates HPC interconnection networks whose links sleep: run time and energy of applications."""

    license("MIT OR Apache-2.0")

    version("0.1.0")

    variant("parquet", default=True, description="Reads and writes tables as Parquet")
    variant("mpi", default=False, description="Lets several processes share one run")

    depends_on("rust@1.95:", type="build")
    depends_on("c", type="build")
    depends_on("mpi", when="+mpi")
    # Bindings of MPI are made while it is built.
    depends_on("llvm+clang", type="build", when="+mpi")

    # The root is a workspace without a package of its own.
    build_directory = "crates/drowse"

    @property
    def build_args(self):
        features = [name for name in ("parquet", "mpi") if f"+{name}" in self.spec]
        return ["--locked", *([f"--features={','.join(features)}"] if features else [])]
