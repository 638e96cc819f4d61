/* SPDX-License-Identifier: GPL-2.0-or-later
 * The walls of a scene: how they move, and what acts on them. */
#include "lammps/bridge/body_scene.h"

using namespace LAMMPS_NS;

/* the wall's load, its moment about the origin */
static void add_about_origin(const pd_wall &w, const double *load, double *sum)
{
  const pd_vec3 turn = pd_cross(pd_wall_at(&w), pd_v_load(load));
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
    add_about_origin(sys.wall[w], sys.wall[w].load, sum.data() + WallSet::FORCE);
    sum[WallSet::ENERGY] += sys.wall[w].energy;
  }
  return sum;
}

void BodyScene::load_walls() const
{
  for (int i = 0; i < (int)walls.size(); i++) walls[i]->set_force(wall_load(i));
}

/* Newmark's momentum changes by the forces at both ends */
void BodyScene::add_to_wall_means(double part) const
{
  const double weight = sys.scheme.kind == PD_NEWMARK ? sys.scheme.gamma : 1.0;
  for (int i = 0; i < (int)walls.size(); i++) {
    double force[6] = {0.0}, work = 0.0;
    for (int w = 0; w < sys.nwall; w++) {
      if (wall_of[w] != i) continue;
      add_about_origin(sys.wall[w], sys.wall[w].load, force);
      work += sys.wall[w].work;
    }
    walls[i]->add_to_mean(force, weight, part, work);
  }
}

std::string BodyScene::pressed_wall() const
{
  std::vector<double> mine(3 * sys.nwall, 0.0), all(mine);
  for (int w = 0; w < sys.nwall; w++)
    for (int k = 0; k < 3 && sys.wall[w].moves; k++) mine[3 * w + k] = sys.wall[w].load0[k];
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
