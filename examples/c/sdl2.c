/* Collect the coins, with SDL2: arrow keys push, space dashes, escape ends. The game runs equal steps of 1/60 s, draws smoothly at any
 * frame rate, and pauses while its window is hidden. With --script it plays scripted events at 30, 60, 144 and 240 frames a
 * second, and fails unless all four runs end in the same state. */
#include <SDL.h>
#include <evenstep.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 960, HEIGHT = 540, SHIP = 0, COIN = 1, ROWS = 2 };

typedef struct game {
    float rows[ROWS][4]; /* x, y, cosine and sine of ship and coin */
    float speed[2];
    uint32_t coins, seed;
} game;

typedef struct app {
    SDL_Window *window;
    SDL_Renderer *renderer;
    es_timestep timestep;
    es_input input;
    es_poses poses;
    game game;
    uint64_t ticks;
    bool running, is_hidden;
} app;

static void check(es_status status) {
    if (status < 0) {
        fprintf(stderr, "evenstep: %s\n", es_status_text(status));
        exit(EXIT_FAILURE);
    }
}

/* The new state depends on the previous state and on the step's input only. Returns whether the coin was caught. */
static bool step(game *game, es_input input, float dt) {
    static const uint32_t KEYS[2][2] = {{SDL_SCANCODE_LEFT, SDL_SCANCODE_RIGHT}, {SDL_SCANCODE_UP, SDL_SCANCODE_DOWN}};
    static const float SIZE[2] = {WIDTH, HEIGHT};
    float *ship = game->rows[SHIP], *coin = game->rows[COIN], away[2];
    uint32_t dashes;
    check(es_input_presses(input, SDL_SCANCODE_SPACE, &dashes));
    for (int axis = 0; axis < 2; axis++) {
        bool back, on;
        check(es_input_is_down(input, KEYS[axis][0], &back));
        check(es_input_is_down(input, KEYS[axis][1], &on));
        const float push = (on ? 1.0F : 0.0F) - (back ? 1.0F : 0.0F);
        game->speed[axis] += push * (1500.0F * dt + 300.0F * (float)dashes) - 1.5F * dt * game->speed[axis];
        ship[axis] += game->speed[axis] * dt;
        if (ship[axis] < 16.0F || ship[axis] > SIZE[axis] - 16.0F) {
            ship[axis] = ship[axis] < 16.0F ? 16.0F : SIZE[axis] - 16.0F;
            game->speed[axis] *= -0.8F;
        }
        away[axis] = ship[axis] - coin[axis];
    }
    const float cosine = coin[2];
    coin[2] = 0.9986295F * cosine - 0.0523360F * coin[3]; /* 3 degrees a step */
    coin[3] = 0.9986295F * coin[3] + 0.0523360F * cosine;
    if (away[0] * away[0] + away[1] * away[1] > 32.0F * 32.0F) return false;
    game->coins++;
    for (int axis = 0; axis < 2; axis++) {
        game->seed = game->seed * 1664525U + 1013904223U;
        coin[axis] = 40.0F + (float)(game->seed >> 16) / 65536.0F * (SIZE[axis] - 80.0F);
    }
    return true;
}

static void handle(app *app, const SDL_Event *event) {
    const int64_t time = (int64_t)event->common.timestamp * 1000000;
    const uint32_t key = (uint32_t)event->key.keysym.scancode;
    const Uint8 what = event->window.event;
    if (event->type == SDL_QUIT || (event->type == SDL_KEYDOWN && key == SDL_SCANCODE_ESCAPE)) app->running = false;
    if (event->type == SDL_KEYDOWN) check(es_input_press(app->input, key, time));
    if (event->type == SDL_KEYUP) check(es_input_release(app->input, key, time));
    if (event->type != SDL_WINDOWEVENT) return;
    if (what == SDL_WINDOWEVENT_HIDDEN || what == SDL_WINDOWEVENT_MINIMIZED) app->is_hidden = true;
    if (what == SDL_WINDOWEVENT_SHOWN || what == SDL_WINDOWEVENT_RESTORED) app->is_hidden = false;
    if (what == SDL_WINDOWEVENT_FOCUS_LOST) check(es_input_release_all(app->input, time)); /* key releases now go to another window */
}

