/* Compares what calls answer with the core's answers: each number of the first calls with stored/random-scripts-calls.txt, and a hash of all
 * with stored/random-scripts.txt. Included by scripts.c and blend.c, which run in this folder. C and C++. */
#ifndef STORED_H
#define STORED_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STORED "../../../stored/random-scripts"

enum { CALLS = 33 };         /* of a script */
enum { STORED_UNITS = 300 }; /* the number of scripts, and of rows, that have lines */
enum { WHOLE = 24 };         /* the first of each, whose lines have all numbers; in the others a character stands for a number */

static uint64_t hash;
static struct {
    const char *names[64];
    uint64_t numbers[64];
    int count;
} answer;
static FILE *stored_calls;
static int stored_line;
static bool is_as_stored = true;

static uint64_t mixed(uint64_t into, uint64_t number) {
    into = (into ^ number) * UINT64_C(0x9e3779b185ebca87);
    return into << 27 | into >> 37;
}

/* Adds a number that a call answers, with its name. */
static void add(const char *name, uint64_t number) {
    hash = mixed(hash, number);
    if (answer.count < 64) {
        answer.names[answer.count] = name;
        answer.numbers[answer.count++] = number;
    }
}

static FILE *open_stored(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "%s: cannot be read; run this in bindings/c/tests\n", path);
        exit(EXIT_FAILURE);
    }
    return file;
}

static const char *next_stored(void) {
    static char line[2048];
    if (fgets(line, sizeof line, stored_calls) == NULL) line[0] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    stored_line++;
    return line;
}

/* Opens the stored calls, and skips this number of lines. */
static void begin_calls(int lines) {
    stored_calls = open_stored(STORED "-calls.txt");
    while (stored_line < lines) next_stored();
}

static void differs(const char *call, const char *name) {
    is_as_stored = false;
    fprintf(stderr, STORED "-calls.txt:%d: %s: %s: ", stored_line, call, name);
}

/* Ends a call of a script or row: the first answer that differs from the core's is named. */
static void end_call(uint64_t unit, const char *call) {
    static const char DIGITS[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-";
    const int count = answer.count;
    int at;
    answer.count = 0;
    if (unit >= STORED_UNITS || !is_as_stored) return;
    const char *expected = next_stored();
    if (unit < WHOLE) {
        for (at = 0; at < count && is_as_stored; at++) {
            char *end;
            const uint64_t number = strtoull(expected, &end, 10);
            if (end == expected || number != answer.numbers[at]) {
                differs(call, answer.names[at]);
                fprintf(stderr, "expected %.*s, got %" PRIu64 "\n", (int)(end - expected), expected, answer.numbers[at]);
            }
            expected = end;
        }
        if (is_as_stored && *expected != '\0') {
            differs(call, "its last number");
            fprintf(stderr, "expected more numbers:%s\n", expected);
        }
    } else {
        uint64_t of_call = 0;
        for (at = 0; at < count; at++) of_call = mixed(of_call, answer.numbers[at]);
        if (expected[0] != DIGITS[of_call >> 58]) {
            differs(call, "its numbers");
            fprintf(stderr, "expected others, whose check is %s, got", expected);
            for (at = 0; at < count; at++) fprintf(stderr, " %" PRIu64, answer.numbers[at]);
            fprintf(stderr, "\n");
        }
    }
}

/* Compares the hash of all numbers. Returns what main returns. */
static int compared(int units, const char *of) {
    char line[64], got[64];
    FILE *file = open_stored(STORED ".txt");
    snprintf(got, sizeof got, "%d %016" PRIx64, units, hash);
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (atoi(line) != units) continue;
        if (strcmp(line, got) != 0) fprintf(stderr, STORED ".txt: %d %s: expected %s, got %s\n", units, of, line, got);
        else if (is_as_stored) {
            printf("%d %s have the core's results\n", units, of);
            return EXIT_SUCCESS;
        }
        return EXIT_FAILURE;
    }
    fprintf(stderr, STORED ".txt: there is no line of %d %s\n", units, of);
    return EXIT_FAILURE;
}

#endif
