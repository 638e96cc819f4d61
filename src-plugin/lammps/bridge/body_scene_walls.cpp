/* SPDX-License-Identifier: GPL-2.0-or-later
 * The walls of a scene: how they move, and what acts on them. */
#include "lammps/bridge/body_scene.h"

using namespace LAMMPS_NS;

/* ---- walls with a degree of freedom ---- */

int BodyScene::count_free_walls() const
{
  int n = 0;
  for (WallSet *w : walls) n += free_walls && w->freedom().any();
  return n;
}

/* One that has no surface of its own is taken to be of the size of the smallest body. */
const pd_shape *BodyScene::shape_of_wall(const pd_wall &wall) const
{
  if (wall.kind == PD_SURFACE) return wall.shape;
  const pd_shape *smallest = nullptr;
  for (const ShapeOfType &s : shapes)
    if (s.shape && (!smallest || s.shape->radius < smallest->radius)) smallest = s.shape;
  return smallest ? smallest : no_shape;
}

/* Their tags are those by which friction remembers them. One that is not to be a body here is as
 * heavy as its body, or its damping would be another one. */
void BodyScene::set_free_walls()
{
  int i = count_bodies();
  body_of_wall.assign(sys.nwall, -1);
  for (int w = 0; w < sys.nwall; w++) {
    const WallFreedom &freedom = walls[wall_of[w]]->freedom();
    if (!freedom.any()) continue;
    pd_wall &wall = sys.wall[w];
    const pd_body body = freedom.body(shape_of_wall(wall));
    wall.mass = pd_body_mass_felt(&body);
    if (!free_walls) continue;
    wall.moves = 0;
    sys.body[i] = body;
    sys.body[i].wall = w + 1;
    sys.body[i].tag = -wall.key;
    sys.body[i].owned = comm->me == 0;
    body_of_wall[w] = i++;
  }
}

void BodyScene::load_free_walls()
{
  for (int i = count_bodies(); i < sys.nbody; i++) {
    pd_body &b = sys.body[i];
    const pd_body now = freedom_of(b).body(b.shape);
    b.start = now.start;
    b.constraint = now.constraint;
    b.external_force = now.external_force;
    b.external_torque = now.external_torque;
    b.u = b.alpha = pd_v(0.0, 0.0, 0.0);
  }
}

/* All processes have that of the first one, to the last bit. */
void BodyScene::share_free_walls()
{
  for (int i = count_bodies(); i < sys.nbody; i++)
    MPI_Bcast(&sys.body[i].start, (int)sizeof(pd_state), MPI_BYTE, 0, world);
}

void BodyScene::store_free_walls()
{
  share_free_walls();
  for (int i = count_bodies(); i < sys.nbody; i++)
    freedom_of(sys.body[i]).advance(sys.body[i].start);
}

bool BodyScene::has_new_walls() const
{
  for (int i = count_bodies(); i < sys.nbody; i++)
    if (freedom_of(sys.body[i]).is_new()) return true;
  return false;
}

void BodyScene::start_walls()
{
  share_free_walls();
  for (int i = count_bodies(); i < sys.nbody; i++) {
    WallFreedom &freedom = freedom_of(sys.body[i]);
    if (freedom.is_new()) freedom.start(sys.body[i].start);
    sys.body[i].start = freedom.now();
  }
}

/* ---- all walls ---- */

pd_vec3 BodyScene::place_of_wall(int w) const
{
  if (body_of_wall[w] < 0) return pd_wall_at(&sys.wall[w]);
  const pd_body &b = sys.body[body_of_wall[w]];
  return pd_add(b.start.x, b.u);
}

/* a wall's load, its moment about the origin; at: its frame's */
static void add_about_origin(pd_vec3 at, const double *load, double *sum)
{
  const pd_vec3 turn = pd_cross(at, pd_v_load(load));
  for (int k = 0; k < 6; k++) sum[k] += load[k];
  sum[3] += turn.x;
  sum[4] += turn.y;
  sum[5] += turn.z;
}

