-- Tests evenstep_defold.lua in a model of Defold's frame. Simulated: nobody ran it in the engine. Prints the table of docs/pages/lua.md.
--
-- The model is of the engine's source, gameobject.cpp: a float of 32 bits collects the time of each frame, as many fixed updates as fit run,
-- and in each a script's fixed_update comes before the physics. Since 1.12 the fixed updates come before update, until then after it;
-- late_update comes last.

local folder = arg[0]:match("^(.*/)") or "./"
package.path = folder .. "../?.lua;" .. folder .. "?.lua;" .. package.path
local suite = require("suite")
local equal = suite.equal

--- Rounds to a float of 32 bits (T. J. Dekker).
local function f32(x)
  local high = x * (2 ^ 29 + 1)
  return high - (high - x)
end

-- The same random numbers on every Lua.
local seed
local function random()
  seed = (seed * 16807) % 2147483647
  return seed / 2147483647
end
local function gauss()
  local sum = 0
  for _ = 1, 12 do
    sum = sum + random()
  end
  return sum - 6
end

-- The engine's functions that the script calls. Positions and rotations are numbers here.
local objects, version = {}, "1.12.0"
local function object(id)
  return objects[id] or error("no game object " .. tostring(id))
end
go = {
  get_position = function(id)
    return object(id).position
  end,
  get_rotation = function(id)
    return object(id).rotation
  end,
  set_position = function(position, id)
    object(id).position = position
  end,
  set_rotation = function(rotation, id)
    object(id).rotation = rotation
  end,
}
vmath = {
  lerp = function(t, from, to)
    return from + (to - from) * t
  end,
}
vmath.slerp = vmath.lerp
sys = {
  get_engine_info = function()
    return { version = version }
  end,
}

local evenstep = require("evenstep_defold")

--- Way of the document's script, "Fixed timestep interpolation".
local Script = {}
Script.__index = Script
function Script.new(step)
  return setmetatable({ step = step, remainder = 0, previous = 0, current = 0 }, Script)
end
function Script:fixed_update()
  self.previous, self.current = self.current, objects.body.position
end
function Script:update(dt)
  self.remainder = math.fmod(self.remainder + dt, self.step)
  return self.previous + (self.current - self.previous) * self.remainder / self.step
end

--- Way of the extension defold-object-interpolation, as its comp_object_interpolation.cpp of October 2025 counts: from the place that was drawn
-- before a step to the body's, while the frames' time goes from there to the steps'. A model of it: floats, and nothing else of the extension.
local Peer = {}
Peer.__index = Peer
function Peer.new()
  return setmetatable({ frames = 0, steps = 0, from = 0, from_place = 0, place = 0 }, Peer)
end
function Peer:fixed_update(dt)
  if self.frames > self.steps then
    self.frames, self.steps = 0, 0
  end
  self.steps, self.from, self.from_place = f32(self.steps + dt), self.frames, self.place
end
function Peer:update(dt)
  self.frames = f32(self.frames + dt)
  local factor = self.steps > 0 and f32((self.frames - self.from) / (self.steps - self.from)) or 1
  self.place = self.from_place + (objects.body.position - self.from_place) * factor
  return self.place
end

