/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/cd_network.h"

#include "lammps/bridge/wall_set.h"
#include "update.h"

#include "contact_dynamics/approach.h"

#include <algorithm>
#include <tuple>

using namespace LAMMPS_NS;

ContactNetwork::ContactNetwork(LAMMPS *lmp, Fix *f) : Pointers(lmp), fix(f) { init(); }

ContactNetwork::ContactNetwork(LAMMPS *lmp, Compute *c) : Pointers(lmp), compute(c) { init(); }

void ContactNetwork::init()
{
  pd_cd_network_create(&net);
  pd_cd_pool_create(&pool);
  communication = {this, forward, reverse, sum_all, max_all};
  net.communication = &communication;
}

ContactNetwork::~ContactNetwork()
{
  pd_cd_pool_free(&pool);
  pd_cd_network_free(&net);
}

void ContactNetwork::require(pd_status status, const char *who) const
{
  const auto text = [&] {
    return fmt::format("{}: {} at step {}", who, pd_strerror(status), update->ntimestep);
  };
  stop_together(lmp, FLERR, status ? text() : "");
}

void ContactNetwork::resize_bodies()
{
  require(pd_cd_network_resize(&net, atom->nlocal, atom->nghost, 0), "Contact dynamics");
}

/* onto what is left of three axes */
static pd_mat3 projection(const pd_constraint &c, int held)
{
  pd_mat3 p = held == 7 ? pd_m_zero() : pd_m_identity();
  for (int k = 0; k < 3; k++) {
    const pd_vec3 e = pd_constraint_axis(&c, k);
    if (held != 7 && (held & 1 << k)) p = pd_m_add(p, pd_m_scale(-1.0, pd_outer(e, e)));
  }
  return p;
}

void ContactNetwork::hold(int i, const pd_constraint &c) const
{
  pd_cd_body &b = net.body[i];
  if (!pd_constraint_any(&c)) return;
  const int translation = c.hinged ? 7 : c.translation;
  if (translation == 7 && c.rotation == 7) b.mobile = 0;
  b.guided = 1;
  b.free_translation = projection(c, translation);
  b.free_rotation = projection(c, c.rotation);
  b.arm = c.hinged ? c.arm : pd_v(0.0, 0.0, 0.0);
}

void ContactNetwork::set_contacts(std::vector<FoundContact> *found)
{
  const auto key = [](const FoundContact &f) {
    const ContactName &n = f.name;
    /* the point tells the images of one body from each other */
    return std::make_tuple(n.a, n.partner, n.sa, n.sb, f.c.ra.x, f.c.ra.y, f.c.ra.z);
  };
  std::sort(found->begin(), found->end(),
            [&](const FoundContact &p, const FoundContact &q) { return key(p) < key(q); });
  const int n = (int)found->size();
  require(pd_cd_network_resize(&net, atom->nlocal, atom->nghost, n), "Contact dynamics");
  name.resize(n);
  given.assign(n, 0.0);
  friction.assign(n, pd_v(0.0, 0.0, 0.0));
  slack.assign(n, 0.0);
  slide.assign(2 * (size_t)n, 0.0);
  for (int i = 0; i < n; i++) {
    net.contact[i] = (*found)[i].c;
    name[i] = (*found)[i].name;
    given[i] = (*found)[i].given;
    friction[i] = (*found)[i].friction;
  }
  require(pd_cd_network_bind(&net), "Contact dynamics");
}

void ContactNetwork::set_solution(const std::vector<double> &f, int stride,
                                  const std::vector<double> &v)
{
  for (int i = 0; i < net.ncontact; i++) {
    const pd_cd_contact &c = net.contact[i];
    given[i] = f[(size_t)stride * i];
    friction[i] = pd_axpy(force(f, stride, i), -given[i], c.n);
    pd_vec3 t[2];
    pd_cd_tangents(c.n, &t[0], &t[1]);
    for (int k = 0; k < 2; k++) {
      const pd_cd_row row = pd_cd_tangent_row(&net, &c, t[k]);
      slide[2 * (size_t)i + k] = -pd_cd_row_rate(&row, v.data()) - pd_dot(t[k], c.drift);
    }
  }
}

