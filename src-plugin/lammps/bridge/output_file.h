/* SPDX-License-Identifier: GPL-2.0-or-later
 * A file for writing, whose failures are errors that name it. */
#ifndef POLYHEDRA_OUTPUT_FILE_H
#define POLYHEDRA_OUTPUT_FILE_H

#include "lammps/host/agree.h"

#include "utils.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace LAMMPS_NS
{

/* All throw LocalError. */
class OutputFile
{
public:
  OutputFile(const std::string &name, const char *mode)
      : path(name), file(fopen(name.c_str(), mode))
  {
    if (!file)
      throw LocalError(fmt::format("Cannot open {} for writing: {}", path, strerror(errno)));
  }
  ~OutputFile()
  {
    if (file) fclose(file);
  }
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  void put(const std::string &text) { fwrite(text.data(), 1, text.size(), file); }
  void seek_end(long offset) { fseek(file, offset, SEEK_END); }

  void close()
  {
    const bool failed = ferror(file);
    const bool lost = fclose(file) != 0;
    file = nullptr;
    if (failed || lost) throw LocalError(fmt::format("Writing {} failed, is the disk full?", path));
  }

private:
  const std::string path;
  FILE *file;
};

} // namespace LAMMPS_NS

#endif
