/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/options/options.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace LAMMPS_NS
{
namespace Options
{

static const double INF = std::numeric_limits<double>::infinity();

std::vector<std::string> split(const std::string &text)
{
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string w; in >> w;) words.push_back(w);
  return words;
}

std::string listed(const std::vector<std::string> &words, const char *last)
{
  std::string text;
  for (size_t i = 0; i < words.size(); i++) {
    if (i > 0) text += i + 1 < words.size() ? ", " : std::string(" ") + last + " ";
    text += words[i];
  }
  return text;
}

static std::string number_text(double x)
{
  char text[32];
  snprintf(text, sizeof(text), "%.15g", x);
  return text;
}

/* ---- ranges ---- */

Range finite() { return {-INF, INF, false, false}; }
Range above(double low) { return {low, INF, false, false}; }
Range from(double low) { return {low, INF, true, false}; }
Range infinite_above(double low) { return {low, INF, false, true}; }
Range infinite_from(double low) { return {low, INF, true, true}; }
Range infinite_below(double high) { return {-INF, high, true, false}; }
Range between(double low, double high) { return {low, high, false, false}; }
Range from_to(double low, double high) { return {low, high, true, true}; }
Range above_to(double low, double high) { return {low, high, false, true}; }

bool Range::contains(double x) const
{
  return (low_in ? x >= low : x > low) && (high_in ? x <= high : x < high);
}

std::string Range::text() const
{
  const std::string a = number_text(low), b = number_text(high);
  if (std::isinf(low)) return std::isinf(high) ? "" : (high_in ? "<= " : "< ") + b;
  if (std::isinf(high)) return (low_in ? ">= " : "> ") + a;
  if (low_in && high_in) return a + " to " + b;
  if (!low_in && !high_in) return "between " + a + " and " + b;
  return (low_in ? ">= " : "> ") + a + " and " + (high_in ? "<= " : "< ") + b;
}

/* ---- rows ---- */

static Value make(Kind kind, const Range &range, const char *words, const char *name,
                  const char *meaning, const char *unit)
{
  return {kind, range, words, unit, name, meaning, nullptr, nullptr, nullptr};
}

Value real(const Range &range, const char *name, const char *meaning, const char *unit)
{
  return make(REAL, range, nullptr, name, meaning, unit);
}

Value integer(const Range &range, const char *name, const char *meaning)
{
  return make(INTEGER, range, nullptr, name, meaning, nullptr);
}

Value integer_or(const char *words, const Range &range, const char *name, const char *meaning)
{
  return make(INTEGER, range, words, name, meaning, nullptr);
}

Value word(const char *words) { return make(WORD, finite(), words, nullptr, nullptr, nullptr); }

Value yes_no() { return make(YES_NO, finite(), "yes no", nullptr, nullptr, nullptr); }

Value name(const char *words) { return make(NAME, finite(), words, nullptr, nullptr, nullptr); }

Value other(Kind kind, const char *name, const char *meaning, const char *unit)
{
  return make(kind, finite(), nullptr, name, meaning, unit);
}

Value said_of(const char *subject, Value value)
{
  value.subject = subject;
  return value;
}

Value ruled(const char *rule, Value value)
{
  value.rule = rule;
  return value;
}

Value after(const char *word, Value value)
{
  value.after = word;
  return value;
}

Default value(const char *text) { return {text, false}; }
Default in_words(const char *text) { return {text, true}; }
Default required() { return {nullptr, true}; }

Row row(int id, const char *key, const Default &otherwise, const char *meaning,
        const std::vector<Value> &values, const char *needs)
{
  return {id, key, otherwise, meaning, values, needs};
}

Row row(const char *key, const Default &otherwise, const char *meaning,
        const std::vector<Value> &values, const char *needs)
{
  return {0, key, otherwise, meaning, values, needs};
}

const Row *Table::find(const std::string &key) const
{
  for (const Row &r : rows)
    if (key == r.key) return &r;
  return nullptr;
}

std::string Table::keys(const char *last) const
{
  std::vector<std::string> all;
  for (const Row &r : rows) all.push_back(r.key);
  return listed(all, last);
}

/* ---- messages ---- */

/* "> 0 and finite", "at least 1", "between 0 and 1": what follows after "must be" or "must" */
static std::string demand_of_range(const Value &v)
{
  const Range &r = v.range;
  const std::string low = number_text(r.low);
  if (!std::isinf(r.low) && !std::isinf(r.high))
    return "lie between " + low + " and " + number_text(r.high);
  if (v.kind == INTEGER && r.low_in && r.low >= 1.0) return "be at least " + low;
  return "be " + r.text() + (v.kind == REAL && !r.high_in ? " and finite" : "");
}

std::string Value::demand() const
{
  if (rule) return rule;
  const std::string start = subject ? std::string(subject) + " must " : "must ";
  if (kind == WORD || kind == YES_NO) return start + "be " + listed(split(words), "or");
  const std::string text = demand_of_range(*this);
  if (!words) return start + text;
  std::vector<std::string> choices = split(words);
  choices.push_back(text.compare(0, 3, "be ") ? text : text.substr(3));
  return start + "be " + listed(choices, "or");
}

static std::string joined(const std::vector<std::string> &words)
{
  std::string text;
  for (const std::string &w : words) text += " " + w;
  return text;
}

/* the word that leads to the table, with a separator, if there is one */
static std::string lead(const Table &t, const char *separator)
{
  return t.leads && *t.leads ? t.leads + std::string(separator) : "";
}

/* who, keyword and values as they were given */
static std::string place(const Table &t, const std::string &who, const Row &row,
                         const std::vector<std::string> &given)
{
  return who + ": " + lead(t, " ") + row.key + (t.leads ? "" : joined(given));
}

static bool asked_for(const Row &row, size_t k, const std::vector<std::string> &given)
{
  const char *after = row.values[k].after;
  return !after || (!given.empty() && given[0] == after);
}

/* names of several values, or what the only one means */
static std::string expected(const Row &row, size_t n)
{
  std::string text;
  for (size_t k = 0; n > 1 && k < n; k++)
    text += std::string(" ") + (row.values[k].name ? row.values[k].name : row.key);
  return n > 1 ? text : std::string(" ") + row.meaning;
}

static std::string too_few(const Table &t, const std::string &who, const Row &row,
                           const std::vector<std::string> &given)
{
  size_t n = 0;
  while (n < row.values.size() && asked_for(row, n, given)) n++;
  const bool special = row.needs && (!given.empty() || !row.values.back().after);
  const std::string shown = row.key + (special && row.values.back().after ? joined(given) : "");
  const std::string count = n == 1 ? t.need_one : std::to_string(n) + " values";
  return who + ": " + (t.leads ? lead(t, " ") : "keyword ") + shown + " needs " +
         (special ? std::string(row.needs) : count + ":" + expected(row, n));
}

std::string unknown(const Table &t, const std::string &who, const std::string &key,
                    const std::string &place)
{
  return who + ": " + lead(t, ": ") + "unknown " + t.list + " " + key +
         (place.empty() ? "" : " " + place) + "; the " + t.list + "s are " + t.keys();
}

/* ---- values ---- */

/* a number as LAMMPS takes them: no nan, no hexadecimal digits; too large ones are infinite */
static bool read_real(const std::string &text, double *x)
{
  if (text.empty() || text.find_first_not_of("0123456789-+.eE") != std::string::npos) return false;
  char *end;
  *x = strtod(text.c_str(), &end);
  return end != text.c_str() && !*end;
}

static bool read_integer(const std::string &text, double *x)
{
  return text.find_first_not_of("0123456789-+") == std::string::npos && read_real(text, x);
}

/* 1, 0, or -1 if it is neither */
static int read_yes_no(const std::string &s)
{
  if (s == "yes" || s == "on" || s == "true") return 1;
  return s == "no" || s == "off" || s == "false" ? 0 : -1;
}

static int find_word(const Value &v, const std::string &text)
{
  if (!v.words) return -1;
  const std::vector<std::string> all = split(v.words);
  const auto at = std::find(all.begin(), all.end(), text);
  return at == all.end() ? -1 : (int)(at - all.begin());
}

static std::string read_number(const Value &v, const std::string &text, double *x)
{
  const bool whole = v.kind == INTEGER;
  if (!(whole ? read_integer(text, x) : read_real(text, x)))
    return std::string("Expected ") + (whole ? "integer" : "floating point") +
           " parameter instead of '" + text + "'" +
           (v.rule || !v.range.text().empty() ? ": " + v.demand() : "");
  const bool fits = !whole || std::fabs(*x) <= INT_MAX;
  if (fits && v.range.contains(*x)) return "";
  if (!v.rule && v.range.contains(*x)) return text + " is too large for an integer";
  if (!v.rule && v.range.text().empty()) return text + " is not a finite number";
  return v.demand() + (v.subject ? ", not " + text : "");
}

static std::string read_name_of_variable(const Value &v, const std::string &text, double *x)
{
  if (text == "v_") return "v_ needs the name of a variable";
  if (text.compare(0, 2, "v_") == 0) return "";
  if (v.kind == COMPONENT) return read_number(v, text, x);
  return text == "NULL" ? "" : text + " is neither NULL nor v_name";
}

/* returns what is wrong, or an empty text */
static std::string read_value(const Value &v, const std::string &text, double *x, int *index)
{
  *x = 0.0;
  *index = find_word(v, text);
  switch (v.kind) {
  case NAME:
  case TYPES:
    return "";
  case COMPONENT:
  case VARIABLE:
    return read_name_of_variable(v, text, x);
  case YES_NO:
    *x = read_yes_no(text);
    return *x < 0.0 ? "Expected yes or no but found '" + text + "'" : "";
  case WORD:
    return *index < 0 ? v.demand() + (v.subject ? ", not " + text : "") : "";
  default:
    return *index < 0 ? read_number(v, text, x) : "";
  }
}

std::string read(const Table &table, const std::string &who, int iarg, int narg,
                 const char *const *arg, Given *given)
{
  const Row *row = table.find(arg[iarg]);
  if (!row) return unknown(table, who, arg[iarg]);
  *given = Given();
  given->row = row;
  std::vector<std::string> &text = given->text;
  for (size_t k = 0; k < row->values.size() && asked_for(*row, k, text); k++) {
    if (iarg + 1 + (int)k >= narg) return too_few(table, who, *row, text);
    text.push_back(arg[iarg + 1 + k]);
  }
  given->where = place(table, who, *row, text);
  given->next = iarg + 1 + given->count();
  given->number.resize(text.size());
  given->index.resize(text.size());
  for (size_t k = 0; k < text.size(); k++) {
    const std::string fault =
        read_value(row->values[k], text[k], &given->number[k], &given->index[k]);
    if (!fault.empty()) return given->where + ": " + fault;
  }
  return "";
}

void defaults(const Table &table, const std::function<void(const Given &)> &set)
{
  for (const Row &row : table.rows) {
    if (row.otherwise.in_words) continue;
    const std::vector<std::string> words = split(row.key + (" " + std::string(row.otherwise.text)));
    std::vector<const char *> arg;
    arg.reserve(words.size());
    for (const std::string &w : words) arg.push_back(w.c_str());
    Given given;
    const std::string fault = read(table, table.style, 0, (int)arg.size(), arg.data(), &given);
    if (!fault.empty() || given.next != (int)arg.size()) throw std::logic_error(fault);
    set(given);
  }
}

} // namespace Options
} // namespace LAMMPS_NS
