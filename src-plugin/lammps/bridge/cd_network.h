/* SPDX-License-Identifier: GPL-2.0-or-later
 * The contact network of all processes: LAMMPS's bodies and communication on one side, the core's
 * pd_cd_network on the other. Body i is atom i, a contact is stored by the owner of its first body,
 * whose tag is the smaller one. */
#ifndef POLYHEDRA_CD_NETWORK_H
#define POLYHEDRA_CD_NETWORK_H

#include "lammps/bridge/cd_bodies.h"

#include "contact_dynamics/rigid.h"

namespace LAMMPS_NS
{

class WallSet;

class ContactNetwork : protected Pointers
{
public:
  pd_cd_network net = pd_cd_network();
  pd_cd_pool pool = pd_cd_pool();
  std::vector<ContactName> name; /* of every contact */
  std::vector<double> given;     /* its normal force */
  std::vector<pd_vec3> friction; /* its friction force on the first body */
  std::vector<double> slide;     /* two: speed of b over a along the tangents */
  std::vector<double> slack;     /* and how far it stays from closing, as a speed */
  double speed = 0.0;            /* that slack is to be compared with */

  ContactNetwork(class LAMMPS *, Fix *);
  ContactNetwork(class LAMMPS *, Compute *);
  ~ContactNetwork() override;

  /* Takes over contacts, in the order of their names, and binds the bodies, which must be set. */
  void set_contacts(std::vector<FoundContact> *found);

  /* Adds the contacts of all pairs of a full list, then of all bodies with the walls. v (six):
   * velocities, of which those of bodies that are not mobile count. again: only of those that go
   * further than reach, and what overlaps at the end of their paths, too. */
  void find_pairs(RigidBodies *bodies, NeighList *list, double reach, const double *v, bool again,
                  std::vector<FoundContact> *found) const
  {
    all_together(lmp, FLERR, [&] { add_pairs(bodies, list, reach, v, again, found); });
  }
  void find_walls(RigidBodies *bodies, const std::vector<WallSet *> &walls, double reach,
                  bool again, std::vector<FoundContact> *found) const
  {
    all_together(lmp, FLERR, [&] { add_walls(bodies, walls, reach, again, found); });
  }

  /* Stops, naming the two, where bodies, or one and a wall, overlap further than contacts within
   * reach see. All processes. who: for the message. */
  void require_seen(RigidBodies *bodies, NeighList *list, const std::vector<WallSet *> &walls,
                    double reach, const char *who) const;

  /* Body i is held so: contacts have to bear the rest alone, for compatible forces. */
  void hold(int i, const pd_constraint &c) const;

  /* How fast the gap of a contact grows at velocities v (six). */
  double rate(const pd_cd_contact &c, const double *v) const;

  /* Takes over the forces (as in force below) and velocities (six) of a solution. */
  void set_solution(const std::vector<double> &f, int stride, const std::vector<double> &v);

  /* Makes room for the bodies: owned and ghost atoms. */
  void resize_bodies();

  /* Force on the first body of contact i. f: stride values of every contact, the normal one and, if
   * stride is 3, two tangential ones. */
  pd_vec3 force(const std::vector<double> &f, int stride, int i) const;

  /* sum: force and moment of forces f on every owned body, immobile ones too. */
  void resultants(const std::vector<double> &f, int stride, std::vector<double> *sum) const;

  /* What forces f do to the walls that find_walls was given. */
  void load_walls(const std::vector<double> &f, int stride,
                  const std::vector<WallSet *> &walls) const;

  /* Work of these walls in a step of the host's length, when it is taken. */
  void add_work(const std::vector<double> &f, int stride,
                const std::vector<WallSet *> &walls) const;

  /* The network is that of the atoms as they now are stored. */
  void stamp();
  bool current() const;

  /* how often it has been */
  bigint count_stamps() const { return stamps; }

  /* over all processes */
  double sum(double x) const;
  double max(double x) const;
  double count() const { return sum(net.ncontact); }

  void require(pd_status status, const char *who) const;

  /* for the fix or compute that communicates */
  int pack_forward(int n, const int *list, double *buf) const;
  void unpack_forward(int n, int first, const double *buf);
  int pack_reverse(int n, int first, double *buf) const;
  void unpack_reverse(int n, const int *list, const double *buf);

  double memory_usage() const;

private:
  Fix *fix = nullptr;
  bigint stamps = 0;
  Compute *compute = nullptr;
  pd_communication communication = pd_communication();
  double *buffer = nullptr;
  bigint step = -1, builds = -1;
  bigint natoms = 0;

  void init();
  /* work(i, j) for pairs with a mobile body, once over all processes; work(i, w, wall) for owned
   * bodies with every wall of the fixes w that act on them */
  template <typename Work> void for_pairs(const NeighList *list, const Work &work) const;
  template <typename Work>
  void for_walls(const std::vector<WallSet *> &walls, const Work &work) const;
  void add_pairs(RigidBodies *bodies, NeighList *list, double reach, const double *v, bool again,
                 std::vector<FoundContact> *found) const;
  void add_walls(RigidBodies *bodies, const std::vector<WallSet *> &walls, double reach, bool again,
                 std::vector<FoundContact> *found) const;
  static void forward(void *ctx, double *buffer);
  static void reverse(void *ctx, double *buffer);
  static void sum_all(void *ctx, double *x, int n);
  static void max_all(void *ctx, double *x, int n);
};

} // namespace LAMMPS_NS

#endif
