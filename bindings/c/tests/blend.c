/* Blends rows made from a seed, by each function of the header, and compares with the core's bits, which it has if floats are IEEE's and
 * nothing is fused. blend write FILE, blend check FILE: compares with the results of another build, which may differ by three units in the
 * last place of the length of a row. C and C++. In this folder:
 *
 *     cc -O2 -ffp-contract=off blend.c -o blend -lm && ./blend
 */
#include <float.h>

#include "../evenstep.h"
#include "stored.h"

enum { ROWS = 20000 };

/* The inputs and results of one row. */
typedef struct row {
    double number[1];
    float floats[3], rot2[2], quat[4], space[16], plane[6], padding; /* a multiple of 8 bytes for every compiler */
} row;

static uint64_t state = 7;

static double between(double least, double most) { /* splitmix64, S. Vigna; exact: 24 bits of each */
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return least + (most - least) * (double)((z ^ z >> 31) >> 40) / 16777216.0;
}

/* A unit vector of whole numbers over a whole length, and small errors as an engine leaves them. */
static void any_unit(float *parts, int count) {
    double square = 0.0, length = 1.0;
    int at, round;
    for (at = 0; at < count; at++) {
        parts[at] = (float)between(-1.0, 1.0);
        square += (double)parts[at] * (double)parts[at];
    }
    for (round = 0; round < 40; round++) length = 0.5 * (length + square / length); /* Newton's: no function of a library */
    for (at = 0; at < count; at++) parts[at] = (float)((double)parts[at] / length);
}

static void any_row(struct row *body) {
    const int order = (int)between(0.0, 3.0);
    int at;
    body->number[0] = between(-1000.0, 1000.0);
    for (at = 0; at < 3; at++) body->floats[at] = (float)between(-1000.0, 1000.0);
    any_unit(body->rot2, 2);
    any_unit(body->quat, 4);
    /* Axes that are not nearly parallel, in any order and direction, turned and stretched. */
    for (at = 0; at < 16; at++) body->space[at] = at % 4 == 3 ? 0.0f : (float)between(-0.5, 0.5);
    for (at = 0; at < 3; at++) body->space[4 * at + (at + order) % 3] += between(-1.0, 1.0) < 0.0 ? -2.0f : 2.0f;
    for (at = 0; at < 6; at++) body->plane[at] = (float)between(-0.5, 0.5);
    for (at = 0; at < 2; at++) body->plane[2 * at + (at + order) % 2] += between(-1.0, 1.0) < 0.0 ? -2.0f : 2.0f;
}

/* A state a little later. */
static void turn(struct row *body) {
    int at;
    float *parts = body->quat;
    double square = 0.0;
    for (at = 0; at < 4; at++) parts[at] += (float)between(-0.05, 0.05);
    for (at = 0; at < 4; at++) square += (double)parts[at] * (double)parts[at];
    for (at = 0; at < 4; at++) parts[at] = (float)((double)parts[at] * (1.5 - 0.5 * square));
    body->rot2[0] += 0.01f * body->rot2[1];
    body->rot2[1] -= 0.01f * body->rot2[0];
    for (at = 0; at < 16; at++) body->space[at] += at % 4 == 3 ? 0.0f : (float)between(-0.05, 0.05);
}

static row older[ROWS], newer[ROWS], drawn[ROWS], expected[ROWS];
static double alphas[ROWS], angles[ROWS];

static void make(void) {
    int at;
    for (at = 0; at < ROWS; at++) {
        alphas[at] = between(0.0, 1.0);
        any_row(&older[at]);
        newer[at] = older[at];
        if (at % 2 == 0) any_row(&newer[at]);
        if (at % 2 == 1) turn(&newer[at]);
    }
}

