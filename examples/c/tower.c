/* Throw balls at a tower, in C with Box2D 3 and SDL2: space throws, escape ends. Each press reaches the step of its time, boxes and
 * balls are blended between steps, and the game pauses while its window is hidden. With --script it plays scripted presses at 30, 60, 144 and
 * 240 frames a second, and fails unless all runs end in the same state.
 *
 *     cc examples/c/tower.c $(find $BOX2D/src -name "*.c") -I$BOX2D/include -o tower $(sdl2-config --cflags --libs) -lm && ./tower */
#include <SDL.h>
#include <box2d/box2d.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../bindings/c/evenstep.h"

#define PI 3.14159265F
#define SECOND ((uint64_t)1000000000)

enum { WIDTH = 960, HEIGHT = 540, SCALE = 40, BODIES = 64, CORNERS = 24, MILLISECOND = 1000000 };

/* A body is drawn as a regular polygon, a ball as one of many corners. */
typedef struct shape {
    b2BodyId id;
    int corners;
    float radius;
} shape;

/* What is blended, and what is drawn. */
typedef struct pose {
    float position[2], rotation[2];
} pose;

/* The simulation: a puck that glides above a tower of boxes, and the balls that were thrown at it. */
typedef struct game {
    b2WorldId world;
    shape shapes[BODIES];
    pose before[BODIES], now[BODIES];
    int bodies;
} game;

static pose pose_of(const shape *shape) {
    const b2Transform at = b2Body_GetTransform(shape->id);
    const pose pose = {{at.p.x, at.p.y}, {at.q.c, at.q.s}};
    return pose;
}

/* A new body is at rest between its last two states, so that it is not drawn on its way from elsewhere. */
static b2BodyId add(game *game, b2Vec2 place, b2Vec2 velocity, float gravity, int corners, float radius) {
    b2BodyDef definition = b2DefaultBodyDef();
    shape *shape = &game->shapes[game->bodies];
    definition.type = b2_dynamicBody;
    definition.position = place;
    definition.linearVelocity = velocity;
    definition.gravityScale = gravity;
    shape->id = b2CreateBody(game->world, &definition);
    shape->corners = corners;
    shape->radius = radius;
    game->before[game->bodies] = game->now[game->bodies] = pose_of(shape);
    game->bodies++;
    return shape->id;
}

static void add_ball(game *game, b2Vec2 place, b2Vec2 velocity, float gravity) {
    const b2Circle ball = {{0.0F, 0.0F}, 0.4F};
    const b2ShapeDef shape = b2DefaultShapeDef();
    if (game->bodies < BODIES) b2CreateCircleShape(add(game, place, velocity, gravity, CORNERS, 0.4F), &shape, &ball);
}

static void throw_ball(game *game) { add_ball(game, (b2Vec2){1.0F, 3.0F}, (b2Vec2){16.0F, 4.0F}, 1.0F); }

static void begin(game *game) {
    b2WorldDef definition = b2DefaultWorldDef();
    const b2BodyDef ground = b2DefaultBodyDef();
    const b2ShapeDef shape = b2DefaultShapeDef();
    const b2Segment floor = {{-50.0F, 0.0F}, {50.0F, 0.0F}};
    const b2Polygon box = b2MakeBox(0.5F, 0.5F);
    definition.gravity = (b2Vec2){0.0F, -10.0F};
    game->bodies = 0;
    game->world = b2CreateWorld(&definition);
    b2CreateSegmentShape(b2CreateBody(game->world, &ground), &shape, &floor);
    add_ball(game, (b2Vec2){2.0F, 12.0F}, (b2Vec2){3.0F, 0.0F}, 0.0F);
    for (int row = 0; row < 8; row++) {
        b2CreatePolygonShape(add(game, (b2Vec2){16.0F, 0.5F + (float)row}, (b2Vec2){0.0F, 0.0F}, 1.0F, 4, sqrtf(0.5F)), &shape, &box);
    }
}

static void step(game *game, float dt) {
    memcpy(game->before, game->now, sizeof game->before);
    b2World_Step(game->world, dt, 4);
    for (int body = 0; body < game->bodies; body++) game->now[body] = pose_of(&game->shapes[body]);
}

