/* SPDX-License-Identifier: GPL-2.0-or-later
 * Registration of all styles with the host. */
#include "lammpsplugin.h"

#include "version.h"

#include "compute_polyhedron_contact_local.h"
#include "create_polyhedra.h"
#include "fix_implicit_polyhedron.h"
#include "fix_polyhedron_shape.h"
#include "fix_wall_polyhedron.h"
#include "pair_polyhedron.h"

#include "library.h"

using namespace LAMMPS_NS;

template <typename T> static T *create_v2(LAMMPS *lmp, int narg, char **arg)
{
  return new T(lmp, narg, arg);
}
template <typename T> static T *create_v1(LAMMPS *lmp) { return new T(lmp); }

template <typename T>
static void add_v2(lammpsplugin_t plugin, const char *style, const char *name, const char *info,
                   void *lmp, void *regfunc)
{
  plugin.style = style;
  plugin.name = name;
  plugin.info = info;
  plugin.creator.v2 = (lammpsplugin_factory2 *)&create_v2<T>;
  (*(lammpsplugin_regfunc)regfunc)(&plugin, lmp);
}

template <typename T>
static void add_v1(lammpsplugin_t plugin, const char *style, const char *name, const char *info,
                   void *lmp, void *regfunc)
{
  plugin.style = style;
  plugin.name = name;
  plugin.info = info;
  plugin.creator.v1 = (lammpsplugin_factory1 *)&create_v1<T>;
  (*(lammpsplugin_regfunc)regfunc)(&plugin, lmp);
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

extern "C" void lammpsplugin_init(void *ptr, void *handle, void *regfunc)
{
  check_sizes(static_cast<LAMMPS *>(ptr));
  lammpsplugin_t p;
  memset(&p, 0, sizeof(p));
  p.version = LAMMPS_VERSION;
  p.author = "the polyhedra developers";
  p.handle = handle;
  add_v2<FixPolyhedronShape>(p, "fix", "polyhedron/shape", "shapes of rigid polyhedra", ptr,
                             regfunc);
  add_v2<FixWallPolyhedron>(p, "fix", "wall/polyhedron", "rigid walls for polyhedra", ptr, regfunc);
  add_v2<FixImplicitPolyhedron>(p, "fix", "implicit/polyhedron",
                                "implicit integration of polyhedra", ptr, regfunc);
  add_v2<ComputePolyhedronContactLocal>(p, "compute", "polyhedron/contact/local",
                                        "contact points of polyhedra", ptr, regfunc);
  add_v1<PairPolyhedron>(p, "pair", "polyhedron", "contact of rigid polyhedra", ptr, regfunc);
  add_v1<CreatePolyhedra>(p, "command", "create_polyhedra", "places rigid polyhedra", ptr, regfunc);
}
