/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/vtk_pictures.h"

#include "lammps/bridge/atom_rotation.h"
#include "lammps/bridge/plane_polygon.h"

using namespace LAMMPS_NS;

/* One array of a picture: a column of rows, and those after it, of which it is made. */
struct Part {
  const char *name;
  int width;
  VtkFile::Values kind;
  int column;
};

static void add_arrays(std::vector<VtkFile::Array> *to, const std::vector<Part> &parts)
{
  for (const Part &p : parts) to->push_back({p.name, p.width, p.kind, {}});
}

/* The values of a row, times over. */
template <typename Row>
static void add_values(std::vector<VtkFile::Array> *to, const std::vector<Part> &parts,
                       const Row &row, int times = 1)
{
  for (size_t i = 0; i < parts.size(); i++)
    for (int n = 0; n < times; n++)
      for (int k = 0; k < parts[i].width; k++) (*to)[i].add(row[parts[i].column + k]);
}

/* ---- bodies ---- */

static void add_triangles(VtkFile *file, const pd_mesh *s, pd_vec3 x, const pd_mat3 &turn)
{
  const int64_t first = file->count_points();
  for (int i = 0; i < s->nv; i++) file->add_point(pd_add(x, pd_mv(turn, s->v[i])));
  for (int i = 0; i < s->nt; i++)
    file->add_cell({first + s->t[i][0], first + s->t[i][1], first + s->t[i][2]});
}

VtkFile LAMMPS_NS::picture_of_bodies(const std::vector<BodyRow> &bodies,
                                     const std::vector<ShapeOfType> &shapes, bool forces)
{
  namespace col = BodyColumn;
  std::vector<Part> parts = {{"id", 1, VtkFile::INTEGER, col::ID},
                             {"type", 1, VtkFile::INTEGER, col::TYPE},
                             {"velocity", 3, VtkFile::REAL, col::V},
                             {"angular_velocity", 3, VtkFile::REAL, col::OMEGA}};
  if (forces) {
    parts.push_back({"contact_force", 3, VtkFile::REAL, col::FORCE});
    parts.push_back({"contacts", 1, VtkFile::INTEGER, col::CONTACTS});
  }
  VtkFile file(VtkFile::POLYS);
  add_arrays(&file.of_cells, parts);
  for (const BodyRow &b : bodies) {
    const pd_mesh *s = shapes[(int)b[col::TYPE]].drawn;
    add_triangles(&file, s, pd_v_load(&b[col::X]), pd_q_matrix(quat_load(&b[col::Q])));
    add_values(&file.of_cells, parts, b, s->nt);
  }
  return file;
}

/* ---- contacts ---- */

VtkFile LAMMPS_NS::picture_of_contacts(const std::vector<ContactRow> &contacts)
{
  namespace col = ContactColumn;
  static const std::vector<Part> parts = {{"id_a", 1, VtkFile::INTEGER, col::A},
                                          {"id_b", 1, VtkFile::INTEGER, col::B},
                                          {"wall", 1, VtkFile::INTEGER, col::WALL},
                                          {"kind", 1, VtkFile::INTEGER, col::KIND},
                                          {"normal", 3, VtkFile::REAL, col::NORMAL},
                                          {"gap", 1, VtkFile::REAL, col::GAP},
                                          {"normal_force", 1, VtkFile::REAL, col::FORCE},
                                          {"friction_force", 3, VtkFile::REAL, col::FRICTION},
                                          {"slipping", 1, VtkFile::INTEGER, col::SLIPPING},
                                          {"slid", 1, VtkFile::REAL, col::SLID}};
  VtkFile file(VtkFile::VERTS);
  add_arrays(&file.of_points, parts);
  for (const ContactRow &c : contacts) {
    file.add_cell({file.add_point(pd_v_load(&c[col::X]))});
    add_values(&file.of_points, parts, c);
  }
  return file;
}

VtkFile LAMMPS_NS::picture_of_chains(const std::vector<ContactRow> &contacts)
{
  namespace col = ContactColumn;
  static const std::vector<Part> of_cells = {{"id_a", 1, VtkFile::INTEGER, col::A},
                                             {"id_b", 1, VtkFile::INTEGER, col::B},
                                             {"wall", 1, VtkFile::INTEGER, col::WALL}};
  static const std::vector<Part> of_points = {{"normal_force", 1, VtkFile::REAL, col::FORCE}};
  VtkFile file(VtkFile::LINES);
  add_arrays(&file.of_cells, of_cells);
  add_arrays(&file.of_points, of_points);
  for (const ContactRow &c : contacts) {
    std::vector<int64_t> line;
    for (int at : {(int)col::CENTRE_A, (int)col::X, (int)col::CENTRE_B})
      if (at != col::CENTRE_B || c[col::WALL] == 0.0)
        line.push_back(file.add_point(pd_v_load(&c[at])));
    file.add_cell(line);
    add_values(&file.of_cells, of_cells, c);
    add_values(&file.of_points, of_points, c, (int)line.size());
  }
  return file;
}

/* ---- walls ---- */

static void add_wall(VtkFile *file, const WallSet *set, const pd_wall &w, pd_vec3 low, pd_vec3 high)
{
  const pd_mat3 turn = pd_q_matrix(w.q);
  if (w.kind == PD_SURFACE) {
    const pd_mesh surface = set->drawn(w);
    return add_triangles(file, &surface, w.x, turn);
  }
  std::vector<int64_t> corners;
  for (pd_vec3 x : plane_polygon(w.x, pd_mv(turn, w.normal), low, high))
    corners.push_back(file->add_point(x));
  if (!corners.empty()) file->add_cell(corners);
}

VtkFile LAMMPS_NS::picture_of_walls(const std::vector<WallSet *> &walls, pd_vec3 low, pd_vec3 high)
{
  VtkFile file(VtkFile::POLYS);
  file.of_cells = {{"fix", 1, VtkFile::INTEGER, {}}, {"wall", 1, VtkFile::INTEGER, {}}};
  file.of_points = {{"velocity", 3, VtkFile::REAL, {}}};
  for (size_t i = 0; i < walls.size(); i++) {
    const std::vector<pd_wall> &all = walls[i]->walls();
    for (size_t k = 0; k < all.size(); k++) {
      const pd_wall &w = all[k];
      const int64_t points = file.count_points(), cells = file.count_cells();
      add_wall(&file, walls[i], w, low, high);
      for (int64_t p = points; p < file.count_points(); p++)
        file.of_points[0].add(pd_add(w.v, pd_cross(w.w, pd_sub(file.point(p), w.x))));
      for (int64_t c = cells; c < file.count_cells(); c++) {
        file.of_cells[0].add((double)i + 1.0);
        file.of_cells[1].add((double)k + 1.0);
      }
    }
  }
  return file;
}
