// A game with SDL3 and Box2D 3: space throws a ball at a tower, escape ends. Each press reaches the step of its time, boxes and balls are
// interpolated between steps, and the game pauses while its window is hidden. With --script it plays scripted presses at 30, 60, 144 and
// 240 frames a second, and fails unless all runs end in the same state. With steps as long as the frames each run ends in another state.
#include <SDL3/SDL.h>
#include <SDL3/SDL_main.h>
#include <box2d/box2d.h>
#include <evenstep.hpp>

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr float WIDTH = 960.0F, HEIGHT = 540.0F, SCALE = 40.0F; // pixels, pixels, pixels per metre
constexpr std::int64_t SECOND = SDL_NS_PER_SECOND;
constexpr std::int64_t SCRIPT_END = 3 * SECOND;
constexpr float PUCK_SPEED = 3.0F;

// A body is drawn as a regular polygon, a ball as one of many corners.
struct body {
    b2BodyId id;
    int corners;
    float radius;
    SDL_FColor color;
};

// The simulation: a tower of boxes, the balls that were thrown at it, and a puck that glides above them.
class game {
public:
    game() {
        b2WorldDef definition = b2DefaultWorldDef();
        definition.gravity = {0.0F, -10.0F};
        world_ = b2CreateWorld(&definition);
        const b2BodyDef ground = b2DefaultBodyDef();
        const b2ShapeDef shape = b2DefaultShapeDef();
        const b2Segment floor = {{-50.0F, 0.0F}, {50.0F, 0.0F}};
        b2CreateSegmentShape(b2CreateBody(world_, &ground), &shape, &floor);
        add_ball({2.0F, 12.0F}, {PUCK_SPEED, 0.0F}, 0.0F);
        const b2Polygon box = b2MakeBox(0.5F, 0.5F);
        for (int row = 0; row < 8; row++) {
            const b2BodyId id = add({16.0F, 0.5F + static_cast<float>(row)}, {0.0F, 0.0F}, 1.0F);
            b2CreatePolygonShape(id, &shape, &box);
            bodies.push_back({id, 4, 0.5F * SDL_sqrtf(2.0F), {0.35F, 0.67F, 0.98F, 1.0F}});
        }
    }
    ~game() { b2DestroyWorld(world_); }
    game(const game &) = delete;
    game &operator=(const game &) = delete;

    void throw_ball() { add_ball({1.0F, 3.0F}, {16.0F, 4.0F}, 1.0F); }
    void step(float dt) { b2World_Step(world_, dt, 4); }

    // A row for each body, in the layout of poses.
    void read(std::vector<float> &rows) const {
        rows.clear();
        for (const body &body : bodies) {
            const auto at = b2Body_GetTransform(body.id);
            rows.insert(rows.end(), {at.p.x, at.p.y, at.q.c, at.q.s});
        }
    }

    // FNV-1a of the bits of all moving bodies.
    std::uint64_t hash() const {
        std::uint64_t hash = 0xcbf29ce484222325U;
        for (const body &body : bodies) {
            const auto at = b2Body_GetTransform(body.id);
            const b2Vec2 velocity = b2Body_GetLinearVelocity(body.id);
            const float state[] = {at.p.x, at.p.y, at.q.c, at.q.s, velocity.x, velocity.y, b2Body_GetAngularVelocity(body.id)};
            unsigned char bytes[sizeof(state)];
            std::memcpy(bytes, state, sizeof(state));
            for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3U;
        }
        return hash;
    }

    std::vector<body> bodies;

private:
    b2BodyId add(b2Vec2 place, b2Vec2 velocity, float gravity) {
        b2BodyDef definition = b2DefaultBodyDef();
        definition.type = b2_dynamicBody;
        definition.position = place;
        definition.linearVelocity = velocity;
        definition.gravityScale = gravity;
        return b2CreateBody(world_, &definition);
    }

    void add_ball(b2Vec2 place, b2Vec2 velocity, float gravity) {
        const b2Circle ball = {{0.0F, 0.0F}, 0.4F};
        const b2ShapeDef shape = b2DefaultShapeDef();
        const b2BodyId id = add(place, velocity, gravity);
        b2CreateCircleShape(id, &shape, &ball);
        bodies.push_back({id, 24, 0.4F, {0.98F, 0.78F, 0.24F, 1.0F}});
    }

    b2WorldId world_;
};