--- Plays frames of a world with a body that moves at `speed`. `each` is called before each frame with its number and the world. Returns, of
-- ours, of the script's way and of the peer's: frames whose motion is off by more than a quarter of a step, and the least and most steps by
-- which they are late.
local function play(settings)
  seed, version, objects = 1, settings.version or "1.12.0", { body = { position = 0, rotation = 0 }, drawn = { position = 0, rotation = 0 } }
  local rate, hz = settings.rate, settings.hz
  local world = { scale = 1, accumulator = f32(settings.accumulator or 0), speed = 1, time = 0, passed = 0 }
  local drawing, script, peer
  local function begin()
    if settings.begin then
      drawing = settings.begin()
    else
      drawing = evenstep.new()
      drawing:add("body", "drawn")
    end
    script, peer = Script.new(1 / rate), Peer.new()
    world.drawing = drawing
  end
  if not settings.begin_at then
    begin()
  end
  local is_old, calls_late = version < "1.12", settings.late
  local told, last_dt, drawn, off = 0, 0, {}, { ours = 0, script = 0, peer = 0, peer_least = math.huge, peer_most = -math.huge }
  local least, most = math.huge, -math.huge
  local function fixed_updates(dt)
    local fixed_dt = f32(f32(1 / rate) * world.scale)
    if world.scale <= 0.001 then
      return
    end
    local time = f32(world.accumulator + dt)
    local count = math.floor(f32(time / fixed_dt))
    world.accumulator = f32(time - f32(count * fixed_dt))
    for _ = 1, count do
      -- A kinematic body is moved by a script, whose fixed_update may come before ours.
      objects.body.position = objects.body.position + (settings.is_kinematic and world.speed * fixed_dt or 0)
      if drawing then
        drawing:fixed_update(fixed_dt)
        script:fixed_update()
        peer:fixed_update(fixed_dt)
      end
      objects.body.position = objects.body.position + (settings.is_kinematic and 0 or world.speed * fixed_dt)
      world.time = world.time + fixed_dt
    end
  end
  for frame = 1, settings.frames or 36000 do
    local now = frame / hz + (settings.noise and gauss() * settings.noise or 0) + (settings.hitch and math.floor(frame / 997) * 0.37 or 0)
    local micros = math.floor(now * 1e6)
    local dt = f32(f32((micros - told) / 1e6) * world.scale)
    told = micros
    if frame == settings.begin_at then
      begin()
    end
    if settings.each then
      settings.each(frame, world)
    end
    if not is_old then
      fixed_updates(dt)
    end
    local place, peer_place
    if drawing and not calls_late then
      drawing:update(dt)
    end
    if drawing then
      place, peer_place = script:update(dt), peer:update(dt)
    end
    if is_old then
      fixed_updates(dt)
    end
    if drawing and calls_late then
      drawing:late_update(dt)
    end
    local delta = is_old and not calls_late and last_dt or dt
    if frame > (settings.begin_at or 0) + (settings.settle or 20) then
      local step = world.scale / rate
      local ours = objects.drawn.position
      if math.abs(ours - drawn.ours - delta * world.speed) > 0.25 * step then
        off.ours = off.ours + 1
      end
      if math.abs(place - drawn.script - dt * world.speed) > 0.25 * step then
        off.script = off.script + 1
      end
      if math.abs(peer_place - drawn.peer - dt * world.speed) > 0.25 * step then
        off.peer = off.peer + 1
      end
      local late = (world.time + world.accumulator - ours) / step
      least, most = math.min(least, late), math.max(most, late)
      off.script_late = (world.time + world.accumulator - place) / step
      local peer_late = (world.time + world.accumulator - peer_place) / step
      off.peer_least, off.peer_most = math.min(off.peer_least, peer_late), math.max(off.peer_most, peer_late)
    end
    drawn.ours, drawn.script, drawn.peer = objects.drawn and objects.drawn.position, place, peer_place
    last_dt = dt
  end
  off.least, off.most, off.drawing, off.world = least, most, drawing, world
  return off
end

local tests = {}

-- Defold has LuaJIT, and Lua 5.1 in a browser, which takes ten times as long.
local FRAMES = jit and 3000 or 400
local RATES = { 20, 30, 50, 60, 75, 120 }
local DISPLAYS = { 24, 30, 50, 59.94, 60, 75, 100, 120, 144, 165, 240, 360 }

function tests.motion_is_even_and_a_step_late_at_every_pair_of_rates_in_both_orders()
  for _, rate in ipairs(RATES) do
    for _, hz in ipairs(DISPLAYS) do
      for _, noise in ipairs({ 0, 0.0002 }) do
        for _, order in ipairs({ { "1.12.0", false }, { "1.12.0", true }, { "1.11.2", true } }) do
          local off = play({ rate = rate, hz = hz, noise = noise, version = order[1], late = order[2], frames = FRAMES })
          local what = ("%d steps at %g Hz, noise %g, %s%s"):format(rate, hz, noise, order[1], order[2] and " late" or "")
          equal(off.ours, 0, what)
          assert(off.least > 0.99 and off.most < 1.01, ("%s: %g to %g steps late"):format(what, off.least, off.most))
        end
        -- Until 1.12, in update, the frame before is drawn: later by its time.
        local off = play({ rate = rate, hz = hz, noise = noise, version = "1.11.2", frames = FRAMES })
        equal(off.ours, 0, ("%d steps at %g Hz, 1.11.2"):format(rate, hz))
        local frame = rate / hz
        local wander = 0.01 + 8 * noise * rate
        assert(off.least > 1 + frame - wander and off.most < 1 + frame + wander, ("%g to %g"):format(off.least, off.most))
      end
    end
  end