/* A pair belongs to the owner of the smaller tag; a body and its own image to the one whose image
 * lies further on. */
static bool mine(const Atom *atom, int i, int j)
{
  if (atom->tag[i] != atom->tag[j]) return atom->tag[i] < atom->tag[j];
  return pd_lies_before(pd_v_load(atom->x[i]), pd_v_load(atom->x[j]));
}

/* Mean velocity over a step of length dt at a point of a body that contacts do not move: of the
 * chord, if the point turns along with the body, which its tangent would leave. */
static pd_vec3 carried(const pd_cd_network *net, const double *v, int i, pd_vec3 arm, bool turns,
                       double dt)
{
  if (net->body[i].mobile) return pd_v(0.0, 0.0, 0.0);
  const double *six = v + 6 * (size_t)i;
  const pd_vec3 go = pd_v_load(six), w = pd_v_load(six + 3);
  if (!turns) return pd_add(go, pd_cross(w, arm));
  const pd_quat turn = pd_cd_turned(pd_q(1.0, 0.0, 0.0, 0.0), pd_scale(dt, w));
  return pd_axpy(go, 1.0 / dt, pd_sub(pd_mv(pd_q_matrix(turn), arm), arm));
}

double ContactNetwork::rate(const pd_cd_contact &c, const double *v) const
{
  const pd_cd_row row = pd_cd_normal_row(&net, &c);
  return pd_cd_row_rate(&row, v) + pd_dot(c.n, c.drift);
}

template <typename Work>
void ContactNetwork::for_pairs(const NeighList *list, const Work &work) const
{
  for (int ii = 0; ii < list->inum; ii++) {
    const int i = list->ilist[ii];
    for (int jj = 0; jj < list->numneigh[i]; jj++) {
      const int j = list->firstneigh[i][jj] & NEIGHMASK;
      if (mine(atom, i, j) && (net.body[i].mobile || net.body[j].mobile)) work(i, j);
    }
  }
}

template <typename Work>
void ContactNetwork::for_walls(const std::vector<WallSet *> &walls, const Work &work) const
{
  for (int w = 0; w < (int)walls.size(); w++)
    for (const pd_wall &wall : walls[w]->walls_of_step(update->dt))
      for (int i = 0; i < atom->nlocal; i++)
        if (atom->mask[i] & walls[w]->bodies) work(i, w, wall);
}

void ContactNetwork::add_pairs(RigidBodies *bodies, NeighList *list, double reach, const double *v,
                               bool again, std::vector<FoundContact> *found) const
{
  const auto drift = [&](int i, pd_vec3 arm) {
    return carried(&net, v, i, arm, bodies->turns(), update->dt);
  };
  for_pairs(list, [&](int i, int j) {
    if (again && bodies->path_length(i, j) <= 0.1 * reach) return;
    const size_t first = found->size();
    bodies->touch(i, j, reach, found);
    if (again) bodies->overlap(i, j, reach, found);
    for (size_t k = first; k < found->size(); k++) {
      ContactName &n = (*found)[k].name;
      pd_cd_contact &c = (*found)[k].c;
      c.drift = pd_sub(drift(i, c.ra), drift(j, c.rb));
      n.a = atom->tag[i];
      n.partner = n.b = atom->tag[j];
      n.type_a = atom->type[i];
      n.type_b = atom->type[j];
      n.wall = -1;
    }
  });
}

