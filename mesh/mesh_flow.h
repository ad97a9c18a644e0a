/* The potential flow through the lattice: where it is narrowest and fastest, and whether that is fine enough. */
#ifndef PORTAFLOW_MESH_FLOW_H
#define PORTAFLOW_MESH_FLOW_H
#include "mesh/mesh_job.h"
#include <cjson/cJSON.h>

/* The potential flow through a lattice of the case's openings; flow.known is false where no flow is given. Errors:
 * ERR_RESOURCE, those of a waveform */
MUST_CHECK int mesh_flow(const case_file *c, const lattice *l, potential_flow_result *flow);
/* Tell the narrowest and the fastest place, and warn where the lattice is too coarse for them */
void mesh_flow_tell(const mesh_job *j);
/* "narrowest" and "fastest" into result, null where the flow is not known */
void mesh_flow_json(const mesh_job *j, cJSON *result);
extern const double mesh_few_cells, mesh_fine_cells; /* across: below the first there is a warning */
extern const double mesh_peak_cell_reynolds;         /* above it nothing is accurate */
#endif
