/* SPDX-License-Identifier: Apache-2.0 */
/* Version recorded by every program and every <stage>.json. */
#ifndef PORTAFLOW_VERSION_H
#define PORTAFLOW_VERSION_H
#define PORTAFLOW_VERSION "0.1.0"
#endif