void draw(SDL_Renderer *renderer, const std::vector<body> &bodies, const std::vector<float> &rows) {
    SDL_SetRenderDrawColor(renderer, 18, 24, 38, 255);
    SDL_RenderClear(renderer);
    for (std::size_t row = 0; row < bodies.size(); row++) {
        const body &body = bodies[row];
        const float *at = &rows[4 * row];
        std::vector<SDL_Vertex> fan;
        std::vector<int> triangles;
        for (int corner = 0; corner < body.corners; corner++) {
            const float angle = (static_cast<float>(corner) + 0.5F) * 2.0F * SDL_PI_F / static_cast<float>(body.corners);
            const float x = body.radius * SDL_cosf(angle), y = body.radius * SDL_sinf(angle);
            const SDL_FPoint point = {SCALE * (at[0] + at[2] * x - at[3] * y), HEIGHT - SCALE * (at[1] + at[3] * x + at[2] * y)};
            fan.push_back({point, body.color, {0.0F, 0.0F}});
            if (corner > 1) triangles.insert(triangles.end(), {0, corner - 1, corner});
        }
        SDL_RenderGeometry(renderer, nullptr, fan.data(), static_cast<int>(fan.size()), triangles.data(),
                           static_cast<int>(triangles.size()));
    }
    SDL_RenderPresent(renderer);
}

// The program: passes the window's events to the input, and each frame to the timestep.
class app {
public:
    explicit app(SDL_Renderer *renderer) : renderer_(renderer) {
        simulated.read(rows_);
        for (std::size_t row = 0; row < simulated.bodies.size(); row++) poses_.add(&rows_[4 * row], 4);
        drawn = rows_;
    }

    // Runs a frame. The time is that of the clock that stamps SDL's events.
    void run_frame(std::int64_t now) {
        const bool was_hidden = is_hidden;
        SDL_Event event;
        while (SDL_PollEvent(&event)) handle(event);
        if (was_hidden && !is_hidden) timestep.resume(); // it was hidden until now
        const auto frame = timestep.begin_frame(now);
        input_.begin_frame(timestep);
        for (const auto step : frame) {
            input_.begin_step(step);
            for (std::uint32_t press = 0; press < input_.presses(SDL_SCANCODE_SPACE); press++) throw_ball();
            simulated.step(static_cast<float>(step.dt));
            simulated.read(rows_);
            poses_.commit(rows_.data(), rows_.size());
        }
        if (!was_hidden && is_hidden) timestep.suspend();
        ticks = frame.tick;
        drawn.resize(rows_.size());
        poses_.draw(frame.alpha, drawn.data(), drawn.size());
        draw(renderer_, simulated.bodies, drawn);
    }

    evenstep::timestep timestep{60};
    game simulated;
    std::vector<float> drawn;
    std::uint64_t ticks = 0;
    bool is_running = true, is_hidden = false;

private:
    void handle(const SDL_Event &event) {
        const auto time = static_cast<std::int64_t>(event.common.timestamp);
        switch (event.type) {
        case SDL_EVENT_QUIT: is_running = false; break;
        case SDL_EVENT_KEY_DOWN:
            if (event.key.scancode == SDL_SCANCODE_ESCAPE) is_running = false;
            if (!event.key.repeat) input_.press(event.key.scancode, time);
            break;
        case SDL_EVENT_KEY_UP: input_.release(event.key.scancode, time); break;
        case SDL_EVENT_WINDOW_FOCUS_LOST: input_.release_all(time); break; // key releases now go to another window
        case SDL_EVENT_WINDOW_HIDDEN:
        case SDL_EVENT_WINDOW_MINIMIZED: is_hidden = true; break;
        case SDL_EVENT_WINDOW_SHOWN:
        case SDL_EVENT_WINDOW_RESTORED: is_hidden = false; break;
        default: break;
        }
    }

    // A body that is created in a step gets a row.
    void throw_ball() {
        simulated.throw_ball();
        simulated.read(rows_);
        poses_.add(&rows_[rows_.size() - 4], 4);
    }

    SDL_Renderer *renderer_;
    evenstep::input input_;
    evenstep::poses poses_{2};
    std::vector<float> rows_;
};

void play(SDL_Renderer *renderer) {
    app app(renderer);
    app.timestep.with_display_clock(); // finds the display's refreshes; a script needs none
    while (app.is_running) {
        if (app.is_hidden) SDL_WaitEventTimeout(nullptr, 100);
        app.run_frame(static_cast<std::int64_t>(SDL_GetTicksNS()));
    }
}

