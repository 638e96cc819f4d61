/* SPDX-License-Identifier: MIT
 * Sums over the terms of one sample of the contact set, with their tangents, and the way of both
 * into the result. Forces are generalised, in the order (f_A, torque_A, f_B, torque_B). */
#ifndef PD_SAMPLE_H
#define PD_SAMPLE_H

#include "base/blocks.h"
#include "contact/force/evaluation.h"

/* How near the point of contact on a face is to a border beyond which other features are closest:
 * 1 there, 0 from PD_BORDER activation distances on; slope: by the convective coordinates of the
 * face. All zero: nowhere near. */
typedef struct pd_at_border {
  double near, slope[2];
} pd_at_border;

typedef struct pd_sample_sum {
  int key[2];             /* of its memory, as in pd_friction_record */
  pd_at_border at_border; /* of the term that is added next, ENERGY_MOMENTUM */
  double energy;          /* sum of w phi */
  double force[12];       /* sum of w N J^T n; without damping where the scheme keeps that apart */
  double elastic[12];     /* sum of w f_n J^T n: minus the gradient of energy */
  double damping[12];     /* where the scheme keeps it apart */
  pd_em_state state;  /* of the potential, where the scheme asks for it; not its force and energy */
  pd_vec3 resultant;  /* sum of w N n, on A; without damping where that is kept apart */
  pd_grad dresultant; /* its derivative, if friction and tangent are wanted */
  pd_grad ddamping;   /* the same for the force of damping on A, where that is kept apart */
  pd_vec3 friction;   /* force on A */
  pd_vec3 grip;       /* lever about A's centre at which it acts */
  pd_friction_history history;
  double weight;    /* sum of |w| f_n */
  double stiff;     /* sum of -w df_n/dg, force/length */
  pd_vec3 point;    /* sum of |w| f_n times the point of contact as a lever about A's centre */
  double strongest; /* largest |w| f_n, and the kind of its term */
  pd_contact_kind kind;
  double power;             /* taken by damping, energy/time */
  double dpower[12];        /* its derivative, where the scheme keeps damping apart */
  double taken, dtaken[12]; /* the same of those terms that take energy */
  double drop,
      ddrop[12];    /* of the potential by the normal motion of the step, and its derivative */
  double along[12]; /* elastic forces times the ways along which the pair does not bear */
  double mingap;
  int active;
} pd_sample_sum;

/* tangents -d force/dq: of force, and of damping where the scheme keeps it apart, else NULL */
typedef struct pd_tangent {
  double (*force)[12], (*damping)[12];
} pd_tangent;

PD_BEGIN_DECLS

/* An empty sum of a sample, whose key is that of its memory (pd_friction_record). */
void pd_sample_begin(int first, int second, pd_sample_sum *sum);

/* Velocity of A past B that the dashpots of a term of normal n have, NULL: the present one. */
const pd_vec3 *pd_sample_rate(const pd_evaluation *pair, const pd_sample_sum *sum, pd_vec3 n);

/* whether the sample's terms do not cancel, as those of parallel edges do */
int pd_sample_bears(const pd_sample_sum *sum);

/* The result's own tangents. */
pd_tangent pd_result_tangent(const pd_evaluation *pair);

/* Forces and energies of a sample times f; the tangents do not change. */
void pd_sample_scale(pd_sample_sum *sum, double f);

/* Adds f times the tangents k of the sample, f of derivative c row, to the tangents total: -d(f F)
 * = f k - F df. Its resultant's derivatives become those of f times them. To be called before
 * pd_sample_scale. */
void pd_sample_add_tangent(pd_sample_sum *sum, double f, double c, const double *row,
                           const pd_tangent *k, const pd_tangent *total);

/* Adds the forces and energies of a sum, and the derivatives that it holds, to those of another,
 * whose contact point stays. */
void pd_sample_add(const pd_sample_sum *sum, pd_sample_sum *to);

/* The same with the contact point: both become one contact. */
void pd_sample_join(const pd_sample_sum *sum, pd_sample_sum *to);

/* Adds a finished sample to the result and to the contacts; on_b, first, second: as in
 * pd_contact. Errors: PD_ENOMEM. */
pd_status pd_sample_finish(const pd_evaluation *pair, const pd_sample_sum *sum, int on_b, int first,
                           int second);

/* The two parts of that, for samples of several contacts: forces and energies, which are theirs
 * together; what each of them is as a contact. */
void pd_sample_add_forces(const pd_evaluation *pair, const pd_sample_sum *sum);
pd_status pd_sample_add_contact(const pd_evaluation *pair, const pd_sample_sum *sum, int on_b,
                                int first, int second);

PD_END_DECLS

#endif
