/* SPDX-License-Identifier: MIT
 * A vertex in a concave corner: what it meets there are several contacts, each of which has
 * friction of its own (doc/theory.md, 8). */
#ifndef PD_CORNER_H
#define PD_CORNER_H

#include "contact/set/vertex_sample.h"

PD_BEGIN_DECLS

/* Evaluates what has been counted, with friction, into the result: as one contact, or as several
 * where it faces ways that do not belong to one patch. Errors: PD_ENOMEM, PD_ETOUCH, PD_ENAN. */
pd_status pd_vertex_contacts(pd_vertex_sample *s);

PD_END_DECLS

#endif
