// Box2D with equal steps: a ball knocks a tower over. After three seconds the world is in the same state at every frame rate.
// With a step as long as the frame it is in another one each time.
#include <box2d/box2d.h>
#include <evenstep.h>

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

void check(es_status status) {
    if (status < 0) {
        std::fprintf(stderr, "evenstep: %s\n", es_status_text(status));
        std::exit(EXIT_FAILURE);
    }
}

// A tower of boxes, a ball that flies at it, and a puck that glides above them at 3 m/s.
struct Game {
    b2World world{b2Vec2(0.0F, -10.0F)};
    std::vector<b2Body *> bodies;

    Game() {
        b2BodyDef ground;
        b2EdgeShape floor;
        floor.SetTwoSided(b2Vec2(-50.0F, 0.0F), b2Vec2(50.0F, 0.0F));
        world.CreateBody(&ground)->CreateFixture(&floor, 0.0F);
        b2PolygonShape box;
        box.SetAsBox(0.5F, 0.5F);
        for (int row = 0; row < 8; row++) {
            add(box, b2Vec2(0.0F, 0.5F + static_cast<float>(row)), b2Vec2(0.0F, 0.0F));
        }
        b2CircleShape ball;
        ball.m_radius = 0.6F;
        add(ball, b2Vec2(-8.0F, 4.0F), b2Vec2(14.0F, 3.0F))->SetBullet(true);
        add(ball, b2Vec2(-4.0F, 30.0F), b2Vec2(3.0F, 0.0F))->SetGravityScale(0.0F);
    }

    b2Body *add(const b2Shape &shape, b2Vec2 place, b2Vec2 velocity) {
        b2BodyDef body;
        body.type = b2_dynamicBody;
        body.position = place;
        body.linearVelocity = velocity;
        bodies.push_back(world.CreateBody(&body));
        bodies.back()->CreateFixture(&shape, 1.0F);
        return bodies.back();
    }

    void step(float dt) { world.Step(dt, 8, 3); }

    // A row for each body, as es_poses wants it.
    void read(std::vector<float> &states) const {
        states.clear();
        for (const b2Body *body : bodies) {
            const b2Transform &at = body->GetTransform();
            states.insert(states.end(), {at.p.x, at.p.y, at.q.c, at.q.s});
        }
    }

    // FNV-1a of the bits of all that moves.
    std::uint64_t hash() const {
        std::uint64_t hash = 0xcbf29ce484222325U;
        for (const b2Body *body : bodies) {
            const std::array<float, 6> state = {body->GetPosition().x,       body->GetPosition().y,
                                                body->GetAngle(),            body->GetLinearVelocity().x,
                                                body->GetLinearVelocity().y, body->GetAngularVelocity()};
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

    es_timestep timestep;
    es_poses poses;
    check(es_timestep_create(60, 1, &timestep));
    check(es_timestep_set_max_steps(timestep, 8));
    check(es_poses_create(2, &poses));
    for (std::size_t row = 0; row < game.bodies.size(); row++) {
        std::size_t number;
        check(es_poses_add(poses, &states[4 * row], 4, &number));
    }

    Outcome outcome{};
    const std::size_t puck = 4 * (game.bodies.size() - 1);
    std::uint64_t done = 0;
    for (std::int64_t picture = 0; done < STEPS; picture++) {
        es_frame frame;
        check(es_timestep_begin_frame(timestep, picture * SECOND / hertz, &frame));
        for (std::uint64_t tick = frame.first_tick; tick != frame.tick && done < STEPS; tick++, done++) {
            game.step(static_cast<float>(frame.dt));
            game.read(states);
            check(es_poses_commit(poses, states.data(), states.size()));
        }
        const double last = drawn[puck];
        check(es_poses_draw(poses, frame.alpha, drawn.data(), drawn.size()));
        const double even = 3.0 / static_cast<double>(hertz);
        // From the second step on there are two states to draw between; the last frame is cut short.
        if (frame.first_tick > 2 && done < STEPS) {
            outcome.unevenness = std::max(outcome.unevenness, std::abs(drawn[puck] - last - even) / even);
        }
    }
    outcome.hash = game.hash();
    check(es_poses_destroy(poses));
    check(es_timestep_destroy(timestep));
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