static void draw(SDL_Renderer *renderer, float rows[ROWS][4]) {
    const float *ship = rows[SHIP], *coin = rows[COIN], width = 16.0F + 16.0F * coin[2];
    const SDL_FRect there = {ship[0] - 16.0F, ship[1] - 16.0F, 32.0F, 32.0F};
    const SDL_FRect wanted = {coin[0] - width / 2.0F, coin[1] - 16.0F, width, 32.0F};
    SDL_SetRenderDrawColor(renderer, 18, 24, 38, 255);
    SDL_RenderClear(renderer);
    SDL_SetRenderDrawColor(renderer, 250, 200, 60, 255);
    SDL_RenderFillRectF(renderer, &wanted);
    SDL_SetRenderDrawColor(renderer, 90, 170, 250, 255);
    SDL_RenderFillRectF(renderer, &there);
    SDL_RenderPresent(renderer);
}

/* Runs a frame. The time is that of the clock that stamps events. */
static void run_frame(app *app, int64_t now) {
    const bool was_hidden = app->is_hidden;
    SDL_Event event;
    es_frame frame;
    float drawn[ROWS][4];
    while (SDL_PollEvent(&event)) handle(app, &event);
    if (was_hidden && !app->is_hidden) check(es_timestep_resume(app->timestep)); /* it was hidden until now */
    check(es_timestep_begin_frame(app->timestep, now, &frame));
    check(es_input_begin_frame(app->input, app->timestep));
    for (uint64_t tick = frame.first_tick; tick != frame.tick; tick++) {
        check(es_input_begin_step(app->input, tick));
        if (step(&app->game, app->input, (float)frame.dt)) check(es_poses_teleport(app->poses, COIN));
        check(es_poses_commit(app->poses, app->game.rows[0], 4 * ROWS));
    }
    app->ticks = frame.tick;
    if (!was_hidden && app->is_hidden) check(es_timestep_suspend(app->timestep));
    check(es_poses_draw(app->poses, frame.alpha, drawn[0], 4 * ROWS));
    draw(app->renderer, drawn);
}

static void begin(app *app) {
    const game start = {{{480.0F, 270.0F, 1.0F, 0.0F}, {700.0F, 270.0F, 1.0F, 0.0F}}, {0.0F, 0.0F}, 0, 7};
    app->game = start;
    app->running = true;
    app->is_hidden = false;
    check(es_timestep_create(60, 1, &app->timestep));
    check(es_input_create(256, &app->input));
    check(es_poses_create(2, &app->poses));
    for (size_t row = 0; row < ROWS; row++) check(es_poses_add(app->poses, start.rows[row], 4, &row));
}

static void end(app *app) {
    check(es_poses_destroy(app->poses));
    check(es_input_destroy(app->input));
    check(es_timestep_destroy(app->timestep));
}

static void play(app *app) {
    const Uint64 hertz = SDL_GetPerformanceFrequency();
    const Uint64 zero = SDL_GetPerformanceCounter() - SDL_GetTicks64() * (hertz / 1000); /* events are stamped from here on */
    const es_filter filter = {.kind = ES_FILTER_DISPLAY_CLOCK}; /* finds the display's refreshes; a script needs none */
    begin(app);
    check(es_timestep_add_filter(app->timestep, &filter));
    while (app->running) {
        char title[64];
        if (app->is_hidden) SDL_WaitEventTimeout(NULL, 100);
        const Uint64 counts = SDL_GetPerformanceCounter() - zero;
        run_frame(app, (int64_t)(counts / hertz * 1000000000 + counts % hertz * 1000000000 / hertz));
        sprintf(title, "Coins: %" PRIu32, app->game.coins);
        SDL_SetWindowTitle(app->window, title);
    }
    end(app);
}

