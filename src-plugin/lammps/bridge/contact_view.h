/* SPDX-License-Identifier: GPL-2.0-or-later
 * The contacts as they are now, for styles that report them. */
#ifndef POLYHEDRA_CONTACT_VIEW_H
#define POLYHEDRA_CONTACT_VIEW_H

#include "lammps/bridge/body_scene.h"

#include <array>
#include <functional>
#include <memory>

namespace LAMMPS_NS
{

class ContactView : protected Pointers
{
public:
  typedef std::function<void(const pd_contact_pair *, const pd_contact &)> Visitor;

  /* a contact as compute polyhedron/contact/local lists it */
  enum { NCOLUMN = 20 };
  typedef std::array<double, NCOLUMN> Row;

  /* who: start of error messages */
  ContactView(class LAMMPS *, const std::string &who);
  ~ContactView() override;

  /* Before each run. Without pair style polyhedron it stops; remedy: end of the message. */
  void init(const std::string &remedy = "");

  /* Whether init() has been called: not for a compute that is made, and asked, between runs. */
  bool ready() const { return scene != nullptr; }

  /* Every contact of the bodies of this process where bodies and walls are now, pairs in the order
   * of their tags, walls without a body of their own last. One between bodies of two processes is
   * shown to both. Collective. */
  void visit(const Visitor &visitor);

  /* While they are visited: a body by its index, which is that of its atom. */
  const pd_body &body(int i) const { return scene->sys.body[i]; }

  /* Whether this process lists the contact for a group: it does for the owner of the first body,
   * which is the one with the smaller tag, if the bodies belong to the group. */
  bool lists(const pd_contact_pair *pair, int groupbit) const;

  Row row(const pd_contact_pair *pair, const pd_contact &c) const;

private:
  const std::string who;
  Pair *pair;
  const ContactLaws *laws;
  std::vector<WallSet *> walls;
  std::unique_ptr<BodyScene> scene;
  pd_contact_list list;

  void find_styles(const std::string &remedy);
};

/* force on the first body, friction included */
inline pd_vec3 total_force(const pd_contact &c) { return pd_axpy(c.friction, c.force, c.normal); }

} // namespace LAMMPS_NS

#endif
