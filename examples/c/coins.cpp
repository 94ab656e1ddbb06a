// Collect the coins, in C++ with SDL2: arrow keys push, space dashes, escape ends. The game runs equal steps of 1/60 s, draws smoothly at
// any frame rate, and pauses while its window is hidden. With --script it plays scripted events at 30, 60, 144 and 240 frames a second, and
// fails unless all four runs end in the same state.
//
//     c++ -std=c++17 examples/c/coins.cpp -o coins $(sdl2-config --cflags --libs) && ./coins
#include <SDL.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "../../bindings/c/evenstep.h"

namespace {

constexpr float SIZE[2] = {960.0F, 540.0F};
constexpr std::uint64_t MILLISECOND = 1'000'000;

struct body {
    float position[2];
    float rotation[2] = {1.0F, 0.0F}; // cosine and sine
};

enum { SHIP, COIN, BODIES };

// The simulation. A step depends on the state before it and on the step's input only.
struct game {
    body bodies[BODIES] = {{{480.0F, 270.0F}}, {{700.0F, 270.0F}}};
    float speed[2] = {0.0F, 0.0F};
    std::uint32_t coins = 0, seed = 7;

    // Returns whether the coin was caught and is elsewhere now.
    bool step(const es_input &input, float dt) {
        constexpr std::uint32_t KEYS[2][2] = {{SDL_SCANCODE_LEFT, SDL_SCANCODE_RIGHT}, {SDL_SCANCODE_UP, SDL_SCANCODE_DOWN}};
        const auto dashes = static_cast<float>(es_input_presses(&input, SDL_SCANCODE_SPACE));
        body &ship = bodies[SHIP], &coin = bodies[COIN];
        float away[2];
        for (int axis = 0; axis < 2; axis++) {
            const float back = es_input_is_down(&input, KEYS[axis][0]) ? 1.0F : 0.0F;
            const float push = (es_input_is_down(&input, KEYS[axis][1]) ? 1.0F : 0.0F) - back;
            float &at = ship.position[axis];
            speed[axis] += push * (1500.0F * dt + 300.0F * dashes) - 1.5F * dt * speed[axis];
            at += speed[axis] * dt;
            if (at < 16.0F || at > SIZE[axis] - 16.0F) {
                at = at < 16.0F ? 16.0F : SIZE[axis] - 16.0F;
                speed[axis] *= -0.8F;
            }
            away[axis] = at - coin.position[axis];
        }
        const float cosine = coin.rotation[0];
        coin.rotation[0] = 0.9986295F * cosine - 0.0523360F * coin.rotation[1]; // 3 degrees a step
        coin.rotation[1] = 0.9986295F * coin.rotation[1] + 0.0523360F * cosine;
        if (away[0] * away[0] + away[1] * away[1] > 32.0F * 32.0F) return false;
        coins++;
        for (int axis = 0; axis < 2; axis++) {
            seed = seed * 1664525U + 1013904223U;
            coin.position[axis] = 40.0F + static_cast<float>(seed >> 16) / 65536.0F * (SIZE[axis] - 80.0F);
        }
        return true;
    }
};

void draw(SDL_Renderer *renderer, const body (&bodies)[BODIES]) {
    const body &ship = bodies[SHIP], &coin = bodies[COIN];
    const float width = 16.0F + 16.0F * coin.rotation[0];
    const SDL_FRect there = {ship.position[0] - 16.0F, ship.position[1] - 16.0F, 32.0F, 32.0F};
    const SDL_FRect wanted = {coin.position[0] - width / 2.0F, coin.position[1] - 16.0F, width, 32.0F};
    SDL_SetRenderDrawColor(renderer, 18, 24, 38, 255);
    SDL_RenderClear(renderer);
    SDL_SetRenderDrawColor(renderer, 250, 200, 60, 255);
    SDL_RenderFillRectF(renderer, &wanted);
    SDL_SetRenderDrawColor(renderer, 90, 170, 250, 255);
    SDL_RenderFillRectF(renderer, &there);
    SDL_RenderPresent(renderer);
}

// The program: passes the window's events to the input, and the time of each frame to the loop.
struct app {
    SDL_Renderer *renderer;
    es_loop loop{};
    es_input input{};
    game simulated, before;
    bool is_running = true, is_hidden = false;

    explicit app(SDL_Renderer *to) : renderer(to) { es_loop_init(&loop, 60, 1); }

    void handle(const SDL_Event &event) {
        const std::uint64_t time = event.common.timestamp * MILLISECOND;
        const auto key = static_cast<std::uint32_t>(event.key.keysym.scancode);
        if (event.type == SDL_QUIT || (event.type == SDL_KEYDOWN && key == SDL_SCANCODE_ESCAPE)) is_running = false;
        if (event.type == SDL_KEYDOWN) es_input_press(&input, key, time);
        if (event.type == SDL_KEYUP) es_input_release(&input, key, time);
        if (event.type != SDL_WINDOWEVENT) return;
        switch (event.window.event) {
        case SDL_WINDOWEVENT_FOCUS_LOST: es_input_release_all(&input, time); break; // releases now go to another window
        case SDL_WINDOWEVENT_HIDDEN:
        case SDL_WINDOWEVENT_MINIMIZED: is_hidden = true; break;
        case SDL_WINDOWEVENT_SHOWN:
        case SDL_WINDOWEVENT_RESTORED: is_hidden = false; break;
        default: break;
        }
    }

