/* SPDX-License-Identifier: Apache-2.0 */
/* Perfusion of the liver by portal blood, from the model of two compartments (common/liver/compartments.h). */
#ifndef PORTAFLOW_POST_READOUTS_PERFUSION_H
#define PORTAFLOW_POST_READOUTS_PERFUSION_H
#include "common/case/case.h"
#include "common/liver/compartments.h"
#include <cjson/cJSON.h>

enum { PERFUSION_NAME = 64 };

/* What one portal branch feeds, or what is in one label of the liver. */
typedef struct {
    char name[PERFUSION_NAME]; /* outlet of the branch, or name of the label; "": none */
    int value;                 /* number in territories.nii.gz, or label */
    double flow_ml_s, volume_ml;
    double pressure_pa;       /* portal compartment above the hepatic veins: at the end of a branch, mean of a label */
    double end_mm[3], off_mm; /* of a branch: place of its end, LPS, and its distance from the liver */
} perfusion_part;

typedef struct {
    const case_readout *liver; /* borrowed; NULL: the case has no compartments, or the flow of an outlet is not known */
    liver_grid g;
    compartments_law law;
    double *pressure_pa; /* [2][g.n] portal, hepatic; relative to the hepatic veins */
    double *share;       /* [n_branch][g.n] share of each branch in the blood of each cell */
    int n_branch;
    perfusion_part *branch;
    int n_label; /* 0: the liver has one label */
    perfusion_part *label;
    double flow_ml_s;       /* exchange of the whole liver */
    double balance;         /* exchange over inflow, minus 1 */
    double lobules_pa_s_m3; /* resistance by the lobule law */
    /* pressure drops in the compartments, in addition to the drop in the lobules */
    double portal_loss_pa, hepatic_loss_pa;
} perfusion;

void perfusion_free(perfusion *f); /* safe on a zeroed struct */
/* Portal perfusion, mL/min/mL; the flow may belong to a part of the liver. */
double perfusion_ml_min_ml(double flow_ml_s, double volume_ml);
/* The perfusion of one cell, mL/min/mL, and the branch that brings most of its blood. */
double perfusion_of_cell(const perfusion *f, int64_t cell);
int perfusion_branch_of_cell(const perfusion *f, int64_t cell);
/* Adds the key "liver" to readouts.json. */
void perfusion_add_json(cJSON *object, const perfusion *f);
#endif
