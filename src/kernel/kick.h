/* Half a step of velocity-Verlet, on whatever adds and multiplies: components, lanes, or whole rows of four. */
#ifndef SCREE_KERNEL_KICK_H
#define SCREE_KERNEL_KICK_H

/* v + dt/2 (F/m + g),  w + dt/2 T/I */
#define kick_velocity(v, half, inverse_mass, force, gravity) ((v) + (half) * ((inverse_mass) * (force) + (gravity)))
#define kick_spin(w, half, inverse_inertia, torque)          ((w) + (half) * ((inverse_inertia) * (torque)))
/* x + dt v */
#define kick_drift_place(x, dt, v) ((x) + (dt) * (v))

#endif
