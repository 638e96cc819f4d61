/* SPDX-License-Identifier: GPL-2.0-or-later
 * The pairs of a scene: of the host's neighbour list, and of bodies and walls. */
#include "lammps/bridge/body_scene.h"
#include "lammps/bridge/friction_memory.h"
#include "lammps/bridge/other_fixes.h"
#include "update.h"

#include <algorithm>

using namespace LAMMPS_NS;

void BodyScene::find_pairs(const ContactLaws *laws, NeighList *list)
{
  std::vector<Found> found;
  unheeded.clear();
  if (list) find_body_pairs(laws, list, &found);
  find_wall_pairs(laws, &found);
  sort_pairs(&found);
  for (const Found &f : found) {
    require(pd_system_add_pair(&sys, pair_of(laws, f)));
    if (remembered) recall(f);
  }
}

/* the full list shows a pair of owned bodies twice; it is taken from its smaller tag */
void BodyScene::find_body_pairs(const ContactLaws *laws, NeighList *list, std::vector<Found> *found)
{
  const tagint *tag = atom->tag;
  for (int ii = 0; ii < list->inum; ii++) {
    const int i = list->ilist[ii];
    for (int jj = 0; jj < list->numneigh[i]; jj++) {
      const int j = list->firstneigh[i][jj] & NEIGHMASK;
      if (j < atom->nlocal && tag[i] > tag[j]) continue;
      for (int k : {i, j}) require_shape(k);
      const bool swap = tag[j] < tag[i];
      const Found pair = {swap ? j : i, swap ? i : j, 0};
      if (sys.body[i].mobile || sys.body[j].mobile)
        found->push_back(pair);
      else if (others && (others->driven_by_force(i) || others->driven_by_force(j)))
        unheeded.push_back(pair_of(laws, pair));
    }
  }
}

void BodyScene::find_wall_pairs(const ContactLaws *laws, std::vector<Found> *found)
{
  for (int w = 0; w < sys.nwall; w++) {
    WallSet *set = walls[wall_of[w]];
    const bool stands = body_of_wall[w] < 0;
    for (int i = 0; i < atom->nlocal; i++) {
      if (!(atom->mask[i] & set->bodies) || !shapes[atom->type[i]].shape) continue;
      const Found pair = {i, stands ? w : body_of_wall[w], stands};
      if (sys.body[i].mobile)
        found->push_back(pair);
      else if (others && (others->driven_by_force(i) || !stands))
        unheeded.push_back(pair_of(laws, pair));
    }
  }
}

/* Pairs in the order of the bodies' tags, so that sums do not depend on how the host stores its
 * atoms; walls that have no body of their own come last. */
void BodyScene::sort_pairs(std::vector<Found> *found) const
{
  const auto key = [this](const Found &f) {
    return std::make_tuple(f.wall, sys.body[f.a].tag, f.wall ? (long)f.b : sys.body[f.b].tag);
  };
  std::sort(found->begin(), found->end(), [&](const Found &p, const Found &q) {
    if (key(p) != key(q)) return key(p) < key(q);
    return distance2(p) < distance2(q); /* periodic images */
  });
}

double BodyScene::distance2(const Found &f) const
{
  if (f.wall || f.b >= count_bodies()) return 0.0; /* walls are no atoms */
  return pd_norm2(pd_sub(pd_v_load(atom->x[f.a]), pd_v_load(atom->x[f.b])));
}

/* the wall that is the second side of a pair, whether a body stands for it or not; -1: it is none
 */
int BodyScene::wall_in(const Found &f) const
{
  if (f.wall) return f.b;
  return f.b >= count_bodies() ? sys.body[f.b].wall - 1 : -1;
}

pd_contact_pair BodyScene::pair_of(const ContactLaws *laws, const Found &f) const
{
  const int w = wall_in(f);
  const bool shared = w < 0 && (f.a >= atom->nlocal || f.b >= atom->nlocal);
  pd_contact_pair pair = pd_contact_pair();
  pair.a = f.a;
  pair.b = f.b;
  pair.wall = f.wall;
  pair.law = w < 0 ? laws->law(atom->type[f.a], atom->type[f.b])
                   : walls[wall_of[w]]->law_of(laws, atom->tag[f.a], atom->type[f.a]);
  pair.share = shared ? 0.5 : 1.0;
  return pair;
}

void BodyScene::recall(const Found &f)
{
  const int w = wall_in(f);
  if (w >= 0)
    return remembered->recall(&sys, f.a, sys.wall[w], walls[wall_of[w]]->periods(sys.wall[w]));
  const bool own = f.a < atom->nlocal;
  const pd_state state[2] = {state_of(f.a), state_of(f.b)};
  remembered->recall(&sys, own ? f.a : f.b, sys.body[own ? f.b : f.a].tag, state);
}

/* of bodies that other fixes integrate: without contact */
void BodyScene::find_unheeded()
{
  for (const pd_contact_pair &of : unheeded) {
    pd_contact_pair pair = of;
    if (!(pd_system_distance(&sys, &pair, pair.law->gbar) < pair.law->gbar)) continue;
    const bool wall = pair.wall || sys.body[pair.b].wall;
    std::string who = others->mover(pair.a);
    if (who.empty() && !wall) who = others->mover(pair.b);
    throw LocalError(fmt::format(
        "Fix implicit/polyhedron: body {} and {} meet at step {}: it moves {}{}, so that "
        "there is no contact between them: take {}",
        sys.body[pair.a].tag, partner(&pair), update->ntimestep, wall ? "not the body" : "neither",
        who.empty() ? who : ", and " + who,
        wall ? "the body into its group, or out of that of the wall"
             : "both into its group, or neigh_modify exclude them"));
  }
}