/* FNV-1a of the bits of all moving bodies. */
static uint64_t hash_of(const game *game) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int body = 0; body < game->bodies; body++) {
        const pose *at = &game->now[body];
        const b2Vec2 velocity = b2Body_GetLinearVelocity(game->shapes[body].id);
        const float state[] = {at->position[0], at->position[1], at->rotation[0], at->rotation[1],
                               velocity.x,      velocity.y,      b2Body_GetAngularVelocity(game->shapes[body].id)};
        unsigned char bytes[sizeof state];
        memcpy(bytes, state, sizeof state);
        for (size_t at_byte = 0; at_byte < sizeof bytes; at_byte++) hash = (hash ^ bytes[at_byte]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static void draw(SDL_Renderer *renderer, const game *game, const pose *poses) {
    SDL_SetRenderDrawColor(renderer, 18, 24, 38, 255);
    SDL_RenderClear(renderer);
    for (int body = 0; body < game->bodies; body++) {
        const shape *shape = &game->shapes[body];
        const float *at = poses[body].position, *turn = poses[body].rotation;
        SDL_Vertex fan[CORNERS];
        int triangles[3 * CORNERS], count = 0;
        memset(fan, 0, sizeof fan);
        for (int corner = 0; corner < shape->corners; corner++) {
            const float angle = ((float)corner + 0.5F) * 2.0F * PI / (float)shape->corners;
            const float x = shape->radius * cosf(angle), y = shape->radius * sinf(angle);
            const SDL_Color box = {90, 170, 250, 255}, ball = {250, 200, 60, 255};
            fan[corner].position.x = SCALE * (at[0] + turn[0] * x - turn[1] * y);
            fan[corner].position.y = HEIGHT - SCALE * (at[1] + turn[1] * x + turn[0] * y);
            fan[corner].color = shape->corners == 4 ? box : ball;
            if (corner < 2) continue;
            triangles[count++] = 0;
            triangles[count++] = corner - 1;
            triangles[count++] = corner;
        }
        SDL_RenderGeometry(renderer, NULL, fan, shape->corners, triangles, count);
    }
    SDL_RenderPresent(renderer);
}

/* The program. */
typedef struct app {
    SDL_Renderer *renderer;
    es_loop loop;
    es_input input;
    game game;
    pose drawn[BODIES];
    bool is_running, is_hidden;
} app;

static void handle(app *app, const SDL_Event *event) {
    const uint64_t time = (uint64_t)event->common.timestamp * MILLISECOND;
    const uint32_t key = (uint32_t)event->key.keysym.scancode;
    const Uint8 what = event->window.event;
    if (event->type == SDL_QUIT || (event->type == SDL_KEYDOWN && key == SDL_SCANCODE_ESCAPE)) app->is_running = false;
    if (event->type == SDL_KEYDOWN) es_input_press_at(&app->input, time, key);
    if (event->type == SDL_KEYUP) es_input_release_at(&app->input, time, key);
    if (event->type != SDL_WINDOWEVENT) return;
    if (what == SDL_WINDOWEVENT_HIDDEN || what == SDL_WINDOWEVENT_MINIMIZED) app->is_hidden = true;
    if (what == SDL_WINDOWEVENT_SHOWN || what == SDL_WINDOWEVENT_RESTORED) app->is_hidden = false;
    if (what == SDL_WINDOWEVENT_FOCUS_LOST) es_input_release_all_at(&app->input, time); /* releases now go to another window */
}

/* The time is that of the clock that stamps events. */
static void run_frame(app *app, uint64_t now) {
    const bool was_hidden = app->is_hidden;
    game *game = &app->game;
    SDL_Event event;
    es_frame frame;
    es_rows rows = {0, sizeof(pose), sizeof(pose)};
    while (SDL_PollEvent(&event)) handle(app, &event);
    if (was_hidden && !app->is_hidden) es_loop_resume(&app->loop); /* it was hidden until now */
    frame = es_loop_begin_frame(&app->loop, now);
    es_input_begin_frame(&app->input, &app->loop);
    for (es_step next; es_frame_next(&frame, &next);) {
        es_input_begin_step(&app->input, &next);
        for (uint32_t press = es_input_presses(&app->input, SDL_SCANCODE_SPACE); press > 0; press--) throw_ball(game);
        step(game, (float)next.dt);
    }
    if (!was_hidden && app->is_hidden) es_loop_pause(&app->loop);
    rows.count = (size_t)game->bodies;
    es_blend_floats(rows, app->drawn->position, game->before->position, game->now->position, 2, frame.alpha);
    es_blend_rot2s(rows, app->drawn->rotation, game->before->rotation, game->now->rotation, frame.alpha);
    draw(app->renderer, game, app->drawn);
}

static void start(app *app, SDL_Renderer *renderer) {
    memset(app, 0, sizeof *app);
    app->renderer = renderer;
    app->is_running = true;
    es_loop_init(&app->loop, 60, 1);
    begin(&app->game);
}

static void play(app *app, SDL_Renderer *renderer) {
    const Uint64 hertz = SDL_GetPerformanceFrequency();
    const Uint64 zero = SDL_GetPerformanceCounter() - SDL_GetTicks64() * (hertz / 1000); /* events are stamped from here on */
    start(app, renderer);
    while (app->is_running) {
        if (app->is_hidden) SDL_WaitEventTimeout(NULL, 100);
        const Uint64 counts = SDL_GetPerformanceCounter() - zero;
        run_frame(app, counts / hertz * SECOND + counts % hertz * SECOND / hertz);
    }
    b2DestroyWorld(app->game.world);
}

/* Milliseconds; each press is held for 4. */
static const Uint32 PRESSES[] = {503, 1251, 1257, 2001};
enum { PRESS_COUNT = 4, SCRIPT_SECONDS = 3 };

/* Plays the script at a frame rate. Returns the hash of the last state, and the largest error of the puck's way from frame to frame. */
static uint64_t play_at(app *app, SDL_Renderer *renderer, uint64_t hertz, double *unevenness, bool *is_right) {
    uint64_t hash;
    int next = 0;
    start(app, renderer);
    app->loop.is_filtered = false; /* its times are exact */
    *unevenness = 0.0;
    for (uint64_t number = 0; number <= SCRIPT_SECONDS * hertz; number++) {
        const uint64_t now = number * SECOND / hertz;
        const double last = (double)app->drawn[0].position[0], even = 3.0 / (double)hertz;
        double error;
        for (; next < 2 * PRESS_COUNT; next++) {
            SDL_Event event;
            memset(&event, 0, sizeof event);
            event.type = next % 2 == 0 ? SDL_KEYDOWN : SDL_KEYUP;
            event.key.timestamp = PRESSES[next / 2] + (next % 2 == 0 ? 0U : 4U);
            event.key.keysym.scancode = SDL_SCANCODE_SPACE;
            if ((uint64_t)event.key.timestamp * MILLISECOND > now) break;
            SDL_PeepEvents(&event, 1, SDL_ADDEVENT, 0, 0); /* SDL_PushEvent would stamp it with the real time */
        }
        run_frame(app, now);
        error = fabs((double)app->drawn[0].position[0] - last - even) / even;
        if (number * 60 > 3 * hertz && error > *unevenness) *unevenness = error; /* from the second step on there are two states */
    }
    hash = hash_of(&app->game);
    *is_right = *is_right && app->loop.tick == 180 && app->game.bodies == 9 + PRESS_COUNT && *unevenness < 0.01;
    b2DestroyWorld(app->game.world);
    return hash;
}

static bool play_script(app *app, SDL_Renderer *renderer) {
    static const uint64_t HERTZ[] = {30, 60, 144, 240};
    uint64_t first = 0;
    bool is_right = true;
    printf("frame rate   last state         unevenness\n");
    for (int at = 0; at < 4; at++) {
        double unevenness;
        const uint64_t hash = play_at(app, renderer, HERTZ[at], &unevenness, &is_right);
        if (at == 0) first = hash;
        is_right = is_right && hash == first;
        printf("%7d Hz   %016" PRIx64 "   %8.4f %%\n", (int)HERTZ[at], hash, 100.0 * unevenness);
    }
    return is_right;
}

int main(int count, char **arguments) {
    const bool is_scripted = count > 1 && strcmp(arguments[1], "--script") == 0;
    static app app;
    SDL_Window *window = NULL;
    SDL_Renderer *renderer = NULL;
    bool is_right = true;
    if (SDL_Init(SDL_INIT_VIDEO) == 0) {
        window = SDL_CreateWindow("A tower", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, WIDTH, HEIGHT, 0);
    }
    if (window != NULL) renderer = SDL_CreateRenderer(window, -1, is_scripted ? SDL_RENDERER_SOFTWARE : SDL_RENDERER_PRESENTVSYNC);
    if (renderer == NULL) {
        fprintf(stderr, "SDL: %s\n", SDL_GetError());
        return EXIT_FAILURE;
    }
    if (is_scripted) {
        SDL_EventState(SDL_WINDOWEVENT, SDL_IGNORE); /* ignore the real window's events */
        is_right = play_script(&app, renderer);
    } else {
        play(&app, renderer);
    }
    SDL_DestroyRenderer(renderer);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
