// Box2D 3 with equal steps: a ball knocks a tower over. After three seconds the world is in the same state at every frame rate.
// With a step as long as the frame it is in another one each time.
#include <box2d/box2d.h>
#include <evenstep.hpp>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr std::uint64_t STEPS = 180; // three seconds
constexpr std::int64_t SECOND = 1'000'000'000;

// A tower of boxes, a ball that flies at it, and a puck that glides above them at 3 m/s.
struct Game {
    b2WorldId world;
    std::vector<b2BodyId> bodies;

    Game() {
        b2WorldDef definition = b2DefaultWorldDef();
        definition.gravity = {0.0F, -10.0F};
        world = b2CreateWorld(&definition);
        const b2BodyDef ground = b2DefaultBodyDef();
        const b2ShapeDef shape = b2DefaultShapeDef();
        const b2Segment floor = {{-50.0F, 0.0F}, {50.0F, 0.0F}};
        b2CreateSegmentShape(b2CreateBody(world, &ground), &shape, &floor);
        const b2Polygon box = b2MakeBox(0.5F, 0.5F);
        for (int row = 0; row < 8; row++) {
            b2CreatePolygonShape(add({0.0F, 0.5F + static_cast<float>(row)}, {0.0F, 0.0F}, 1.0F), &shape, &box);
        }
        const b2Circle ball = {{0.0F, 0.0F}, 0.6F};
        b2CreateCircleShape(add({-8.0F, 4.0F}, {14.0F, 3.0F}, 1.0F), &shape, &ball);
        b2CreateCircleShape(add({-4.0F, 30.0F}, {3.0F, 0.0F}, 0.0F), &shape, &ball);
    }
    ~Game() { b2DestroyWorld(world); }
    Game(const Game &) = delete;
    Game &operator=(const Game &) = delete;

    b2BodyId add(b2Vec2 place, b2Vec2 velocity, float gravity) {
        b2BodyDef body = b2DefaultBodyDef();
        body.type = b2_dynamicBody;
        body.position = place;
        body.linearVelocity = velocity;
        body.gravityScale = gravity;
        bodies.push_back(b2CreateBody(world, &body));
        return bodies.back();
    }

    void step(float dt) { b2World_Step(world, dt, 4); }

    // A row for each body, as poses want it.
    void read(std::vector<float> &states) const {
        states.clear();
        for (const b2BodyId body : bodies) {
            const auto at = b2Body_GetTransform(body);
            states.insert(states.end(), {at.p.x, at.p.y, at.q.c, at.q.s});
        }
    }

    // FNV-1a of the bits of all that moves.
    std::uint64_t hash() const {
        std::uint64_t hash = 0xcbf29ce484222325U;
        for (const b2BodyId body : bodies) {
            const auto at = b2Body_GetTransform(body);
            const b2Vec2 velocity = b2Body_GetLinearVelocity(body);
            const std::array<float, 7> state = {at.p.x,     at.p.y,     at.q.c, at.q.s, velocity.x,
                                                velocity.y, b2Body_GetAngularVelocity(body)};
            std::array<unsigned char, sizeof(state)> bytes{};
            std::memcpy(bytes.data(), state.data(), bytes.size());
            for (const unsigned char byte : bytes) {
                hash = (hash ^ byte) * 0x100000001b3U;
            }
        }
        return hash;
    }
};

struct Outcome {
    std::uint64_t hash;
    // By how much the puck's picture moved from frame to frame, relative to an even motion.
    double unevenness;
};

Outcome with_equal_steps(std::int64_t hertz) {
    Game game;
    std::vector<float> states;
    game.read(states);
    std::vector<float> drawn(states);

    evenstep::timestep timestep(60);
    evenstep::check(es_timestep_set_max_steps(timestep.handle(), 8));
    evenstep::poses poses(2);
    for (std::size_t row = 0; row < game.bodies.size(); row++) {
        poses.add(&states[4 * row], 4);
    }

    Outcome outcome{};
    const std::size_t puck = 4 * (game.bodies.size() - 1);
    std::uint64_t done = 0;
    for (std::int64_t picture = 0; done < STEPS; picture++) {
        const auto frame = timestep.begin_frame(picture * SECOND / hertz);
        for (const auto step : frame) {
            if (done == STEPS) break;
            game.step(static_cast<float>(step.dt));
            game.read(states);
            poses.commit(states.data(), states.size());
            done++;
        }
        const double last = drawn[puck];
        poses.draw(frame.alpha, drawn.data(), drawn.size());
        const double even = 3.0 / static_cast<double>(hertz);
        // From the second step on there are two states to draw between; the last frame is cut short.
        if (frame.first_tick > 2 && done < STEPS) {
            outcome.unevenness = std::max(outcome.unevenness, std::abs(drawn[puck] - last - even) / even);
        }
    }
    outcome.hash = game.hash();
    return outcome;
}

std::uint64_t with_a_step_a_frame(int hertz) {
    Game game;
    for (int picture = 0; picture < 3 * hertz; picture++) {
        game.step(1.0F / static_cast<float>(hertz));
    }
    return game.hash();
}

} // namespace

int main() {
    std::vector<std::uint64_t> ours, theirs;
    double worst = 0.0;
    std::printf("frame rate   equal steps        unevenness   a step a frame\n");
    for (const int hertz : {30, 60, 144, 240}) {
        const Outcome outcome = with_equal_steps(hertz);
        ours.push_back(outcome.hash);
        theirs.push_back(with_a_step_a_frame(hertz));
        worst = std::max(worst, outcome.unevenness);
        std::printf("%7d Hz   %016" PRIx64 "   %8.4f %%   %016" PRIx64 "\n", hertz, ours.back(), 100.0 * outcome.unevenness,
                    theirs.back());
    }
    const bool same = std::all_of(ours.begin(), ours.end(), [&](std::uint64_t hash) { return hash == ours.front(); });
    std::sort(theirs.begin(), theirs.end());
    const bool all_differ = std::adjacent_find(theirs.begin(), theirs.end()) == theirs.end();
    return same && all_differ && worst < 0.01 ? EXIT_SUCCESS : EXIT_FAILURE;
}