    // The time is that of the clock that stamps events.
    void run_frame(std::uint64_t now) {
        const bool was_hidden = is_hidden;
        SDL_Event event;
        while (SDL_PollEvent(&event)) handle(event);
        if (was_hidden && !is_hidden) es_loop_resume(&loop, ES_BACKLOG_KEEP); // it was hidden until now
        const es_frame frame = es_loop_begin_frame(&loop, now);
        es_input_begin_frame(&input, &loop);
        for (const es_step step : frame) {
            es_input_begin_step(&input, &step);
            before = simulated;
            const bool is_caught = simulated.step(input, static_cast<float>(step.dt));
            if (is_caught) before.bodies[COIN] = simulated.bodies[COIN]; // a teleport is not drawn as a motion
        }
        if (!was_hidden && is_hidden) es_loop_pause(&loop);
        body drawn[BODIES];
        const es_rows rows = {BODIES, sizeof(body), sizeof(body)};
        es_blend_floats(rows, drawn->position, before.bodies->position, simulated.bodies->position, 2, frame.alpha);
        es_blend_rot2s(rows, drawn->rotation, before.bodies->rotation, simulated.bodies->rotation, frame.alpha);
        draw(renderer, drawn);
    }
};

void play(SDL_Window *window, SDL_Renderer *renderer) {
    const Uint64 hertz = SDL_GetPerformanceFrequency();
    const Uint64 zero = SDL_GetPerformanceCounter() - SDL_GetTicks64() * (hertz / 1000); // events are stamped from here on
    app app(renderer);
    while (app.is_running) {
        char title[64];
        if (app.is_hidden) SDL_WaitEventTimeout(nullptr, 100);
        const Uint64 counts = SDL_GetPerformanceCounter() - zero;
        app.run_frame(counts / hertz * 1'000'000'000 + counts % hertz * 1'000'000'000 / hertz);
        std::snprintf(title, sizeof title, "Coins: %" PRIu32, app.simulated.coins);
        SDL_SetWindowTitle(window, title);
    }
}

constexpr Uint32 SCRIPT[][3] = {
    {100, SDL_KEYDOWN, SDL_SCANCODE_RIGHT}, {1203, SDL_KEYDOWN, SDL_SCANCODE_SPACE}, {1207, SDL_KEYUP, SDL_SCANCODE_SPACE},
    {1500, SDL_KEYUP, SDL_SCANCODE_RIGHT}, {1511, SDL_KEYDOWN, SDL_SCANCODE_UP}, {2000, SDL_WINDOWEVENT, SDL_WINDOWEVENT_HIDDEN},
    {2500, SDL_KEYUP, SDL_SCANCODE_UP}, {3000, SDL_WINDOWEVENT, SDL_WINDOWEVENT_SHOWN}, {3333, SDL_KEYDOWN, SDL_SCANCODE_LEFT},
    {4444, SDL_WINDOWEVENT, SDL_WINDOWEVENT_FOCUS_LOST}, {4700, SDL_KEYDOWN, SDL_SCANCODE_DOWN}, {6000, SDL_QUIT, 0}};

// Plays the script at a frame rate in hertz. Returns the hash of the game's last state.
std::uint64_t play_script(SDL_Renderer *renderer, std::uint64_t hertz, std::uint64_t &ticks) {
    app app(renderer);
    app.loop.is_filtered = false; // its times are exact
    std::size_t next = 0;
    for (std::uint64_t number = 0; app.is_running; number++) {
        const std::uint64_t now = number * 1'000'000'000 / hertz;
        for (; next < std::size(SCRIPT) && SCRIPT[next][0] * MILLISECOND <= now; next++) {
            SDL_Event event{};
            event.type = SCRIPT[next][1];
            event.common.timestamp = SCRIPT[next][0];
            if (event.type == SDL_WINDOWEVENT) event.window.event = static_cast<Uint8>(SCRIPT[next][2]);
            if (event.type != SDL_WINDOWEVENT) event.key.keysym.scancode = static_cast<SDL_Scancode>(SCRIPT[next][2]);
            SDL_PeepEvents(&event, 1, SDL_ADDEVENT, 0, 0); // SDL_PushEvent would stamp it with the real time
        }
        app.run_frame(now);
    }
    unsigned char bytes[sizeof(game)];
    std::memcpy(bytes, &app.simulated, sizeof bytes);
    std::uint64_t hash = 14695981039346656037U; // FNV-1a
    for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211U;
    ticks = app.loop.tick;
    std::printf("%4d Hz  %016" PRIx64 "  %d steps, %d coins\n", static_cast<int>(hertz), hash, static_cast<int>(ticks),
                static_cast<int>(app.simulated.coins));
    return app.simulated.coins > 0 ? hash : hertz;
}

} // namespace

int main(int count, char **arguments) {
    const bool is_scripted = count > 1 && std::strcmp(arguments[1], "--script") == 0;
    SDL_Window *window = nullptr;
    SDL_Renderer *renderer = nullptr;
    if (SDL_Init(SDL_INIT_VIDEO) == 0) {
        const int width = static_cast<int>(SIZE[0]), height = static_cast<int>(SIZE[1]);
        window = SDL_CreateWindow("Coins: 0", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height, 0);
    }
    if (window != nullptr) {
        renderer = SDL_CreateRenderer(window, -1, is_scripted ? SDL_RENDERER_SOFTWARE : SDL_RENDERER_PRESENTVSYNC);
    }
    if (renderer == nullptr) {
        std::fprintf(stderr, "SDL: %s\n", SDL_GetError());
        return EXIT_FAILURE;
    }
    bool is_right = true;
    if (is_scripted) {
        SDL_EventState(SDL_WINDOWEVENT, SDL_IGNORE); // ignore the real window's events
        std::uint64_t ticks = 0;
        const std::uint64_t hash = play_script(renderer, 30, ticks);
        for (const std::uint64_t hertz : {60, 144, 240}) is_right = play_script(renderer, hertz, ticks) == hash && ticks == 300 && is_right;
    } else {
        play(window, renderer);
    }
    SDL_DestroyRenderer(renderer);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
