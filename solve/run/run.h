/* The time loop: batches of steps, monitors, convergence, divergence, cycles. Knows no file and no device.
 *
 * With heat the change is the larger one of velocity and temperature, the balance that of flows or of heat; it is not
 * averaged. Steady: runs until `change` <= tolerance and the flows balance to 0.1 %, or to the step limit.
 *   change = |u(t) - u(t - N)| / |u(t)| * T / N (L2 over the cells), T = radius / velocity of the reference, in steps:
 *   the relative change of the velocity field while the blood moves on by one radius; in creeping flow, where that
 *   takes longer than viscosity needs to cross the radius, in that time.
 * Acceleration: every mix_every steps the run goes on from a mix of its last states (anderson.h). It has ended when a
 * whole window of plain steps passed below the tolerance. Mixes that make matters worse are taken back, and where
 * residuals have not fallen for 48 windows, or windows grow as often as they fall, it is switched off, as in flows that
 * are not steady. A run that was stopped
 * begins with no states to mix, so it ends with the same answer within the tolerance, not with the same bits.
 * A flow that does not become steady is a result as well: when the change has stopped falling (fluctuation.h) and the
 * slowest ways to settle have had their time, the openings and the fields are averaged until the standard error of
 * every pressure and flow is below 1 % (`unsteady`), or until it is seen to stay where it is (`quiet`). A flow of which
 * mixing was switched off, or that begins with the mean of an unsteady one, is averaged at once, and has ended as soon
 * as a window of two passages through the vessel
 * has pressures and flows that vary, but neither drift nor calm down (run_average.c). A run for a start and an error
 * estimate (share_steps) ends sooner still. Where the program chose the step, a run that becomes too fast for
 * it or diverges goes on with a shorter one from its present state or the last good one, and one that stays slow with a
 * longer one (hooks.retime); a pulsatile one that diverges goes on from the start of the cycle with half the step.
 * The mass correction of the wall links is set at the first monitor of a steady run that begins with a flow, else about
 * once in a period of the slowest sound in the box, so that the walls would have kept the mass: what came in through
 * the openings minus what stayed, over the number of wall
 * links. (Followed more closely, sound in a wide vessel at low viscosity grows.) In pulsatile flow it goes, over each
 * cycle, to what the one before took. The rule of a given flow that leaves
 * lets a little more or less through than it is asked for (kernels/link.h; 0.3 % at 17 cells across): in steady flow it
 * is asked for so much more, the same part at all such openings, that it balances the others. Pulsatile: at least
 * `cycles` cycles; the last one, whose instants are stored, begins when the velocity field at the end of a cycle
 * differs from that of the cycle before by at most 1 % and as much is left of its way (settling_cycles_left), at the
 * latest after 3 * cycles; hooks.restless hears of a flow
 * that will not. */
#ifndef PORTAFLOW_RUN_H
#define PORTAFLOW_RUN_H
#include "solve/run/run_settings.h"

/* `from` NULL: start at rest; otherwise go on from there (slots already written to the backend), with the statistics
 * and good states that the result holds. A run that was stopped and goes on ends with the bits of one in one go.
 * Errors: ERR_NUMERIC on divergence (step, place, what to do), or what a hook returned. */
MUST_CHECK int run(const run_settings *r, const run_progress *from, run_result *result);
#endif