end

function tests.a_script_that_is_spawned_later_finds_the_engines_count()
  for _, rate in ipairs(RATES) do
    for _, hz in ipairs({ 59.94, 100, 144, 240 }) do
      for _, begin_at in ipairs({ 2, 7, 23, 100 }) do
        local off = play({ rate = rate, hz = hz, noise = 0.0002, begin_at = begin_at, settle = 300, frames = 300 + FRAMES, accumulator = 0.7 / rate })
        assert(off.ours <= 2, ("%d steps at %g Hz from frame %d: %d"):format(rate, hz, begin_at, off.ours))
      end
    end
  end
end

function tests.hitches_leave_it_a_step_late()
  for _, hz in ipairs({ 60, 144 }) do
    local off = play({ rate = 60, hz = hz, hitch = true, frames = 12000 })
    equal(off.ours, 0, "frames that are off")
    assert(off.least > 0.99 and off.most < 1.01, off.least .. " to " .. off.most)
  end
end

function tests.the_time_step_of_a_collection_proxy_may_change()
  for _, hz in ipairs({ 30, 60, 144 }) do
    local scales = { 1, 0.5, 2, 0, 0.25, 1.5, 1 }
    local off = play({
      rate = 60,
      hz = hz,
      frames = 7000,
      each = function(frame, world)
        world.scale = scales[math.floor(frame / 1000) + 1] or 1
      end,
      settle = 6200,
    })
    equal(off.ours, 0, "after all changes")
    assert(off.least > 0.98 and off.most < 1.02, ("%d Hz: %g to %g"):format(hz, off.least, off.most))
  end
end

function tests.a_proxy_that_nearly_stands_still_and_goes_on_is_a_step_late()
  -- At a time step below a thousandth the engine tells the time of frames and collects none.
  for _, hz in ipairs({ 100, 144, 240 }) do
    local off = play({
      rate = 60,
      hz = hz,
      frames = 6000,
      each = function(frame, world)
        world.scale = frame > 1000 and frame <= 5000 and 0.0009 or 1
      end,
      settle = 5300,
    })
    equal(off.ours, 0, "after it")
    -- Frames come at twelfths of a step at 144 Hz, so the engine's count is known to a twelfth.
    assert(off.least > 0.9 and off.most < 1.02, ("%d Hz: %g to %g"):format(hz, off.least, off.most))
  end
end

function tests.a_kinematic_body_that_was_moved_before_ours_is_even_with_a_step_a_frame()
  for _, hz in ipairs({ 60, 100, 144, 240 }) do
    local off = play({ rate = 50, hz = hz, is_kinematic = true, frames = FRAMES })
    equal(off.ours, 0, ("at %d Hz"):format(hz))
  end
end

function tests.hours_leave_it_a_step_late()
  local hours = jit and 12 or 0.25
  local off = play({ rate = 60, hz = 59.94, noise = 0.0001, frames = hours * 3600 * 60, settle = 100 })
  equal(off.ours, 0, "frames that are off")
  assert(off.least > 0.99 and off.most < 1.01, off.least .. " to " .. off.most)
end

function tests.a_teleport_is_drawn_at_its_new_place_and_motion_goes_on()
  local between = 0
  local off = play({
    rate = 20,
    hz = 144,
    frames = 2000,
    each = function(frame, world)
      if frame % 100 == 50 then
        objects.body.position = objects.body.position + 1000
        world.time = world.time + 1000
        world.drawing:teleport("body")
        local place = objects.drawn.position
        world.jumps = (world.jumps or 0) + 1
        world.from = place
      elseif frame % 100 == 51 then
        if objects.drawn.position < world.from + 999 then
          between = between + 1
        end
      end
    end,
  })
  equal(between, 0, "frames between the old place and the new one")
  equal(off.world.jumps, 20, "teleports")
  equal(off.ours, 20, "frames that jump: those of the teleports")
