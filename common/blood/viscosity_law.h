/* SPDX-License-Identifier: Apache-2.0 */
/* Dynamic viscosity mu of blood as a function of the shear rate g (key `blood`).
 *
 *   newtonian        mu = infinite
 *   carreau-yasuda   mu = infinite + (zero - infinite) (1 + (time g)^width)^((power - 1) / width)              (1)
 *   casson           mu = (sqrt(yield / g) + sqrt(infinite))^2                                                 (2)
 *   power-law        mu = consistency g^(power - 1)                                                            (3)
 *   quemada          mu = infinite / (1 - k H / 2)^2,  k = (k0 + k1 sqrt(g / gc)) / (1 + sqrt(g / gc))         (4)
 *
 * H: haematocrit. `infinite` of (4) is the viscosity of plasma.
 *
 * Parameter sets, mPa s and s:
 *   cho-kensey  (1) with width 2 (Carreau): 3.45, 56, 3.313, power 0.3568        Cho and Kensey 1991
 *   abraham     (1) 3.5, 160, 8.2, width 0.64, power 0.2128                      Abraham, Behr, Heinkenschloss 2005
 *   shibeshi    (2) 3.8, yield 4.97 mPa; (3) 14.67 mPa s^n, power 0.7755         Shibeshi and Collins 2005
 *   cokelet     (4) plasma 1.2; k0, k1 and gc are exponentials of polynomials in H    Quemada 1978; Cokelet 1987
 * The values of cho-kensey are from the paper. The other values are from secondary sources.
 * Test: tests/unit/common/test_viscosity_law.c */
#ifndef PORTAFLOW_VISCOSITY_LAW_H
#define PORTAFLOW_VISCOSITY_LAW_H

enum viscosity_model {
    VISCOSITY_NEWTONIAN,
    VISCOSITY_CARREAU_YASUDA,
    VISCOSITY_CASSON,
    VISCOSITY_POWER_LAW,
    VISCOSITY_QUEMADA,
    VISCOSITY_UNKNOWN /* no law: case_check replaces it by newtonian (case_file.blood.unknown) */
};
#define VISCOSITY_MODELS "newtonian|carreau-yasuda|casson|power-law|quemada|unknown" /* in the order of the enum */
enum viscosity_set { VISCOSITY_CHO_KENSEY, VISCOSITY_ABRAHAM, VISCOSITY_SHIBESHI, VISCOSITY_COKELET };
#define VISCOSITY_SETS "cho-kensey|abraham|shibeshi|cokelet" /* in the order of the enum */

/* Shear rate in 1/s at which a law gives the viscosity of the case where no flow is known. */
#define VISCOSITY_NOMINAL_RATE   100.0
#define VISCOSITY_HEMATOCRIT     0.45 /* default haematocrit */
#define VISCOSITY_HEMATOCRIT_LOW 0.2  /* haematocrit range of `cokelet` */
#define VISCOSITY_HEMATOCRIT_TOP 0.65

typedef struct {
    int model;                                      /* enum viscosity_model */
    double infinite_pa_s, zero_pa_s, time_s, width; /* of eq. (1); infinite_pa_s also of (2) and (4) */
    double power;                                   /* exponent in eq. (1) and (3) */
    double yield_pa, consistency_pa_sn;
    double hematocrit, k0, k1, critical_1_s; /* of eq. (4) */
} viscosity_law;

/* Law of constant viscosity. */
viscosity_law viscosity_law_newtonian(double viscosity_pa_s);
/* Law of a model. set: enum viscosity_set, which must fit the model (viscosity_law_fits). hematocrit: only for
 * quemada. */
viscosity_law viscosity_law_of(int model, int set, double hematocrit);
/* 1 if the set has parameters of the model. */
int viscosity_law_fits(int model, int set);
/* Default parameter set of a model other than newtonian. */
int viscosity_law_default_set(int model);

/* Viscosity in Pa s at a shear rate above 0. It never grows with the rate. Casson and the power law tend to infinity
 * at rate 0. */
double viscosity_law_pa_s(const viscosity_law *l, double rate_1_s);
/* Shear rate in 1/s, 1e-9 to 1e7, at which the shear stress (viscosity times shear rate) is stress_pa. */
double viscosity_law_rate_1_s(const viscosity_law *l, double stress_pa);
/* Viscosity at the wall of a developed flow of mean velocity U in a round section of diameter D, where the shear rate
 * of Newtonian blood is 8 U / D. At U = 0 the rate is 1e-3 1/s. */
double viscosity_law_wall_pa_s(const viscosity_law *l, double mean_velocity_m_s, double diameter_m);
#endif
