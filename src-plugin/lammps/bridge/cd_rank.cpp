/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/cd_rank.h"

#include "lammps/bridge/gathered_rows.h"

#include <algorithm>
#include <map>

using namespace LAMMPS_NS;

extern "C" void dgesvd_(const char *jobu, const char *jobvt, const int *m, const int *n, double *a,
                        const int *lda, double *s, double *u, const int *ldu, double *vt,
                        const int *ldvt, double *work, const int *lwork, int *info, size_t, size_t);

/* the rows of B of this process: for each of the two bodies its tag (0: none) and six values */
enum { SIDE = 7 };

static std::vector<double> own_rows(const ContactNetwork &network, const tagint *tag)
{
  const pd_cd_network *net = &network.net;
  std::vector<double> mine;
  for (int i = 0; i < net->ncontact; i++) {
    if (!net->contact[i].closed) continue;
    const pd_cd_row &r = net->row[i];
    mine.push_back(r.a >= 0 ? (double)tag[r.a] : 0.0);
    mine.insert(mine.end(), r.ja, r.ja + 6);
    mine.push_back(r.b >= 0 ? (double)tag[r.b] : 0.0);
    mine.insert(mine.end(), r.jb, r.jb + 6);
  }
  return mine;
}

/* the longest lever of the closed contacts */
static double longest_lever(const ContactNetwork &network)
{
  double lever = 0.0;
  for (int i = 0; i < network.net.ncontact; i++) {
    if (!network.net.contact[i].closed) continue;
    const pd_cd_row &r = network.net.row[i];
    lever = std::max(lever, pd_norm(pd_v_load(r.ja + 3)));
    lever = std::max(lever, pd_norm(pd_v_load(r.jb + 3)));
  }
  return network.max(lever);
}

/* The matrix of m rows, column by column: the columns of a body are found by its tag, those of
 * rotation are over the longest lever. */
static std::vector<double> matrix_of(const std::vector<double> &rows, int m, double lever)
{
  std::map<tagint, int> column;
  for (int i = 0; i < 2 * m; i++)
    if (rows[SIDE * (size_t)i] > 0.0) column.emplace((tagint)rows[SIDE * (size_t)i], 0);
  int k = 0;
  for (auto &c : column) c.second = 6 * k++;
  std::vector<double> a((size_t)m * 6 * k, 0.0);
  for (int i = 0; i < 2 * m; i++) {
    const double *row = &rows[SIDE * (size_t)i];
    if (!(row[0] > 0.0)) continue;
    for (int c = 0; c < 6; c++)
      a[i / 2 + (size_t)m * (column[(tagint)row[0]] + c)] +=
          row[1 + c] / (c < 3 || !(lever > 0.0) ? 1.0 : lever);
  }
  return a;
}

/* singular values of a matrix of m rows, largest first; empty if they could not be found */
static std::vector<double> singular_values(std::vector<double> *a, int m)
{
  const int cols = (int)(a->size() / m), one = 1;
  std::vector<double> s(std::min(m, cols)), work(1);
  int info, lwork = -1;
  dgesvd_("N", "N", &m, &cols, a->data(), &m, s.data(), nullptr, &one, nullptr, &one, work.data(),
          &lwork, &info, 1, 1);
  lwork = (int)work[0];
  work.resize(lwork);
  dgesvd_("N", "N", &m, &cols, a->data(), &m, s.data(), nullptr, &one, nullptr, &one, work.data(),
          &lwork, &info, 1, 1);
  if (info) s.clear();
  return s;
}

double LAMMPS_NS::network_indeterminacy(LAMMPS *lmp, const ContactNetwork &network, const char *who)
{
  const double lever = longest_lever(network);
  const std::vector<double> rows = rows_of_all(lmp, own_rows(network, lmp->atom->tag));
  const int m = (int)(rows.size() / (2 * SIDE));
  std::vector<double> a = matrix_of(rows, m, lever);
  const std::vector<double> s = singular_values(&a, m);
  if (s.empty()) lmp->error->all(FLERR, fmt::format("{}: the rank could not be found", who));
  const double least = 1e-10 * s[0];
  return m - (double)std::count_if(s.begin(), s.end(), [&](double x) { return x > least; });
}
