/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/grading_file.h"

#include "lammps/bridge/gathered_rows.h"
#include "lammps/options/parse.h"

#include <cmath>
#include <fstream>
#include <sstream>

using namespace LAMMPS_NS;

/* a line with an opening and the part that passes; empty lines and # are left out */
static bool read_sieve(const std::string &line, double &opening, double &passing)
{
  std::istringstream in(line.substr(0, line.find('#')));
  std::string rest;
  if (!(in >> opening)) {
    in.clear();
    if (in >> rest) throw LocalError("expected the opening of a sieve and what passes");
    return false;
  }
  if (!(in >> passing) || in >> rest)
    throw LocalError("expected the opening of a sieve and what passes");
  return true;
}

static void check_sieve(const std::vector<double> &list, double opening, double passing)
{
  const size_t n = list.size();
  if (!(opening > 0.0 && std::isfinite(opening)))
    throw LocalError("the opening of a sieve must be > 0");
  if (n == 0 && passing != 0.0)
    throw LocalError("nothing must pass the finest sieve: begin with the size of the smallest "
                     "grains, and 0");
  if (n > 0 && !(opening > list[n - 2] && passing >= list[n - 1]))
    throw LocalError("openings must ascend, and what passes must not descend");
}

/* openings and what passes in turn */
static std::vector<double> read_sieves(const std::string &path)
{
  std::ifstream file(path);
  if (!file) throw LocalError(fmt::format("{}: cannot open file", path));
  std::vector<double> list;
  std::string line;
  for (int number = 1; std::getline(file, line); number++) {
    double opening, passing;
    try {
      if (!read_sieve(line, opening, passing)) continue;
      check_sieve(list, opening, passing);
    } catch (const LocalError &fault) {
      throw LocalError(fmt::format("{}: {}, line {}", path, fault.what(), number));
    }
    list.push_back(opening);
    list.push_back(passing);
  }
  if (list.size() < 4 || (list.back() != 1.0 && list.back() != 100.0))
    throw LocalError(fmt::format("{}: at least two sieves are needed, and all must pass the widest "
                                 "one: 1, or 100 per cent",
                                 path));
  return list;
}

static Grading read_curve(LAMMPS *lmp, const Options::Given &given)
{
  Grading g = {PD_SIEVES, 0.0, 0.0, {}, {}};
  std::vector<double> list;
  all_together(lmp, FLERR, [&] {
    if (lmp->comm->me) return;
    try {
      list = read_sieves(given.text[0]);
    } catch (const LocalError &fault) {
      throw LocalError(given.where + ": " + fault.what());
    }
  });
  list = rows_of_all(lmp, list);
  for (size_t i = 0; i < list.size(); i += 2) {
    g.opening.push_back(list[i]);
    g.passing.push_back(list[i + 1] / list.back());
  }
  return g;
}

Grading LAMMPS_NS::read_grading(LAMMPS *lmp, const Options::Given &given)
{
  if (given.id() == Options::Sizes::SIEVES) return read_curve(lmp, given);
  const bool uniform = given.id() == Options::Sizes::UNIFORM;
  Grading g = {uniform ? PD_UNIFORM : PD_LOGNORMAL, given.number[0], given.number[1], {}, {}};
  const pd_grading view = g.view();
  if (pd_grading_check(&view))
    Options::refuse(lmp, given, "the largest size must not be below the smallest");
  return g;
}