void ContactNetwork::add_walls(RigidBodies *bodies, const std::vector<WallSet *> &walls,
                               double reach, bool again, std::vector<FoundContact> *found) const
{
  for_walls(walls, [&](int i, int w, const pd_wall &wall) {
    if (!net.body[i].mobile || (again && bodies->path_length(i, wall) <= 0.1 * reach)) return;
    const size_t first = found->size();
    bodies->touch_wall(i, wall, reach, found);
    if (again) bodies->overlap_wall(i, wall, reach, found);
    const pd_vec3 x = pd_v_load(atom->x[i]);
    for (size_t k = first; k < found->size(); k++) {
      FoundContact &f = (*found)[k];
      f.name.a = atom->tag[i];
      f.name.b = 0;
      f.name.partner = -(int64_t)wall.key;
      f.name.type_a = atom->type[i];
      f.name.type_b = 0;
      f.name.wall = w;
      if (!wall.moves) continue;
      f.c.drift = pd_neg(walls[w]->motion().mean_velocity(pd_add(x, f.c.ra), update->dt));
    }
  });
}

void ContactNetwork::require_seen(RigidBodies *bodies, NeighList *list,
                                  const std::vector<WallSet *> &walls, double reach,
                                  const char *who) const
{
  double deepest = 0.0;
  std::string text;
  const auto note = [&](double depth, int i, const std::string &other) {
    if (!(depth > deepest)) return;
    deepest = depth;
    text = fmt::format("{}: body {} and {} overlap at step {}, depth {:.6g}: contacts that reach "
                       "{:.6g} cannot part them: place them apart, or raise gap",
                       who, atom->tag[i], other, update->ntimestep, depth, reach);
  };
  all_together(lmp, FLERR, [&] {
    for_pairs(list, [&](int i, int j) {
      note(bodies->unseen_depth(i, j, reach), i, fmt::format("body {}", atom->tag[j]));
    });
    for_walls(walls, [&](int i, int w, const pd_wall &wall) {
      if (!net.body[i].mobile) return;
      note(bodies->unseen_depth(i, wall, reach), i, fmt::format("wall {}", walls[w]->name));
    });
    if (!text.empty()) throw LocalError(text);
  });
}

pd_vec3 ContactNetwork::force(const std::vector<double> &f, int stride, int i) const
{
  const double *at = &f[(size_t)stride * i];
  pd_vec3 sum = pd_scale(at[0], net.contact[i].n), t1, t2;
  if (stride == 1) return sum;
  pd_cd_tangents(net.contact[i].n, &t1, &t2);
  return pd_axpy(pd_axpy(sum, at[1], t1), at[2], t2);
}

void ContactNetwork::resultants(const std::vector<double> &f, int stride,
                                std::vector<double> *sum) const
{
  sum->assign(6 * (size_t)net.nbody, 0.0);
  const auto add = [&](int i, pd_vec3 force, pd_vec3 moment) {
    double *at = sum->data() + 6 * (size_t)i;
    pd_v_store(at, pd_add(pd_v_load(at), force));
    pd_v_store(at + 3, pd_add(pd_v_load(at + 3), moment));
  };
  for (int i = 0; i < net.ncontact; i++) {
    const pd_cd_contact &c = net.contact[i];
    const pd_vec3 on_a = force(f, stride, i);
    const pd_vec3 tangential = pd_axpy(on_a, -f[(size_t)stride * i], c.n);
    const pd_vec3 shift = pd_cross(c.grip, tangential);
    add(c.a, on_a, pd_add(pd_cross(c.ra, on_a), shift));
    if (c.b >= 0) add(c.b, pd_neg(on_a), pd_neg(pd_add(pd_cross(c.rb, on_a), shift)));
  }
  pd_reverse(net.communication, sum->data());
}

void ContactNetwork::load_walls(const std::vector<double> &f, int stride,
                                const std::vector<WallSet *> &walls) const
{
  std::vector<WallLoad> load(walls.size(), WallLoad());
  for (int i = 0; i < net.ncontact; i++) {
    const pd_cd_contact &c = net.contact[i];
    const int w = name[i].wall;
    if (w < 0) continue;
    double part[6];
    const pd_vec3 on_wall = pd_neg(force(f, stride, i));
    const pd_vec3 at = pd_add(pd_v_load(atom->x[c.a]), c.ra);
    pd_v_store(part, on_wall);
    pd_v_store(part + 3, pd_cross(at, on_wall));
    for (int k = 0; k < 6; k++) {
      load[w][WallSet::FORCE + k] += part[k];
      load[w][WallSet::MEAN + k] += part[k];
    }
  }
  for (size_t w = 0; w < walls.size(); w++) walls[w]->set_load(load[w]);
}

