/* Potential flow through the lattice: minimum cross-section, largest velocity, and whether the lattice resolves
 * them. */
#ifndef PORTAFLOW_MESH_FLOW_H
#define PORTAFLOW_MESH_FLOW_H
#include "mesh/mesh_job.h"
#include <cjson/cJSON.h>

/* flow.known is false without a prescribed flow. Errors: ERR_RESOURCE, those of waveform_read */
MUST_CHECK int mesh_flow(const case_file *c, const lattice *l, potential_flow_result *flow);
/* Reports minimum and fastest cross-section; warns if the lattice is too coarse for them */
void mesh_flow_tell(const mesh_job *j);
/* Adds "narrowest" and "fastest" to result; null if the flow is unknown */
void mesh_flow_json(const mesh_job *j, cJSON *result);
/* cells per diameter: warning below the first; the second is the default goal */
extern const double mesh_few_cells, mesh_fine_cells;
extern const double mesh_peak_cell_reynolds; /* limit of the cell Reynolds number for accurate results */
#endif
