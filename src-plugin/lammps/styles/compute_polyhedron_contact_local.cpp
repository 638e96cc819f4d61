/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/compute_polyhedron_contact_local.h"

#include "lammps/bridge/body_scene.h"
#include "force.h"
#include "lammps/styles/pair_polyhedron.h"
#include "update.h"

using namespace LAMMPS_NS;

ComputePolyhedronContactLocal::ComputePolyhedronContactLocal(LAMMPS *lmp, int narg, char **arg)
    : Compute(lmp, narg, arg), pair(nullptr), scene(nullptr), list()
{
  if (narg != 3)
    error->all(FLERR, "Illegal compute polyhedron/contact/local command: it has no arguments");
  local_flag = 1;
  size_local_cols = NCOL;
  size_local_rows = 0;
}

ComputePolyhedronContactLocal::~ComputePolyhedronContactLocal()
{
  pd_contact_list_free(&list);
  delete scene;
}

void ComputePolyhedronContactLocal::init()
{
  pair = dynamic_cast<PairPolyhedron *>(force->pair_match("polyhedron", 1));
  if (!pair) error->all(FLERR, "Compute polyhedron/contact/local requires pair style polyhedron");
  walls = WallSet::all(modify);
  if (!scene) scene = new BodyScene(lmp);
}

void ComputePolyhedronContactLocal::compute_local()
{
  invoked_local = update->ntimestep;
  rows.clear();
  scene->rebuild(pair, pair->list, walls, ~0);
  const pd_status status = pd_system_contacts(&scene->sys, &list, visit, this);
  const auto text = [&] {
    return fmt::format("Compute polyhedron/contact/local: {} at step {}", pd_strerror(status),
                       update->ntimestep);
  };
  stop_together(lmp, FLERR, status ? text() : "");
  const int n = (int)(rows.size() / NCOL);
  pointers.resize(n);
  for (int i = 0; i < n; i++) pointers[i] = &rows[(size_t)i * NCOL];
  size_local_rows = n;
  array_local = pointers.data();
}

void ComputePolyhedronContactLocal::visit(void *ctx, const pd_contact_pair *link,
                                          const pd_contact *c)
{
  static_cast<ComputePolyhedronContactLocal *>(ctx)->add(link, c);
}

/* a contact that crosses processes is listed by the owner of the body with the smaller tag */
void ComputePolyhedronContactLocal::add(const pd_contact_pair *link, const pd_contact *c)
{
  const pd_body &a = scene->sys.body[link->a];
  if (!a.owned) return;
  if (!(atom->mask[link->a] & groupbit)) return;
  if (!link->wall && !(atom->mask[link->b] & groupbit)) return;
  const pd_vec3 p = pd_add(a.start.x, c->point);
  const BodyScene::WallPlace wall =
      link->wall ? scene->wall_place(link->b) : BodyScene::WallPlace{0, 0};
  const double row[NCOL] = {(double)a.tag,
                            link->wall ? -(double)wall.fix : (double)scene->sys.body[link->b].tag,
                            (double)c->kind + 1.0,
                            p.x,
                            p.y,
                            p.z,
                            c->normal.x,
                            c->normal.y,
                            c->normal.z,
                            c->gap,
                            c->force,
                            c->friction.x,
                            c->friction.y,
                            c->friction.z,
                            (double)c->history.slipping,
                            c->history.slid,
                            (double)wall.number};
  rows.insert(rows.end(), row, row + NCOL);
}

double ComputePolyhedronContactLocal::memory_usage()
{
  return (double)rows.capacity() * sizeof(double) + (double)pointers.capacity() * sizeof(double *);
}