end

function tests.bodies_are_added_removed_and_deleted_at_any_time()
  play({
    rate = 60,
    hz = 144,
    frames = 600,
    each = function(frame, world)
      if frame == 100 then
        objects.other, objects.other_drawn = { position = 5, rotation = 1 }, { position = 0, rotation = 0 }
        world.drawing:add("other", "other_drawn")
      elseif frame == 102 then
        equal(objects.other_drawn.position, 5, "a spawned body's place")
        equal(objects.other_drawn.rotation, 1, "its rotation")
      elseif frame == 200 then
        objects.other = nil
      elseif frame == 300 then
        equal(pcall(world.drawing.teleport, world.drawing, "other"), false, "a deleted body is forgotten")
        objects.third = { position = 1, rotation = 0 }
        world.drawing:add("third", "no_object")
      elseif frame == 400 then
        equal(pcall(world.drawing.teleport, world.drawing, "third"), false, "a body whose sprite is gone is forgotten")
        equal(pcall(world.drawing.add, world.drawing, "missing", "drawn"), false, "a body that is not there is refused")
        world.drawing:remove("body")
        world.at = objects.drawn.position
      elseif frame == 500 then
        equal(objects.drawn.position, world.at, "a removed body is not drawn")
      end
    end,
  })
end

function tests.the_example_draws_its_second_block_a_step_late_and_the_first_where_it_is()
  local environment = setmetatable({}, { __index = _G })
  local chunk = assert(io.open(folder .. "../../../examples/defold/main/interpolation.script")):read("*a")
  local script = load and not setfenv and assert(load(chunk, "script", "t", environment)) or setfenv(assert(loadstring(chunk)), environment)
  script()
  local self = {}
  local off = play({
    rate = 20,
    hz = 144,
    frames = 2000,
    begin = function()
      objects["/block1"], objects["/block2"], objects["/block2_sprite"] = objects.body, objects.body, objects.drawn
      objects["/block1_sprite"] = { position = 0, rotation = 0 }
      environment.init(self)
      return {
        fixed_update = function(_, dt)
          environment.fixed_update(self, dt)
        end,
        update = function(_, dt)
          environment.update(self, dt)
          equal(objects["/block1_sprite"].position, objects.body.position, "the first block")
        end,
      }
    end,
  })
  equal(off.ours, 0, "frames that are off")
  assert(off.least > 0.99 and off.most < 1.01, off.least .. " to " .. off.most)
end

function tests.the_documents_script_is_off_and_the_peer_late_by_a_time_that_wanders_where_the_table_says_so()
  local off = play({ rate = 60, hz = 120 })
  assert(off.script > 30000 and off.peer <= 1 and off.ours == 0, off.script)
  off = play({ rate = 60, hz = 59.94 })
  assert(off.peer <= 1 and off.peer_most - off.peer_least > 0.9 and off.most - off.least < 0.02, off.peer_most)
end

suite.run(tests, "Defold's order of calls, simulated, " .. _VERSION .. (jit and " (LuaJIT)" or ""))
if arg[1] == "table" then
  print("| engine | display, steps, noise | frames off: script | peer | ours | late, in steps: script | peer | ours |")
  print("|---|---|--:|--:|--:|--:|--:|--:|")
  for _, engine in ipairs({ "1.12.0", "1.11.2" }) do
    for _, row in ipairs({ { 60, 20, 0.0002 }, { 60, 60, 0.0002 }, { 59.94, 60 }, { 120, 60 }, { 100, 50 } }) do
      local off = play({ hz = row[1], rate = row[2], noise = row[3], version = engine })
      local what = ("%g Hz, %d, %s"):format(row[1], row[2], row[3] and "0.2 ms" or "none")
      print(("| %s | %s | %d | %d | %d | %.1f | %.1f to %.1f | %.1f |"):format(engine, what, off.script, off.peer, off.ours, off.script_late,
        off.peer_least, off.peer_most, off.most))
    end
  end
end
