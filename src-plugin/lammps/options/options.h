/* SPDX-License-Identifier: GPL-2.0-or-later
 * What can be written after a command: options as rows of tables, and their reader. Free of LAMMPS,
 * so that the tables can be printed and compared with the pages of doc/. */
#ifndef POLYHEDRA_OPTIONS_H
#define POLYHEDRA_OPTIONS_H

#include <functional>
#include <string>
#include <vector>

namespace LAMMPS_NS
{
namespace Options
{

enum Kind {
  REAL,
  INTEGER,   /* or one of the words of the value, if it has any */
  WORD,      /* one of the words of the value */
  YES_NO,    /* LAMMPS's words for both */
  NAME,      /* of a file, a fix, a group; words: those that the style may know */
  TYPES,     /* atom type or range of types, for utils::bounds */
  COMPONENT, /* number or v_name */
  VARIABLE   /* NULL or v_name */
};

struct Range {
  double low, high;
  bool low_in, high_in; /* whether the ends belong to it */

  bool contains(double x) const;
  /* as the pages have it: "> 0", "between 0 and 1" (without the ends), "0 to 1" (with them); empty
   * where every number will do */
  std::string text() const;
};

/* An infinite number is no value of these but where "infinite" is said: there the law as a whole,
 * or what is done with the number, decides. */
Range finite();
Range above(double low);
Range from(double low);
Range infinite_above(double low);
Range infinite_from(double low);
Range infinite_below(double high);
Range between(double low, double high);
Range from_to(double low, double high);
Range above_to(double low, double high);

/* One value of an option. Texts are not owned; those that are not given are NULL. */
struct Value {
  Kind kind;
  Range range;
  const char *words;   /* choices, separated by blanks */
  const char *unit;    /* as the pages have it: "distance" for distance units */
  const char *name;    /* of one value among several */
  const char *meaning; /* of one value among several */
  const char *subject; /* of the sentence about the range in messages */
  const char *rule;    /* that sentence itself, where it is no more than one about the range */
  const char *after;   /* the value follows after this word of the first one only */

  /* what the value must be, for messages */
  std::string demand() const;
};

/* name and meaning: NULL for the only value of an option, which has those of the option */
Value real(const Range &range, const char *name = nullptr, const char *meaning = nullptr,
           const char *unit = nullptr);
Value integer(const Range &range, const char *name = nullptr, const char *meaning = nullptr);
Value integer_or(const char *words, const Range &range, const char *name, const char *meaning);
Value word(const char *words);
Value yes_no();
Value name(const char *words = nullptr);
Value other(Kind kind, const char *name, const char *meaning, const char *unit = nullptr);

/* the same value with a text for messages; only after a word of the first value */
Value said_of(const char *subject, Value value);
Value ruled(const char *rule, Value value);
Value after(const char *word, Value value);

/* What holds without the option: values as they would be written, or a text about them. */
struct Default {
  const char *text;
  bool in_words;
};
Default value(const char *text);
Default in_words(const char *text);
Default required();

/* One option: keyword, values, default, meaning. */
struct Row {
  int id; /* for the style that the option belongs to */
  const char *key;
  Default otherwise;
  const char *meaning;
  std::vector<Value> values;
  const char *needs; /* what is missing, in the message about too few values; NULL: their number */
};

/* id: may be left out where the key tells the options of a table apart */
Row row(int id, const char *key, const Default &otherwise, const char *meaning,
        const std::vector<Value> &values, const char *needs = nullptr);
Row row(const char *key, const Default &otherwise, const char *meaning,
        const std::vector<Value> &values, const char *needs = nullptr);

/* The options that can stand at one place of a command. */
struct Table {
  const char *style;    /* the command, as in the title of its page */
  const char *list;     /* what the page calls them: keyword, wall, source ... */
  const char *need_one; /* "a value" or "1 value", in the message about too few */
  const char *leads;    /* the key begins another grammar: messages show it after this word, which
                           may be empty, without its values; else NULL */
  std::vector<Row> rows;

  const Row *find(const std::string &key) const;
  /* "scheme, newmark and tol" */
  std::string keys(const char *last = "and") const;
};

/* One option as it was given. */
struct Given {
  const Row *row = nullptr;
  std::string where; /* start of messages about it */
  std::vector<std::string> text;
  std::vector<double> number; /* REAL, INTEGER, YES_NO and COMPONENT */
  std::vector<int> index;     /* of the word, -1 if it is none */
  int next = 0;               /* argument after the option */

  int id() const { return row->id; }
  double real(int k = 0) const { return number[k]; }
  int integer(int k = 0) const { return (int)number[k]; }
  bool yes() const { return number[0] != 0.0; }
  int word() const { return index[0]; }
  int count() const { return (int)text.size(); }
};

/* Reads the option at arg[iarg], which has to be in the table. who: start of messages. Returns an
 * empty text, or what is wrong: keyword, values given, what they must be. */
std::string read(const Table &table, const std::string &who, int iarg, int narg,
                 const char *const *arg, Given *given);

/* "unknown keyword K" and the keywords that there are, where: words about the place, may be empty
 */
std::string unknown(const Table &table, const std::string &who, const std::string &key,
                    const std::string &place = "");

/* Gives the defaults that are values to set, in the order of the table. They must be sound. */
void defaults(const Table &table, const std::function<void(const Given &)> &set);

/* words of a text, separated by blanks */
std::vector<std::string> split(const std::string &text);

/* "a, b or c" for the word "or" */
std::string listed(const std::vector<std::string> &words, const char *last);

} // namespace Options
} // namespace LAMMPS_NS

#endif
