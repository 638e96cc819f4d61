/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/fingerprint.h"

#include "force.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

using namespace LAMMPS_NS;

/* relative; masses and laws that follow from sizes may differ by rounding on another machine */
static constexpr double TOLERANCE = 1.0e-9;
/* first line of the text */
static const char *const HEAD = "fingerprints of polyhedra 1";
/* sums over the vertices */
static constexpr int NSUM = 4;

long FingerprintSource::next()
{
  static long last = 0;
  return ++last;
}

Fingerprint LAMMPS_NS::fingerprint_of(const Fix *fix)
{
  return {fix->id, fmt::format("fix {} {}", fix->id, fix->style), "", {}};
}

/* ---- surfaces ---- */

/* from -1 to 1, the same on every machine */
static double weight(uint64_t k)
{
  k = (k + 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
  k = (k ^ (k >> 27)) * 0x94d049bb133111ebull;
  return (double)(int32_t)(k >> 32) / 2147483648.0;
}

std::vector<double> LAMMPS_NS::surface_numbers(const pd_shape *shape, const pd_vec3 *v, double size)
{
  uint64_t hash = 14695981039346656037ull;
  for (int i = 0; i < shape->nt; i++)
    for (int corner : shape->t[i]) hash = (hash ^ (uint64_t)corner) * 1099511628211ull;
  std::vector<double> list = {(double)shape->nv, (double)shape->nt, (double)(hash >> 32),
                              (double)(uint32_t)hash};
  for (int n = 0; n < NSUM; n++) {
    double sum = 0.0;
    for (int i = 0; i < shape->nv; i++) {
      const uint64_t first = 3 * ((uint64_t)i * NSUM + n);
      sum += weight(first) * v[i].x + weight(first + 1) * v[i].y + weight(first + 2) * v[i].z;
    }
    list.push_back(sum / size);
  }
  return list;
}

/* ---- all of them ---- */

Fingerprints LAMMPS_NS::collect_fingerprints(LAMMPS *lmp)
{
  Fingerprints all;
  const Modify *modify = lmp->modify;
  for (int i = 0; i < modify->nfix; i++)
    if (auto *source = dynamic_cast<FingerprintSource *>(modify->fix[i]))
      source->add_fingerprints(&all);
  Pair *pair = lmp->force->pair_match("polyhedron", 1);
  if (auto *source = dynamic_cast<FingerprintSource *>(pair)) source->add_fingerprints(&all);
  return all;
}

/* three lines of text and one of numbers for each */
std::string LAMMPS_NS::fingerprints_as_text(const Fingerprints &all)
{
  std::string text = fmt::format("{}\n", HEAD);
  for (const Fingerprint &f : all) {
    text += fmt::format("{}\n{}\n{}\n", f.subject, f.what, f.value);
    for (const double x : f.numbers) text += fmt::format("{:.17g} ", x);
    text += "\n";
  }
  return text;
}

static std::vector<double> numbers_of_line(const std::string &line)
{
  std::vector<double> list;
  const char *at = line.c_str();
  for (char *end;; at = end) {
    const double x = strtod(at, &end);
    if (end == at) return list;
    list.push_back(x);
  }
}

bool LAMMPS_NS::fingerprints_of_text(const std::string &text, Fingerprints *all)
{
  std::vector<std::string> lines;
  for (size_t from = 0, to; (to = text.find('\n', from)) != std::string::npos; from = to + 1)
    lines.push_back(text.substr(from, to - from));
  if (lines.size() % 4 != 1 || lines[0] != HEAD) return false;
  for (size_t k = 1; k < lines.size(); k += 4)
    all->push_back({lines[k], lines[k + 1], lines[k + 2], numbers_of_line(lines[k + 3])});
  return true;
}

/* ---- comparison ---- */

static bool same(double a, double b)
{
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::fabs(a - b) <= TOLERANCE * std::max(std::fabs(a), std::fabs(b));
}

static bool same(const Fingerprint &a, const Fingerprint &b)
{
  return a.numbers.size() == b.numbers.size() &&
         std::equal(a.numbers.begin(), a.numbers.end(), b.numbers.begin(),
                    [](double x, double y) { return same(x, y); });
}

static std::string on_purpose(const std::string &subject)
{
  return fmt::format("if that is meant: fix_modify POLYHEDRON_RESTART changed {}", subject);
}

static std::string is_gone(const Fingerprint &old)
{
  if (!old.value.empty())
    return fmt::format("{}, {} in the restart file, is no longer there: define it again; {}",
                       old.what, old.value, on_purpose(old.subject));
  return fmt::format("{} has its state in the restart file, but there is no such fix: define it "
                     "with this ID, before the first command that initialises (run, minimize ...); "
                     "{}",
                     old.what, on_purpose(old.subject));
}

std::string LAMMPS_NS::first_difference(const Fingerprints &before, const Fingerprints &now,
                                        const std::vector<std::string> &changed)
{
  for (const Fingerprint &old : before) {
    if (std::count(changed.begin(), changed.end(), old.subject)) continue;
    const auto found = std::find_if(now.begin(), now.end(), [&old](const Fingerprint &f) {
      return f.subject == old.subject && f.what == old.what;
    });
    if (found == now.end()) return is_gone(old);
    if (!same(old, *found))
      return fmt::format("{} was {} in the restart file and is {}: use what it was; {}", old.what,
                         old.value, found->value, on_purpose(old.subject));
  }
  return "";
}