// Presses of the space key, each held for 4 ms.
constexpr std::int64_t PRESSES[] = {503'000'000, 1'251'000'000, 1'257'000'000, 2'000'100'000};

struct outcome {
    std::uint64_t hash;
    double unevenness; // the largest error of the puck's advance from frame to frame, relative to an even motion
    bool is_right;     // all steps were run, all balls were thrown, and the window shows the puck at its drawn position
};

bool shows_the_puck(SDL_Renderer *renderer, const app &app) {
    SDL_Surface *screen = SDL_RenderReadPixels(renderer, nullptr);
    if (screen == nullptr) return false;
    Uint8 red = 0, green = 0, blue = 0;
    const int x = static_cast<int>(SCALE * app.drawn[0]), y = static_cast<int>(HEIGHT - SCALE * app.drawn[1]);
    const bool is_read = SDL_ReadSurfacePixel(screen, x, y, &red, &green, &blue, nullptr);
    SDL_DestroySurface(screen);
    return is_read && red > 200 && green > 150 && blue < 100;
}

outcome with_equal_steps(SDL_Renderer *renderer, std::int64_t hertz) {
    app app(renderer);
    outcome outcome{};
    std::size_t next = 0;
    for (std::int64_t number = 0; number * SECOND <= SCRIPT_END * hertz; number++) {
        const std::int64_t now = number * SECOND / hertz;
        for (; next < 2 * std::size(PRESSES); next++) {
            SDL_Event event{};
            event.type = next % 2 == 0 ? SDL_EVENT_KEY_DOWN : SDL_EVENT_KEY_UP;
            event.key.timestamp = static_cast<Uint64>(PRESSES[next / 2] + (next % 2 == 0 ? 0 : 4'000'000));
            event.key.scancode = SDL_SCANCODE_SPACE;
            if (event.key.timestamp > static_cast<Uint64>(now)) break;
            SDL_PushEvent(&event);
        }
        const double last = app.drawn[0];
        app.run_frame(now);
        const double even = PUCK_SPEED / static_cast<double>(hertz);
        // From the second step on there are two states to draw between.
        if (number * 60 > 3 * hertz) outcome.unevenness = std::max(outcome.unevenness, std::abs(app.drawn[0] - last - even) / even);
    }
    outcome.hash = app.simulated.hash();
    outcome.is_right = app.ticks == 180 && app.simulated.bodies.size() == 9 + std::size(PRESSES) && shows_the_puck(renderer, app);
    return outcome;
}

std::uint64_t with_a_step_a_frame(std::int64_t hertz) {
    game game;
    std::size_t next = 0;
    for (std::int64_t number = 1; number * SECOND <= SCRIPT_END * hertz; number++) {
        for (; next < std::size(PRESSES) && PRESSES[next] <= number * SECOND / hertz; next++) game.throw_ball();
        game.step(1.0F / static_cast<float>(hertz));
    }
    return game.hash();
}

bool play_script(SDL_Renderer *renderer) {
    std::vector<std::uint64_t> ours, theirs;
    bool is_right = true;
    std::printf("frame rate   equal steps        unevenness   a step a frame\n");
    for (const std::int64_t hertz : {30, 60, 144, 240}) {
        const outcome outcome = with_equal_steps(renderer, hertz);
        ours.push_back(outcome.hash);
        theirs.push_back(with_a_step_a_frame(hertz));
        is_right = is_right && outcome.is_right && outcome.unevenness < 0.01;
        std::printf("%7d Hz   %016" PRIx64 "   %8.4f %%   %016" PRIx64 "\n", static_cast<int>(hertz), ours.back(),
                    100.0 * outcome.unevenness, theirs.back());
    }
    std::sort(theirs.begin(), theirs.end());
    const bool all_differ = std::adjacent_find(theirs.begin(), theirs.end()) == theirs.end();
    return is_right && all_differ && std::count(ours.begin(), ours.end(), ours.front()) == 4;
}

} // namespace

int main(int count, char **arguments) {
    const bool is_scripted = count > 1 && std::strcmp(arguments[1], "--script") == 0;
    SDL_Window *window = nullptr;
    SDL_Renderer *renderer = nullptr;
    if (SDL_Init(SDL_INIT_VIDEO)) window = SDL_CreateWindow("A tower", static_cast<int>(WIDTH), static_cast<int>(HEIGHT), 0);
    if (window != nullptr) renderer = SDL_CreateRenderer(window, is_scripted ? SDL_SOFTWARE_RENDERER : nullptr);
    if (renderer == nullptr) {
        std::fprintf(stderr, "SDL: %s\n", SDL_GetError());
        return EXIT_FAILURE;
    }
    bool is_right = true;
    if (is_scripted) {
        SDL_FlushEvents(SDL_EVENT_FIRST, SDL_EVENT_LAST); // ignore the real window's events
        is_right = play_script(renderer);
    } else {
        SDL_SetRenderVSync(renderer, 1);
        play(renderer);
    }
    SDL_DestroyRenderer(renderer);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
