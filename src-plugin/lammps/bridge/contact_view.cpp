/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/contact_view.h"

#include "comm.h"
#include "force.h"
#include "update.h"

using namespace LAMMPS_NS;

ContactView::ContactView(LAMMPS *lmp, const std::string &asker)
    : Pointers(lmp), who(asker), pair(nullptr), laws(nullptr), list()
{
}

ContactView::~ContactView() { pd_contact_list_free(&list); }

void ContactView::init(const std::string &remedy)
{
  find_styles(remedy);
  if (!scene) scene.reset(new BodyScene(lmp));
}

void ContactView::find_styles(const std::string &remedy)
{
  pair = force->pair_match("polyhedron", 1);
  laws = dynamic_cast<const ContactLaws *>(pair);
  if (!laws) error->all(FLERR, who + " requires pair style polyhedron" + remedy);
  walls = WallSet::all(modify);
}

static void call(void *ctx, const pd_contact_pair *pair, const pd_contact *c)
{
  (*static_cast<const ContactView::Visitor *>(ctx))(pair, *c);
}

void ContactView::visit(const Visitor &visitor)
{
  find_styles(""); /* some may have gone since the run began */
  if (!pair->list)
    error->all(FLERR, who + " looks for contacts in lists that no run has made yet: run 0 does");
  laws->check_list(who);
  /* an explicit integrator ends its step with velocities that ghosts have not got */
  if (!laws->states()) comm->forward_comm();
  scene->rebuild(laws, pair->list, walls, ~0);
  if (laws->states()) laws->states()(&scene->sys);
  const pd_status status =
      pd_system_contacts(&scene->sys, &list, call, const_cast<Visitor *>(&visitor));
  const auto text = [&] {
    return fmt::format("{}: {} at step {}", who, pd_strerror(status), update->ntimestep);
  };
  stop_together(lmp, FLERR, status ? text() : "");
}

/* whether B is an image of A whose contacts with it are those of A with its image on the other side
 */
static bool meets_itself(const pd_body &a, const pd_body &b)
{
  return a.tag == b.tag && pd_lies_before(a.start.x, b.start.x);
}

bool ContactView::lists(const pd_contact_pair *p, int groupbit) const
{
  const pd_body &a = scene->sys.body[p->a];
  if (!a.owned || !(atom->mask[p->a] & groupbit)) return false;
  if (!p->wall && meets_itself(a, scene->sys.body[p->b])) return false;
  return p->wall || (atom->mask[p->b] & groupbit);
}

ContactView::Row ContactView::row(const pd_contact_pair *p, const pd_contact &c) const
{
  const pd_body &a = scene->sys.body[p->a];
  const pd_vec3 at = pd_add(a.start.x, c.point), grip = pd_add(a.start.x, c.grip);
  const BodyScene::WallPlace wall = p->wall ? scene->wall_place(p->b) : BodyScene::WallPlace{0, 0};
  return {{(double)a.tag,
           p->wall ? -(double)wall.fix : (double)scene->sys.body[p->b].tag,
           (double)c.kind + 1.0,
           at.x,
           at.y,
           at.z,
           c.normal.x,
           c.normal.y,
           c.normal.z,
           c.gap,
           c.force,
           c.friction.x,
           c.friction.y,
           c.friction.z,
           (double)c.history.slipping,
           c.history.slid,
           (double)wall.number,
           grip.x,
           grip.y,
           grip.z}};
}
