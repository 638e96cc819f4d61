/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/support_motion.h"

#include "lammps/bridge/step_communication.h"

using namespace LAMMPS_NS;

const SupportMotion::Motion SupportMotion::STILL = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};

static bool moves(const SupportMotion::Motion &m) { return pd_norm2(m.v) + pd_norm2(m.w) > 0.0; }

/* what moves by that at one place, at another one */
static SupportMotion::Motion moved_to(const SupportMotion::Motion &m, pd_vec3 from, pd_vec3 to)
{
  return {pd_add(m.v, pd_cross(m.w, pd_sub(to, from))), m.w};
}

SupportMotion::Motion SupportMotion::at(int body) const
{
  return known[body] ? motion[body] : STILL;
}

void SupportMotion::begin(const pd_system &sys)
{
  known.assign(sys.nbody, 0);
  driven.assign(sys.nbody, 0);
  anchored.assign(sys.nbody, 0);
  motion.assign(sys.nbody, STILL);
  for (int i = 0; i < sys.nbody; i++) {
    const pd_body &b = sys.body[i];
    anchored[i] = !b.mobile || b.wall || pd_constraint_any(&b.constraint);
    if (b.mobile || b.wall) continue;
    known[i] = 1;
    if (b.prescribed) motion[i] = {b.start.v, b.start.w};
  }
}

/* what one side is fixed to, the other one is, too */
bool SupportMotion::anchor(const pd_contact_pair &p)
{
  const bool other = p.wall || anchored[p.b];
  if (other == (anchored[p.a] != 0)) return false;
  anchored[p.a] = 1;
  if (!p.wall) anchored[p.b] = 1;
  return true;
}

bool SupportMotion::carry(const pd_system &sys, int body, const Motion &by, const Rests &rests)
{
  const pd_body &b = sys.body[body];
  if (!b.mobile || !b.owned || b.wall || known[body] || !rests(body, by)) return false;
  known[body] = 1;
  motion[body] = by;
  return true;
}

/* whether one side carries the other one, which was not known before */
bool SupportMotion::spread(const pd_system &sys, int pair, const Rests &rests)
{
  const pd_contact_pair &p = sys.pair[pair];
  const pd_vec3 a = sys.body[p.a].start.x;
  if (p.wall) {
    const pd_wall &w = sys.wall[p.b];
    const Motion by = moved_to({w.v, w.w}, w.x, a);
    if (moves(by)) driven[p.a] = 1;
    return carry(sys, p.a, by, rests);
  }
  const pd_vec3 b = sys.body[p.b].start.x;
  if (sys.body[p.b].prescribed) driven[p.a] = 1;
  if (sys.body[p.a].prescribed) driven[p.b] = 1;
  if (known[p.b]) return carry(sys, p.a, moved_to(motion[p.b], b, a), rests);
  return known[p.a] && carry(sys, p.b, moved_to(motion[p.a], a, b), rests);
}

/* ghosts have what their owners have */
void SupportMotion::forward(int nbody, StepCommunication *processes)
{
  double *carried = processes->carrier(nbody);
  for (int i = 0; i < nbody; i++) {
    carried[6 * i] = known[i];
    carried[6 * i + 1] = anchored[i];
  }
  processes->forward_atoms(carried);
  for (int i = 0; i < nbody; i++) {
    known[i] = (char)(carried[6 * i] != 0.0);
    anchored[i] = (char)(carried[6 * i + 1] != 0.0);
  }
  for (int i = 0; i < nbody; i++) {
    pd_v_store(carried + 6 * i, motion[i].v);
    pd_v_store(carried + 6 * i + 3, motion[i].w);
  }
  processes->forward_atoms(carried);
  for (int i = 0; i < nbody; i++)
    motion[i] = {pd_v_load(carried + 6 * i), pd_v_load(carried + 6 * i + 3)};
}

void SupportMotion::find(const pd_system &sys, StepCommunication *processes, const Rests &rests)
{
  begin(sys);
  forward(sys.nbody, processes);
  for (bool more = true; more;) {
    more = false;
    for (int k = 0; k < sys.contacts.nactive; k++) {
      const int i = sys.contacts.active_pair[k];
      if (!pd_response_of(&sys, i)->active) continue;
      more |= anchor(sys.pair[i]);
      more |= spread(sys, i, rests);
    }
    more = processes->anywhere(more);
    if (more) forward(sys.nbody, processes);
  }
}
