/* SPDX-License-Identifier: GPL-2.0-or-later
 * Registration of all styles with the host. */
#include "lammpsplugin.h"

#include "version.h"

#include "lammps/host/style_maps.h"
#include "lammps/styles/compute_force_compatible.h"
#include "lammps/styles/compute_polyhedron_contact_atom.h"
#include "lammps/styles/compute_polyhedron_contact_local.h"
#include "lammps/styles/create_polyhedra.h"
#include "lammps/styles/fix_contact_dynamics.h"
#include "lammps/styles/fix_image_polyhedron.h"
#include "lammps/styles/fix_implicit_polyhedron.h"
#include "lammps/styles/fix_insert_polyhedron.h"
#include "lammps/styles/fix_load_polyhedron.h"
#include "lammps/styles/fix_lock_polyhedron.h"
#include "lammps/styles/fix_polyhedron_memory.h"
#include "lammps/styles/fix_polyhedron_restart.h"
#include "lammps/styles/fix_polyhedron_setup.h"
#include "lammps/styles/fix_polyhedron_shape.h"
#include "lammps/styles/fix_vtk_polyhedron.h"
#include "lammps/styles/fix_wall_polyhedron.h"
#include "lammps/styles/pair_polyhedron.h"

#include "library.h"

using namespace LAMMPS_NS;

/* fixes and computes are created with their arguments, pair styles and commands without */
template <typename T> static void *create(void *lmp) { return new T(static_cast<LAMMPS *>(lmp)); }
template <typename T> static void *create(void *lmp, int narg, char **arg)
{
  return new T(static_cast<LAMMPS *>(lmp), narg, arg);
}

/* a plugin built for other integer sizes would read the host's arrays wrongly */
static void check_sizes(LAMMPS *lmp)
{
  if (lammps_extract_setting(lmp, "tagint") != (int)sizeof(tagint) ||
      lammps_extract_setting(lmp, "bigint") != (int)sizeof(bigint))
    lmp->error->all(
        FLERR,
        "Plugin polyhedra was built for other integer sizes (SMALLBIG, BIGBIG) than this LAMMPS");
}

/* Without this its first step would be an illegal instruction; of any process, as nodes differ. */
static void check_processor(LAMMPS *lmp)
{
#ifdef POLYHEDRA_AVX2
  const int here = __builtin_cpu_supports("avx2") ? 0 : 1;
  int lacking;
  MPI_Allreduce(&here, &lacking, 1, MPI_INT, MPI_SUM, lmp->world);
  if (lacking > 0)
    lmp->error->all(FLERR, fmt::format("Plugin polyhedra was built for processors with AVX2, which "
                                       "those of {} processes lack: build it with cmake -D "
                                       "POLYHEDRA_AVX2=off",
                                       lacking));
#else
  (void)lmp;
#endif
}

/* after lines of the host that it ignores the load */
static void say_second_instance(LAMMPS *lmp, int added)
{
  if (lmp->comm->me == 0)
    utils::logmesg(lmp, fmt::format("Plugin polyhedra: {} styles of the plugin that another LAMMPS "
                                    "of this process has loaded\n",
                                    added));
}

extern "C" void lammpsplugin_init(void *ptr, void *handle, void *regfunc)
{
  check_sizes(static_cast<LAMMPS *>(ptr));
  check_processor(static_cast<LAMMPS *>(ptr));
  lammpsplugin_t p;
  memset(&p, 0, sizeof(p));
  p.version = LAMMPS_VERSION;
  p.author = "the polyhedra developers";
  p.handle = handle;
  int added = 0;
  const auto add = [&](const char *style, const char *name, const char *info) {
    p.style = style;
    p.name = name;
    p.info = info;
    (*(lammpsplugin_regfunc)regfunc)(&p, ptr);
    added += add_to_instance(static_cast<LAMMPS *>(ptr), p);
  };
  p.creator.v2 = create<FixPolyhedronShape>;
  add("fix", "polyhedron/shape", "shapes of rigid polyhedra");
  p.creator.v2 = create<FixWallPolyhedron>;
  add("fix", "wall/polyhedron", "rigid walls for polyhedra");
  p.creator.v2 = create<FixPolyhedronMemory>;
  add("fix", "polyhedron/memory", "memory of friction contacts");
  p.creator.v2 = create<FixPolyhedronSetup>;
  add("fix", "polyhedron/setup", "completes the forces of polyhedra at set-up");
  p.creator.v2 = create<FixPolyhedronRestart>;
  add("fix", "polyhedron/restart", "comparison of runs with their restart files");
  p.creator.v2 = create<FixInsertPolyhedron>;
  add("fix", "insert/polyhedron", "polyhedra that come in during a run");
  p.creator.v2 = create<FixLoadPolyhedron>;
  add("fix", "load/polyhedron", "loads at body-fixed points");
  p.creator.v2 = create<FixLockPolyhedron>;
  add("fix", "lock/polyhedron", "held components of motion, hinges");
  p.creator.v2 = create<FixImplicitPolyhedron>;
  add("fix", "implicit/polyhedron", "implicit integration of polyhedra");
  p.creator.v2 = create<FixVtkPolyhedron>;
  add("fix", "vtk/polyhedron", "pictures of polyhedra as VTK files");
  p.creator.v2 = create<FixImagePolyhedron>;
  add("fix", "image/polyhedron", "polyhedra and walls in pictures of the host");
  p.creator.v2 = create<ComputePolyhedronContactLocal>;
  add("compute", "polyhedron/contact/local", "contact points of polyhedra");
  p.creator.v2 = create<ComputePolyhedronContactAtom>;
  add("compute", "polyhedron/contact/atom", "contacts of polyhedra summed by body");
  p.creator.v2 = create<FixContactDynamics>;
  add("fix", "contact/dynamics", "rigid contact dynamics");
  p.creator.v2 = create<ComputeForceCompatible>;
  add("compute", "force/compatible", "forces that stiff bodies in contact would have");
  p.creator.v1 = create<PairPolyhedron>;
  add("pair", "polyhedron", "contact of rigid polyhedra");
  p.creator.v1 = create<CreatePolyhedra>;
  add("command", "create_polyhedra", "places rigid polyhedra");
  if (added) say_second_instance(static_cast<LAMMPS *>(ptr), added);
}
