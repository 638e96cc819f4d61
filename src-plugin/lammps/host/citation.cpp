/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/host/citation.h"

#include "citeme.h"
#include "lammps.h"

namespace LAMMPS_NS
{
static const char polyhedra[] = "Polyhedra with a barrier law, implicit steps (plugin polyhedra): "
                                "https://doi.org/10.1007/s40571-021-00415-z\n\n"
                                "@Article{GayNeto2021,\n"
                                " author =  {Gay Neto, Alfredo and Wriggers, Peter},\n"
                                " title =   {Discrete element model for general polyhedra},\n"
                                " journal = {Computational Particle Mechanics},\n"
                                " year =    {2021},\n"
                                " doi =     {10.1007/s40571-021-00415-z}\n"
                                "}\n\n";

static const char compatible_forces[] =
    "Contact dynamics and compatible forces (plugin polyhedra): "
    "https://arxiv.org/abs/1805.07437\n\n"
    "@Article{OlsenKamrin2018,\n"
    " author =  {Olsen, Tyler and Kamrin, Ken},\n"
    " title =   {Resolving force indeterminacy in contact dynamics using compatibility "
    "conditions},\n"
    " journal = {arXiv:1805.07437},\n"
    " year =    {2018}\n"
    "}\n\n";

static void cite(LAMMPS *lmp, const char *reference)
{
  if (lmp->citeme) lmp->citeme->add(reference);
}

void cite_polyhedra(LAMMPS *lmp) { cite(lmp, polyhedra); }
void cite_compatible_forces(LAMMPS *lmp) { cite(lmp, compatible_forces); }
} // namespace LAMMPS_NS
