/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/image_triangles.h"

#include "lammps/host/image_objects.h"

using namespace LAMMPS_NS;

/* of a triangle */
static constexpr int NUMBERS = 10;

void ImageTriangles::add_triangle(int type, pd_vec3 a, pd_vec3 b, pd_vec3 c)
{
  const size_t at = number.size();
  number.resize(at + NUMBERS);
  number[at] = type;
  pd_v_store(&number[at + 1], a);
  pd_v_store(&number[at + 4], b);
  pd_v_store(&number[at + 7], c);
}

void ImageTriangles::add(int type, const pd_mesh &surface, pd_vec3 x, const pd_mat3 &turn)
{
  for (int t = 0; t < surface.nt; t++) {
    pd_vec3 corner[3];
    for (int k = 0; k < 3; k++) corner[k] = pd_add(x, pd_mv(turn, surface.v[surface.t[t][k]]));
    add_triangle(type, corner[0], corner[1], corner[2]);
  }
}

void ImageTriangles::add_polygon(int type, const std::vector<pd_vec3> &corners)
{
  for (size_t k = 2; k < corners.size(); k++)
    add_triangle(type, corners[0], corners[k - 1], corners[k]);
}

int ImageTriangles::give(int *&objects, double **&parameters)
{
  const size_t n = number.size() / NUMBERS;
  kind.assign(n, Compat::IMAGE_TRIANGLE);
  row.resize(n);
  for (size_t i = 0; i < n; i++) row[i] = &number[NUMBERS * i];
  objects = kind.data();
  parameters = row.data();
  return (int)n;
}

double ImageTriangles::bytes() const
{
  return (double)(number.capacity() * sizeof(double) + kind.capacity() * sizeof(int) +
                  row.capacity() * sizeof(double *));
}
