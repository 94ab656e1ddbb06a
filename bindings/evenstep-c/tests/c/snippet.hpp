// What the C++ of the book finds around it, included by a program whose body is that code. It ends after thirty frames of 5 ms.
#ifndef SNIPPET_HPP
#define SNIPPET_HPP

#include <evenstep.hpp>

#include <algorithm>
#include <chrono>
#include <thread>

static int drawn = 0;

static struct {
    explicit operator bool() const { return drawn < 30; }
} const running;

static inline void draw(double) {
    drawn++;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

#endif
