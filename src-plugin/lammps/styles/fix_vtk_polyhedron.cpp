/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/fix_vtk_polyhedron.h"

#include "lammps/bridge/atom_rotation.h"
#include "lammps/bridge/contact_sums.h"
#include "lammps/bridge/gathered_rows.h"
#include "lammps/host/kept.h"
#include "lammps/options/parse.h"

#include "domain.h"
#include "lammps/host/clock.h"

#include <algorithm>

using namespace LAMMPS_NS;
using namespace FixConst;

static const char *const WHO = "Fix vtk/polyhedron";
static const std::string ENDING = ".vtp";

FixVtkPolyhedron::FixVtkPolyhedron(LAMMPS *lmp, int narg, char **arg)
    : Fix(lmp, narg, arg), with_contacts(true), with_walls(true), binary(true), append(false),
      started(false), last_written(-1)
{
  if (narg < 5)
    error->all(FLERR, "Illegal fix vtk/polyhedron command: a number of steps and the name of the "
                      "files must follow");
  if (!atom->style_match("ellipsoid"))
    error->all(FLERR, "Fix vtk/polyhedron requires atom style ellipsoid");
  nevery = utils::inumeric(FLERR, arg[3], false, lmp);
  if (nevery < 1)
    error->all(FLERR,
               fmt::format("{}: the number of steps must be at least 1, not {}", WHO, arg[3]));
  time_depend = 1;
  take_name(arg[4]);
  Options::take_all(lmp, Options::Vtk::keywords, WHO, 5, narg, arg,
                    [this](const Options::Given &given) { set(given); });
  if (with_contacts) contacts.reset(new ContactView(lmp, WHO));
}

void FixVtkPolyhedron::set(const Options::Given &given)
{
  namespace key = Options::Vtk;
  switch ((key::Id)given.id()) {
  case key::CONTACTS:
    with_contacts = given.yes();
    return;
  case key::WALLS:
    with_walls = given.yes();
    return;
  case key::BINARY:
    binary = given.yes();
    return;
  case key::APPEND:
    append = given.yes();
  }
}

/* FOLDER/START*END.vtp */
void FixVtkPolyhedron::take_name(const std::string &name)
{
  const size_t star = name.find('*'), size = name.size();
  const auto refuse = [&](const char *why) {
    error->all(FLERR, fmt::format("{}: {}: {}", WHO, name, why));
  };
  if (size < ENDING.size() || name.compare(size - ENDING.size(), ENDING.size(), ENDING) != 0)
    refuse("the name must end in .vtp");
  if (star == std::string::npos || name.find('*', star + 1) != std::string::npos ||
      name.find('/', star) != std::string::npos)
    refuse("the name must have one *, in whose place the part and the time step are put");
  if (name.find('%') != std::string::npos)
    refuse("% is not known: process 0 writes the bodies of all processes");
  before = name.substr(0, star);
  after = name.substr(star + 1);
}

int FixVtkPolyhedron::setmask() { return END_OF_STEP; }

void FixVtkPolyhedron::init()
{
  if (Compat::is_command(input, "rerun"))
    error->all(FLERR, "Fix vtk/polyhedron does not work with the command rerun, which reads no "
                      "orientations");
  shapes = collect_shapes(lmp);
  if (std::none_of(shapes.begin(), shapes.end(), [](const ShapeOfType &s) { return s.shape; }))
    error->all(FLERR, "Fix vtk/polyhedron: no atom type has a shape: give one with fix "
                      "polyhedron/shape");
  walls = WallSet::all(modify);
  if (contacts) contacts->init(": keyword contacts no leaves contacts and their forces away");
}

/* as the host's dumps do: the first state of a run, unless it is the last one of the run before */
void FixVtkPolyhedron::setup(int)
{
  if (update->whichflag != 1) return;
  start_series();
  if (update->ntimestep % nevery == 0 && update->ntimestep != last_written) write();
}

void FixVtkPolyhedron::end_of_step() { write(); }

std::vector<const char *> FixVtkPolyhedron::parts() const
{
  std::vector<const char *> names = {"bodies"};
  if (with_contacts) names.insert(names.end(), {"contacts", "chains"});
  if (with_walls) names.push_back("walls");
  return names;
}

VtkSeries FixVtkPolyhedron::series(const char *part) const
{
  return VtkSeries(before + part + after.substr(0, after.size() - ENDING.size()) + ".pvd");
}