/* all walls get it on all processes, whatever touches them here: they sum it up together */
void ContactNetwork::add_work(const std::vector<double> &f, int stride,
                              const std::vector<WallSet *> &walls) const
{
  std::vector<double> work(walls.size(), 0.0);
  for (int i = 0; i < net.ncontact; i++) {
    const int w = name[i].wall;
    const pd_vec3 path = pd_scale(-update->dt, net.contact[i].drift);
    if (w >= 0) work[w] += pd_dot(force(f, stride, i), path);
  }
  for (size_t w = 0; w < walls.size(); w++) walls[w]->add_work(work[w]);
}

void ContactNetwork::stamp()
{
  stamps++;
  step = update->ntimestep;
  builds = neighbor->ncalls;
  natoms = atom->natoms;
}

bool ContactNetwork::current() const
{
  return step == update->ntimestep && builds == (bigint)neighbor->ncalls &&
         natoms == atom->natoms && net.nowned == atom->nlocal &&
         net.nbody == atom->nlocal + atom->nghost;
}

double ContactNetwork::sum(double x) const { return pd_cd_sum1(net.communication, x); }
double ContactNetwork::max(double x) const { return pd_cd_max1(net.communication, x); }

/* ---- services for the core ---- */

void ContactNetwork::forward(void *ctx, double *buffer)
{
  auto *me = static_cast<ContactNetwork *>(ctx);
  me->buffer = buffer;
  if (me->fix)
    Compat::forward(me->comm, me->fix, 6);
  else
    Compat::forward(me->comm, me->compute);
}

void ContactNetwork::reverse(void *ctx, double *buffer)
{
  auto *me = static_cast<ContactNetwork *>(ctx);
  me->buffer = buffer;
  if (me->fix)
    Compat::reverse(me->comm, me->fix, 6);
  else
    Compat::reverse(me->comm, me->compute);
}

void ContactNetwork::sum_all(void *ctx, double *x, int n)
{
  auto *me = static_cast<ContactNetwork *>(ctx);
  MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_SUM, me->world);
}

void ContactNetwork::max_all(void *ctx, double *x, int n)
{
  auto *me = static_cast<ContactNetwork *>(ctx);
  MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_MAX, me->world);
}

int ContactNetwork::pack_forward(int n, const int *list, double *buf) const
{
  for (int i = 0; i < n; i++) std::copy_n(buffer + 6 * (size_t)list[i], 6, buf + 6 * (size_t)i);
  return 6 * n;
}

void ContactNetwork::unpack_forward(int n, int first, const double *buf)
{
  std::copy_n(buf, 6 * (size_t)n, buffer + 6 * (size_t)first);
}

int ContactNetwork::pack_reverse(int n, int first, double *buf) const
{
  std::copy_n(buffer + 6 * (size_t)first, 6 * (size_t)n, buf);
  return 6 * n;
}

void ContactNetwork::unpack_reverse(int n, const int *list, const double *buf)
{
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 6; k++) buffer[6 * (size_t)list[i] + k] += buf[6 * (size_t)i + k];
}

double ContactNetwork::memory_usage() const
{
  double bytes = (double)(net.cap_body * sizeof(pd_cd_body)) +
                 (double)(net.cap_contact * (sizeof(pd_cd_contact) + sizeof(pd_cd_row)));
  for (size_t room : pool.room) bytes += (double)(room * sizeof(double));
  bytes += (double)(friction.capacity() * sizeof(pd_vec3));
  for (const auto *list : {&slide, &given, &slack}) bytes += (double)list->capacity() * 8.0;
  return bytes + (double)name.capacity() * sizeof(ContactName);
}
