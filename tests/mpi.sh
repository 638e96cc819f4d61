# To be sourced: how Open MPI starts in the tests, thousands of times, mostly for a single process and some tenths of a
# second. A process that runs alone starts no daemon and looks for no network, four fifths of the time that a short run
# takes. Nor does it ask every bus and screen what devices there are (MPI_Init and its end: 42 ms in place of 61), or load
# components that are never used (a start of lmp: 80 ms of processor time in place of 115). Processes of one run neither
# wait at the cost of others nor stay on one core.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_ess_singleton_isolated=1 OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader OMPI_MCA_osc=sm OMPI_MCA_shmem=mmap
export OMPI_MCA_coll=^adapt,han,monitoring,sync,inter,sm
export HWLOC_COMPONENTS=-gl,-pci,-linuxio HWLOC_PLUGINS_PATH=/nonexistent
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none PRTE_MCA_hwloc_default_binding_policy=none
