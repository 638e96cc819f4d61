/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "body_scene.h"

#include "atom_vec_ellipsoid.h"
#include "pair_polyhedron.h"
#include "update.h"

#include <cmath>

using namespace LAMMPS_NS;

BodyScene::BodyScene(LAMMPS *lmp) : Pointers(lmp), avec(nullptr)
{
  require(pd_system_create(&sys));
}

BodyScene::~BodyScene() { pd_system_free(&sys); }

void BodyScene::require(pd_status status)
{
  if (status) error->one(FLERR, fmt::format("Polyhedra: {}", pd_strerror(status)));
}

void BodyScene::rebuild(PairPolyhedron *pair, NeighList *list,
                        const std::vector<FixWallPolyhedron *> &with, int groupbit)
{
  avec = dynamic_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"));
  shapes = collect_shapes(lmp);
  walls = with;
  int nwall = 0;
  for (FixWallPolyhedron *w : walls) nwall += (int)w->walls().size();
  require(pd_system_resize(&sys, atom->nlocal + atom->nghost, nwall));
  sys.set = pair->contact_set();
  set_bodies(groupbit);
  wall_of.clear();
  for (int i = 0; i < (int)walls.size(); i++)
    for (const pd_wall &w : walls[i]->walls()) {
      sys.wall[wall_of.size()] = w;
      wall_of.push_back(i);
    }
  if (list) add_pairs(pair, list);
  add_walls(pair, groupbit);
  require(pd_system_bind(&sys));
  load();
}

void BodyScene::set_bodies(int groupbit)
{
  for (int i = 0; i < sys.nbody; i++) {
    const int itype = atom->type[i];
    const ShapeOfType &s = shapes[itype];
    if (!s.shape)
      error->one(FLERR, fmt::format("Atom {} of type {} has no shape: give the type one with fix "
                                    "polyhedron/shape",
                                    atom->tag[i], itype));
    pd_body &b = sys.body[i];
    b = pd_body();
    b.shape = s.shape;
    b.in.mass = s.mass;
    b.in.j = pd_v_load(s.moments);
    b.tag = (long)atom->tag[i];
    b.owned = i < atom->nlocal;
    b.mobile = (atom->mask[i] & groupbit) != 0;
    b.row = -1;
  }
}

/* the full list shows a pair of owned bodies twice; it is taken from its smaller tag */
void BodyScene::add_pairs(PairPolyhedron *pair, NeighList *list)
{
  const tagint *tag = atom->tag;
  for (int ii = 0; ii < list->inum; ii++) {
    const int i = list->ilist[ii];
    for (int jj = 0; jj < list->numneigh[i]; jj++) {
      const int j = list->firstneigh[i][jj] & NEIGHMASK;
      const bool both = j < atom->nlocal;
      if (both && tag[i] > tag[j]) continue;
      if (!sys.body[i].mobile && !sys.body[j].mobile) continue;
      const bool swap = tag[j] < tag[i];
      pd_link link;
      link.a = swap ? j : i;
      link.b = swap ? i : j;
      link.wall = 0;
      link.law = pair->law(atom->type[i], atom->type[j]);
      link.share = both ? 1.0 : 0.5;
      require(pd_system_add_link(&sys, link));
    }
  }
}

void BodyScene::add_walls(PairPolyhedron *pair, int groupbit)
{
  for (int w = 0; w < sys.nwall; w++) {
    FixWallPolyhedron *fix = walls[wall_of[w]];
    for (int i = 0; i < atom->nlocal; i++) {
      if (!(atom->mask[i] & fix->groupbit) || !(atom->mask[i] & groupbit)) continue;
      pd_link link;
      link.a = i;
      link.b = w;
      link.wall = 1;
      link.law = fix->law(pair, atom->type[i]);
      link.share = 1.0;
      require(pd_system_add_link(&sys, link));
    }
  }
}

void BodyScene::load()
{
  for (int i = 0; i < sys.nbody; i++) {
    pd_body &b = sys.body[i];
    const double *q = avec->bonus[atom->ellipsoid[i]].quat;
    b.o.x = pd_v_load(atom->x[i]);
    b.o.q = pd_q(q[0], q[1], q[2], q[3]);
    b.o.v = pd_v_load(atom->v[i]);
    const pd_mat3 rot = pd_q_matrix(b.o.q);
    const pd_vec3 l = pd_mtv(rot, pd_v_load(atom->angmom[i]));
    b.o.w = pd_mv(rot, pd_v(l.x / b.in.j.x, l.y / b.in.j.y, l.z / b.in.j.z));
    b.u = b.alpha = pd_v(0.0, 0.0, 0.0);
  }
}

void BodyScene::store()
{
  for (int i = 0; i < atom->nlocal; i++) {
    const pd_body &b = sys.body[i];
    if (!b.mobile) continue;
    double *q = avec->bonus[atom->ellipsoid[i]].quat;
    pd_v_store(atom->x[i], b.o.x);
    pd_v_store(atom->v[i], b.o.v);
    q[0] = b.o.q.w;
    q[1] = b.o.q.x;
    q[2] = b.o.q.y;
    q[3] = b.o.q.z;
    pd_v_store(atom->angmom[i], pd_mv(pd_rotate_diag(pd_q_matrix(b.o.q), b.in.j), b.o.w));
  }
}

WallLoad BodyScene::wall_load(int i) const
{
  WallLoad sum = WallLoad();
  for (int w = 0; w < sys.nwall; w++) {
    if (wall_of[w] != i) continue;
    for (int k = 0; k < 6; k++) sum[k] += sys.wall[w].load[k];
    sum[6] += sys.wall[w].energy;
  }
  return sum;
}

std::string BodyScene::partner(const pd_link *link) const
{
  if (link->wall) return fmt::format("wall {}", walls[wall_of[link->b]]->id);
  return fmt::format("body {}", sys.body[link->b].tag);
}

void BodyScene::check_overlap(const char *who)
{
  for (int i = 0; i < sys.nbody; i++) {
    const pd_state &o = sys.body[i].o;
    const double sum = o.x.x + o.x.y + o.x.z + o.v.x + o.v.y + o.v.z + o.q.w + o.q.x + o.q.y +
                       o.q.z + o.w.x + o.w.y + o.w.z;
    if (!std::isfinite(sum))
      error->one(FLERR,
                 fmt::format("{}: body {} has a position, velocity or orientation that is not a "
                             "finite number",
                             who, sys.body[i].tag));
    pd_system_place(&sys, i, pd_v(0.0, 0.0, 0.0), pd_v(0.0, 0.0, 0.0));
  }
  double depth;
  pd_status status;
  const int bad = pd_system_overlap(&sys, &depth, &status);
  require(status);
  if (bad < 0) return;
  const pd_link *l = &sys.link[bad];
  error->one(
      FLERR,
      fmt::format("{}: body {} and {} overlap at step {}, depth {:.6g}: initial states must be "
                  "free of penetration",
                  who, sys.body[l->a].tag, partner(l), update->ntimestep, depth));
}