void FixVtkPolyhedron::start_series()
{
  if (started) return;
  started = true;
  all_together(lmp, FLERR, [this] {
    if (comm->me) return;
    for (const char *part : parts())
      if (append)
        series(part).go_on(simulated_time(update) - 0.5 * update->dt);
      else
        series(part).start();
  });
}

void FixVtkPolyhedron::write()
{
  last_written = update->ntimestep;
  std::vector<BodyRow> bodies;
  std::vector<ContactRow> points;
  take_state(&bodies, &points);
  bodies = gather_rows(lmp, bodies);
  points = gather_rows(lmp, points);
  const VtkFile boundary = with_walls ? wall_picture() : VtkFile(VtkFile::POLYS);
  all_together(lmp, FLERR, [&] {
    if (comm->me) return;
    write_part("bodies", picture_of_bodies(bodies, shapes, with_contacts));
    if (with_contacts) write_part("contacts", picture_of_contacts(points));
    if (with_contacts) write_part("chains", picture_of_chains(points));
    if (with_walls) write_part("walls", boundary);
  });
}

void FixVtkPolyhedron::write_part(const char *part, const VtkFile &picture) const
{
  const std::string path = fmt::format("{}{}.{}{}", before, part, update->ntimestep, after);
  picture.write(path, binary);
  series(part).add(simulated_time(update), path.substr(path.rfind('/') + 1)); /* npos + 1 is 0 */
}

BodyRow FixVtkPolyhedron::body_row(int i) const
{
  namespace col = BodyColumn;
  const double *q = quat_of(atom, i);
  const pd_vec3 j = pd_v_load(shapes[atom->type[i]].moments);
  BodyRow row = BodyRow();
  row[col::ID] = (double)atom->tag[i];
  row[col::TYPE] = atom->type[i];
  std::copy(atom->x[i], atom->x[i] + 3, &row[col::X]);
  std::copy(q, q + 4, &row[col::Q]);
  std::copy(atom->v[i], atom->v[i] + 3, &row[col::V]);
  pd_v_store(&row[col::OMEGA], omega_of(pd_q_matrix(quat_load(q)), j, atom->angmom[i]));
  return row;
}

ContactRow FixVtkPolyhedron::contact_row(const pd_contact_pair *pair, const pd_contact &c) const
{
  namespace col = ContactColumn;
  const ContactView::Row r = contacts->row(pair, c);
  ContactRow row = ContactRow();
  std::copy(r.begin(), r.begin() + col::CENTRE_A, row.begin());
  pd_v_store(&row[col::CENTRE_A], contacts->body(pair->a).start.x);
  if (!pair->wall) pd_v_store(&row[col::CENTRE_B], contacts->body(pair->b).start.x);
  return row;
}

/* Those of the group, of this process; atoms without a shape are no bodies. */
void FixVtkPolyhedron::take_state(std::vector<BodyRow> *bodies, std::vector<ContactRow> *points)
{
  namespace col = BodyColumn;
  SumsOfBodies sums(contacts.get(), contacts ? atom->nlocal : 0);
  if (contacts)
    contacts->visit([&](const pd_contact_pair *pair, const pd_contact &c) {
      sums.add(pair, c);
      if (contacts->lists(pair, groupbit)) points->push_back(contact_row(pair, c));
    });
  for (int i = 0; i < atom->nlocal; i++) {
    if (!(atom->mask[i] & groupbit) || !shapes[atom->type[i]].shape || atom->ellipsoid[i] < 0)
      continue;
    BodyRow row = body_row(i);
    if (contacts) {
      std::copy(sums.of(i).force, sums.of(i).force + 3, &row[col::FORCE]);
      row[col::CONTACTS] = sums.of(i).points;
    }
    bodies->push_back(row);
  }
}

/* Planes reach as far as bodies do that stick out of the box. */
VtkFile FixVtkPolyhedron::wall_picture() const
{
  const double radius = largest_radius(shapes);
  const pd_vec3 out = pd_v(radius, radius, radius);
  const pd_vec3 low = pd_v_load(Compat::low_corner(domain));
  const pd_vec3 high = pd_v_load(Compat::high_corner(domain));
  return picture_of_walls(walls, pd_sub(low, out), pd_add(high, out));
}
