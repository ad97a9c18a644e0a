/* What rank 0 tells the others, and how arrays travel. */
#ifndef PORTAFLOW_RANKS_WIRE_H
#define PORTAFLOW_RANKS_WIRE_H
#include "common/base/must_check.h"
#include "solve/core/backend.h"
#include "solve/ranks/part.h"
#include "solve/ranks/transport.h"

/* Every call of backend_table that all ranks take part in. */
enum wire_what {
    WIRE_CREATE,
    WIRE_DESTROY,
    WIRE_STEP,
    WIRE_GAIN,
    WIRE_SUMS,
    WIRE_MOMENTS,
    WIRE_READ,
    WIRE_WRITE,
    WIRE_KEEP,
    WIRE_MIX,
    WIRE_GPUS,
    WIRE_END
};
enum { WIRE_DENSITY = 1, WIRE_VELOCITY = 2, WIRE_STRESS = 4 }; /* which moments */

typedef struct {
    int32_t what, number; /* number: steps, which moments, the exit code */
    double gain;
} wire_command;

/* What a part is computed with; direct: every rank has a GPU of its own and NCCL, so that
 * they exchange by themselves. */
typedef struct {
    char device[32];
    int32_t direct;
    backend_settings settings;
} wire_settings;

/* Answer to a command that may fail. */
typedef struct {
    int32_t rc;
    char sentence[1024];
} wire_answer;

const transport *wire(void); /* of this process, NULL: alone */

/* All fail with ERR_RESOURCE when the other rank is lost. */
MUST_CHECK int wire_send(int to, const void *data, size_t bytes);
MUST_CHECK int wire_recv(int from, void *data, size_t bytes);
/* Rank 0: a command to all others; their answers, all of them: `mine` or the first that failed. */
MUST_CHECK int wire_tell(const wire_command *c);
MUST_CHECK int wire_answers(int mine);
/* Rank 0: rc of something in whose middle the others may be now; how long steps took, to know when a rank is lost. */
void wire_astray(int rc);
void wire_stepped(double seconds);
MUST_CHECK int wire_part_send(int to, const part *p);
MUST_CHECK int wire_part_recv(int from, part *p);
/* Lets the halo of a part that computes here exchange through MPI; direct: as in wire_settings. */
void wire_halo(halo *h, bool direct);
/* What this machine has for each of its ranks, of WIRE_GPU and WIRE_NCCL; rank 0: what all machines have. */
enum { WIRE_GPU = 1, WIRE_NCCL = 2 }; /* a GPU; the library by which GPUs exchange, too */
int32_t wire_gpu(void);
MUST_CHECK int wire_gpus(int32_t *all);
/* A device for this rank: the local ones in turn. */
MUST_CHECK int wire_device(const char *name, const backend_table **table);
#endif