static void blend(void) {
    const es_rows rows = {1, sizeof(row), sizeof(row)};
    int at;
    for (at = 0; at < ROWS; at++) {
        const double alpha = alphas[at];
        es_blend_doubles(rows, drawn[at].number, older[at].number, newer[at].number, 1, alpha);
        es_blend_floats(rows, drawn[at].floats, older[at].floats, newer[at].floats, 3, alpha);
        es_blend_rot2s(rows, drawn[at].rot2, older[at].rot2, newer[at].rot2, alpha);
        es_blend_quats(rows, drawn[at].quat, older[at].quat, newer[at].quat, alpha);
        es_blend_matrices(rows, drawn[at].space, older[at].space, newer[at].space, ES_MATRIX_4X4_COLUMNS, alpha);
        es_blend_matrices(rows, drawn[at].plane, older[at].plane, newer[at].plane, ES_MATRIX_2X3_COLUMNS, alpha);
        angles[at] = es_blend_angle(older[at].number[0], newer[at].number[0], 6.283185307179586, alpha);
    }
}

static void add_floats(const char *name, const float *floats, int count) {
    int at;
    for (at = 0; at < count; at++) {
        uint32_t bits;
        memcpy(&bits, &floats[at], sizeof bits);
        add(name, bits);
    }
}

static double worst;

/* By how many units in the last place two results differ: units of the length of the states that were blended. */
static void compare(const float *ours, const float *theirs, const float *from, const float *to, int count) {
    double lengths[2] = {0.0, 0.0};
    int at;
    for (at = 0; at < count; at++) {
        lengths[0] += (double)from[at] * (double)from[at];
        lengths[1] += (double)to[at] * (double)to[at];
    }
    for (at = 0; at < count; at++) {
        const double unit = sqrt(lengths[0] > lengths[1] ? lengths[0] : lengths[1]) * FLT_EPSILON;
        const double units = fabs((double)ours[at] - (double)theirs[at]) / unit;
        if (!(units <= worst)) worst = units;
    }
}

#define COMPARE(part) compare(drawn[at].part, expected[at].part, older[at].part, newer[at].part, sizeof drawn[at].part / sizeof(float))

/* The inputs and the results, to a file or from it. */
static bool write_all(FILE *file) {
    return fwrite(older, sizeof older, 1, file) == 1 && fwrite(newer, sizeof newer, 1, file) == 1 &&
           fwrite(alphas, sizeof alphas, 1, file) == 1 && fwrite(drawn, sizeof drawn, 1, file) == 1;
}

static bool read_all(FILE *file) {
    return fread(older, sizeof older, 1, file) == 1 && fread(newer, sizeof newer, 1, file) == 1 &&
           fread(alphas, sizeof alphas, 1, file) == 1 && fread(expected, sizeof expected, 1, file) == 1;
}

int main(int count, char **arguments) {
    const bool writes = count > 1 && strcmp(arguments[1], "write") == 0;
    bool is_done = true;
    int at;
    make();
    if (count > 2) {
        FILE *file = fopen(arguments[2], writes ? "wb" : "rb");
        if (file == NULL) return EXIT_FAILURE;
        if (!writes) is_done = read_all(file);
        blend();
        if (writes) is_done = write_all(file);
        if (fclose(file) != 0 || !is_done) return EXIT_FAILURE;
        if (writes) return EXIT_SUCCESS;
        for (at = 0; at < ROWS; at++) {
            const double number = fabs(drawn[at].number[0] - expected[at].number[0]) / (1000.0 * DBL_EPSILON);
            if (!(number <= worst)) worst = number;
            COMPARE(floats);
            COMPARE(rot2);
            COMPARE(quat);
            COMPARE(space);
            COMPARE(plane);
        }
        printf("at most %.2f units in the last place\n", worst);
        return worst <= 3.0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    blend();
    begin_calls(STORED_UNITS * CALLS);
    for (at = 0; at < ROWS; at++) {
        char name[64];
        uint64_t bits;
        memcpy(&bits, drawn[at].number, sizeof bits);
        add("es_blend_doubles", bits);
        memcpy(&bits, &angles[at], sizeof bits);
        add("es_blend_angle", bits);
        add_floats("es_blend_floats", drawn[at].floats, 3);
        add_floats("es_blend_rot2s", drawn[at].rot2, 2);
        add_floats("es_blend_quats", drawn[at].quat, 4);
        add_floats("es_blend_matrices in space", drawn[at].space, 16);
        add_floats("es_blend_matrices in the plane", drawn[at].plane, 6);
        snprintf(name, sizeof name, "row %d", at);
        end_call((uint64_t)at, name);
    }
    return compared(ROWS, "rows");
}
