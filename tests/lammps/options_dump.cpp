/* SPDX-License-Identifier: GPL-2.0-or-later
 * Prints the tables of options, fields separated by tabs:
 *   option STYLE LIST KEYWORD VALUES RANGES UNITS DEFAULT MEANING    one line for each option
 *   syntax STYLE LIST KEYWORD LINE                                   a line that its page has to
 * have VALUES, RANGES and UNITS have a word or a text per value, separated by "; ". DEFAULT is -
 * for what has to be given. tests/docs compares them with the pages. It also reads the defaults,
 * and fails if one of them cannot be read. */
#include "lammps/options/tables.h"

#include <cstdio>

using namespace LAMMPS_NS::Options;

static std::string name_of(const Value &v) { return v.name ? v.name : "-"; }

static std::string range_of(const Value &v)
{
  if (v.kind == COMPONENT) return "number or v_name";
  if (v.kind == VARIABLE) return "v_name or NULL";
  return v.range.text();
}

static std::string joined(const std::vector<std::string> &parts, const char *separator)
{
  std::string text;
  for (size_t i = 0; i < parts.size(); i++) text += (i ? separator : "") + parts[i];
  return text;
}

template <typename F> static std::string of_values(const Row &row, F field)
{
  std::vector<std::string> parts;
  for (const Value &v : row.values) parts.push_back(field(v));
  return joined(parts, "; ");
}

/* meaning, unit and range, as a page says them */
static std::string about(const Value &v, const std::string &meaning)
{
  const bool own = v.unit && std::string(v.unit) == "degrees"; /* no quantity of LAMMPS's units */
  const std::string unit = v.unit ? std::string(" (") + v.unit + (own ? ")" : " units)") : "";
  const std::string range = range_of(v);
  return meaning + unit + (range.empty() ? "" : ", " + range);
}

/* the words of a value, that which another value follows with its name, and the number beside them
 */
static std::string choices(const Row &row)
{
  const Value &v = row.values[0];
  std::vector<std::string> words = split(v.words);
  for (const Value &other : row.values)
    for (std::string &w : words)
      if (other.after && w == other.after) w += std::string(" ") + other.name;
  if (v.kind == INTEGER) words.push_back(v.name);
  return joined(words, " or ");
}

/* NAME or NAME,NAME,... = about, values that are alike together */
static std::vector<std::string> value_lines(const Row &row)
{
  std::vector<std::string> lines;
  for (size_t k = 0, end; k < row.values.size(); k = end) {
    const Value &v = row.values[k];
    std::string names = v.name ? v.name : "";
    for (end = k + 1; end < row.values.size() && row.values[end].meaning && v.meaning &&
                      about(row.values[end], row.values[end].meaning) == about(v, v.meaning);
         end++)
      names += std::string(",") + row.values[end].name;
    if (v.name && v.meaning) lines.push_back(names + " = " + about(v, v.meaning));
  }
  return lines;
}

/* what the page says about an option: KEYWORD value = ... and the lines of its values */
static std::vector<std::string> syntax(const Row &row)
{
  if (row.values.empty()) return {};
  const Value &v = row.values[0];
  std::vector<std::string> names;
  for (const Value &w : row.values) names.push_back(name_of(w));
  const bool several = row.values.size() > 1;
  const std::string key = row.key + std::string(several ? " values = " : " value = ");
  std::vector<std::string> lines = value_lines(row);
  const std::string what = v.words             ? choices(row)
                           : several || v.name ? joined(names, " ")
                                               : about(v, row.meaning);
  lines.insert(lines.begin(), key + what);
  return lines;
}

static void print(const Table &t, const Row &row)
{
  const std::string place = std::string(t.style) + "\t" + t.list + "\t" + row.key;
  const auto unit = [](const Value &v) { return std::string(v.unit ? v.unit : "-"); };
  printf("option\t%s\t%s\t%s\t%s\t%s\t%s\n", place.c_str(), of_values(row, name_of).c_str(),
         of_values(row, range_of).c_str(), of_values(row, unit).c_str(),
         row.otherwise.text ? row.otherwise.text : "-", row.meaning);
  for (const std::string &line : syntax(row))
    printf("syntax\t%s\t%s\n", place.c_str(), line.c_str());
}

/* a text for messages that replaces a list of words has to have them all */
static bool sound(const Row &row)
{
  bool ok = true;
  for (const Value &v : row.values)
    for (const std::string &w : split(v.rule && v.kind == WORD ? v.words : ""))
      ok = ok && std::string(v.rule).find(w) != std::string::npos;
  if (!ok) fprintf(stderr, "%s: a word is not in its message\n", row.key);
  return ok;
}

int main()
{
  bool ok = true;
  for (const Table *t : tables()) {
    defaults(*t, [](const Given &) {});
    for (const Row &row : t->rows) {
      print(*t, row);
      ok = sound(row) && ok;
    }
  }
  return ok ? 0 : 1;
}