static const Uint32 SCRIPT[][3] = {
    {100, SDL_KEYDOWN, SDL_SCANCODE_RIGHT}, {1203, SDL_KEYDOWN, SDL_SCANCODE_SPACE}, {1207, SDL_KEYUP, SDL_SCANCODE_SPACE},
    {1500, SDL_KEYUP, SDL_SCANCODE_RIGHT}, {1511, SDL_KEYDOWN, SDL_SCANCODE_UP}, {2000, SDL_WINDOWEVENT, SDL_WINDOWEVENT_HIDDEN},
    {2500, SDL_KEYUP, SDL_SCANCODE_UP}, {3000, SDL_WINDOWEVENT, SDL_WINDOWEVENT_SHOWN}, {3333, SDL_KEYDOWN, SDL_SCANCODE_LEFT},
    {4444, SDL_WINDOWEVENT, SDL_WINDOWEVENT_FOCUS_LOST}, {4700, SDL_KEYDOWN, SDL_SCANCODE_DOWN}, {6000, SDL_QUIT, 0}};

/* Plays the script at a frame rate in hertz. Returns the hash of the game's last state. */
static uint64_t play_script(app *app, int64_t rate) {
    uint64_t hash = 14695981039346656037U;
    size_t next = 0;
    begin(app);
    for (int64_t frame = 0; app->running; frame++) {
        const int64_t now = frame * 1000000000 / rate;
        for (; next < SDL_arraysize(SCRIPT) && (int64_t)SCRIPT[next][0] * 1000000 <= now; next++) {
            SDL_Event event = {0};
            event.type = SCRIPT[next][1];
            event.common.timestamp = SCRIPT[next][0];
            if (event.type == SDL_WINDOWEVENT) event.window.event = (Uint8)SCRIPT[next][2];
            if (event.type != SDL_WINDOWEVENT) event.key.keysym.scancode = (SDL_Scancode)SCRIPT[next][2];
            SDL_PeepEvents(&event, 1, SDL_ADDEVENT, 0, 0); /* SDL_PushEvent would stamp it with the real time */
        }
        run_frame(app, now);
    }
    end(app);
    for (size_t at = 0; at < sizeof app->game; at++) hash = (hash ^ ((const unsigned char *)&app->game)[at]) * 1099511628211U;
    printf("%4d Hz  %016" PRIx64 "  %d steps, %d coins\n", (int)rate, hash, (int)app->ticks, (int)app->game.coins);
    return hash;
}

int main(int count, char **arguments) {
    const bool is_scripted = count > 1 && strcmp(arguments[1], "--script") == 0;
    bool same = true;
    app app;
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return EXIT_FAILURE;
    app.window = SDL_CreateWindow("Coins: 0", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, WIDTH, HEIGHT, 0);
    app.renderer = SDL_CreateRenderer(app.window, -1, is_scripted ? SDL_RENDERER_SOFTWARE : SDL_RENDERER_PRESENTVSYNC);
    if (app.renderer == NULL) {
        fprintf(stderr, "SDL: %s\n", SDL_GetError());
        return EXIT_FAILURE;
    }
    if (is_scripted) {
        SDL_EventState(SDL_WINDOWEVENT, SDL_IGNORE); /* ignore the real window's events */
        const uint64_t hashes[] = {play_script(&app, 30), play_script(&app, 60), play_script(&app, 144), play_script(&app, 240)};
        same = hashes[0] == hashes[1] && hashes[0] == hashes[2] && hashes[0] == hashes[3];
        same = same && app.ticks == 300 && app.game.coins > 0;
    } else {
        play(&app);
    }
    SDL_DestroyRenderer(app.renderer);
    SDL_DestroyWindow(app.window);
    SDL_Quit();
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
