/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/vtk_file.h"

#include "lammps/bridge/output_file.h"

#include <cstring>

using namespace LAMMPS_NS;

static bool little_endian()
{
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 1;
}

std::string LAMMPS_NS::start_of_vtk(const char *type)
{
  return fmt::format("<?xml version=\"1.0\"?>\n<VTKFile type=\"{}\" version=\"1.0\" "
                     "byte_order=\"{}\" header_type=\"UInt64\">\n",
                     type, little_endian() ? "LittleEndian" : "BigEndian");
}

/* Three bytes are four digits of six bits; the end is filled up with '='. */
static std::string base64(const std::vector<unsigned char> &bytes)
{
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = bytes.size() - i;
    const unsigned b = left > 1 ? bytes[i + 1] : 0, c = left > 2 ? bytes[i + 2] : 0;
    const unsigned three = (unsigned)bytes[i] << 16 | b << 8 | c;
    text += digit[three >> 18];
    text += digit[three >> 12 & 63];
    text += left > 1 ? digit[three >> 6 & 63] : '=';
    text += left > 2 ? digit[three & 63] : '=';
  }
  return text;
}

/* their number of bytes stands before the values, in the same text */
template <typename T> static std::string encoded(const std::vector<T> &values)
{
  const uint64_t size = values.size() * sizeof(T);
  std::vector<unsigned char> bytes(sizeof size + size);
  memcpy(bytes.data(), &size, sizeof size);
  if (size) memcpy(bytes.data() + sizeof size, values.data(), size);
  return base64(bytes);
}

static std::string text_of(double x) { return fmt::format("{:.17g}", x); }
static std::string text_of(int64_t n) { return fmt::format("{}", n); }

static const char *type_of(const std::vector<double> &) { return "Float64"; }
static const char *type_of(const std::vector<int64_t> &) { return "Int64"; }

template <typename T>
static void put_array(OutputFile *out, const std::string &name, int width,
                      const std::vector<T> &values, bool binary)
{
  out->put(fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" "
                       "format=\"{}\">\n",
                       type_of(values), name, width, binary ? "binary" : "ascii"));
  if (binary) out->put(encoded(values) + "\n");
  for (size_t i = 0; i < values.size() && !binary; i++)
    out->put(text_of(values[i]) + ((i + 1) % width ? " " : "\n"));
  out->put("</DataArray>\n");
}

static void put_data(OutputFile *out, const char *place, const std::vector<VtkFile::Array> &arrays,
                     bool binary)
{
  out->put(fmt::format("<{}>\n", place));
  for (const VtkFile::Array &a : arrays) {
    if (a.kind == VtkFile::REAL) {
      put_array(out, a.name, a.width, a.values, binary);
      continue;
    }
    put_array(out, a.name, a.width, std::vector<int64_t>(a.values.begin(), a.values.end()), binary);
  }
  out->put(fmt::format("</{}>\n", place));
}

int64_t VtkFile::add_point(pd_vec3 x)
{
  points.insert(points.end(), {x.x, x.y, x.z});
  return count_points() - 1;
}

void VtkFile::add_cell(const std::vector<int64_t> &numbers)
{
  connectivity.insert(connectivity.end(), numbers.begin(), numbers.end());
  offsets.push_back((int64_t)connectivity.size());
}

void VtkFile::write(const std::string &path, bool binary) const
{
  static const char *const section[] = {"Verts", "Lines", "Polys"};
  const auto count = [this](Cells c) { return c == cells ? offsets.size() : 0; };
  OutputFile out(path, "w");
  out.put(start_of_vtk("PolyData"));
  out.put(fmt::format("<PolyData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" "
                      "NumberOfLines=\"{}\" NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
                      count_points(), count(VERTS), count(LINES), count(POLYS)));
  put_data(&out, "PointData", of_points, binary);
  put_data(&out, "CellData", of_cells, binary);
  out.put("<Points>\n");
  put_array(&out, "Points", 3, points, binary);
  out.put(fmt::format("</Points>\n<{}>\n", section[cells]));
  put_array(&out, "connectivity", 1, connectivity, binary);
  put_array(&out, "offsets", 1, offsets, binary);
  out.put(fmt::format("</{}>\n</Piece>\n</PolyData>\n</VTKFile>\n", section[cells]));
  out.close();
}