WallLoad BodyScene::wall_load(int i) const
{
  WallLoad sum = WallLoad();
  for (int w = 0; w < sys.nwall; w++) {
    if (wall_of[w] != i) continue;
    add_about_origin(place_of_wall(w), sys.wall[w].load, sum.data() + WallSet::FORCE);
    sum[WallSet::ENERGY] += sys.wall[w].energy;
  }
  return sum;
}

void BodyScene::load_walls() const
{
  for (int i = 0; i < (int)walls.size(); i++) walls[i]->set_force(wall_load(i));
}

/* the middle of the frame's way in a substep, to which moments refer that are means over it */
pd_vec3 BodyScene::middle_of_wall(int w) const
{
  const pd_vec3 way = body_of_wall[w] < 0 ? sys.wall[w].u_now : sys.body[body_of_wall[w]].u;
  return pd_axpy(place_of_wall(w), -0.5, way);
}

/* Newmark's momentum changes by the forces at both ends */
void BodyScene::add_to_wall_means(double part) const
{
  const double weight = sys.scheme.kind == PD_NEWMARK ? sys.scheme.gamma : 1.0;
  for (int i = 0; i < (int)walls.size(); i++) {
    double force[6] = {0.0}, work = 0.0;
    for (int w = 0; w < sys.nwall; w++) {
      if (wall_of[w] != i) continue;
      const pd_vec3 at = sys.scheme.kind == PD_EM ? middle_of_wall(w) : place_of_wall(w);
      add_about_origin(at, sys.wall[w].load, force);
      add_about_origin(at, sys.wall[w].owed, force);
      work += sys.wall[w].work;
    }
    walls[i]->add_to_mean(force, weight, part, work);
  }
}

std::string BodyScene::pressed_wall() const
{
  std::vector<double> mine(3 * sys.nwall, 0.0), all(mine);
  for (int w = 0; w < sys.nwall; w++)
    for (int k = 0; k < 3 && (sys.wall[w].moves || body_of_wall[w] >= 0); k++)
      mine[3 * w + k] = sys.wall[w].load0[k];
  MPI_Allreduce(mine.data(), all.data(), (int)all.size(), MPI_DOUBLE, MPI_SUM, world);
  double most = 0.0;
  int worst = -1;
  for (int w = 0; w < sys.nwall; w++) {
    const double force = pd_norm(pd_v_load(&all[3 * w]));
    if (force > most) most = force, worst = w;
  }
  if (worst < 0) return "";
  return fmt::format("; wall {}, which moves, takes a force of {:.4g}", walls[wall_of[worst]]->name,
                     most);
}

void BodyScene::move_walls(double s, double h)
{
  for (int i = 0, n = 0; i < (int)walls.size(); i++) {
    if (!walls[i]->motion().moves()) {
      n += (int)walls[i]->walls().size();
      continue;
    }
    for (const pd_wall &end : walls[i]->walls(s)) {
      const pd_wall &w = sys.wall[n];
      const pd_quat q = pd_q_mul(end.q, pd_q_conj(w.q));
      const pd_vec3 u = pd_sub(end.x, w.x);
      const pd_vec3 alpha = pd_scale(2.0 / q.w, pd_v(q.x, q.y, q.z));
      /* Euler's velocities are mean ones, and those of the walls must be of the same kind */
      if (sys.scheme.kind == PD_EULER)
        pd_system_move_wall(&sys, n, u, alpha, pd_scale(1.0 / h, u), pd_scale(1.0 / h, alpha));
      else
        pd_system_move_wall(&sys, n, u, alpha, end.v, end.w);
      n++;
    }
  }
}

BodyScene::WallPlace BodyScene::wall_place(int w) const
{
  int first = w;
  while (first > 0 && wall_of[first - 1] == wall_of[w]) first--;
  return {wall_of[w] + 1, w - first + 1};
}
