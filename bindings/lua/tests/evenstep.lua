-- Tests what the conformance script does not: frames, errors, states of several numbers, and long times. On any Lua: evenstep.lua.

local folder = arg[0]:match("^(.*/)") or "./"
package.path = folder .. "../?.lua;" .. folder .. "?.lua;" .. package.path
local evenstep, suite = require("evenstep"), require("suite")
local equal = suite.equal

local function refused(part, call, ...)
  local is_done, message = pcall(call, ...)
  equal(is_done, false, "refused: " .. part)
  assert(message:find(part, 1, true), message)
  -- At the line of the caller, which is in this file.
  assert(message:find("evenstep: ", 1, true), message)
end

local tests = {}

function tests.the_program_of_the_first_lines_moves_evenly()
  for _, hz in ipairs({ 30, 59.94, 60, 75, 144, 240 }) do
    local loop = evenstep.GameLoop.new(60)
    local x, last = evenstep.Smoothed.new(0), nil
    for number = 0, 1000 do
      local frame = loop:begin_frame(1000 + number / hz)
      for step in frame:steps() do
        x:step(x.current + 2 * step.dt)
      end
      local drawn = x:at(frame.alpha)
      if number > 50 then
        assert(math.abs(drawn - last - 2 / hz) < 1e-4, ("%g Hz: %g"):format(hz, (drawn - last) * hz))
      end
      last = drawn
    end
  end
end

function tests.steps_have_their_ticks_and_the_last_is_marked()
  local timestep = evenstep.FixedTimestep.new(60)
  timestep:begin_frame(0)
  local frame = timestep:begin_frame(0.1)
  local ticks = {}
  for step in frame:steps() do
    table.insert(ticks, step.tick .. (step.is_last and "!" or ""))
    equal(step.dt, 1 / 60)
  end
  equal(table.concat(ticks, " "), "0 1 2 3 4 5!")
  equal(frame.step_count, 6)
  equal(frame.tick, 6)
  equal(frame.first_tick, 0)
  -- Without ".0", where Lua has integers.
  equal(tostring(frame.tick), "6")
end

function tests.what_is_lost_is_in_seconds_and_steps()
  local timestep = evenstep.FixedTimestep.new(60, { max_steps = 3 })
  timestep:begin_frame(0)
  local frame = timestep:begin_frame(1)
  equal(frame.lost.clamped, 0.75, "beyond 250 ms")
  equal(frame.lost.dropped, 12, "of 15 steps")
  timestep:pause()
  equal(timestep:begin_frame(3).lost.paused, 2, "a pause")
  equal(timestep:is_paused(), true)
end

function tests.a_machine_that_is_too_slow_for_the_steps_goes_on_drawing_in_slow_motion()
  -- A step costs so many times its length, drawing 4 ms.
  for cost, least in pairs({ [1] = { 9, 0.93 }, [1.2] = { 8, 0.8 }, [2] = { 4.5, 0.45 } }) do
    local loop, now, frames, tick = evenstep.GameLoop.new(60), 10, 0, 0
    while now < 70 do
      local frame = loop:begin_frame(now)
      tick, frames = frame.tick, frames + 1
      now = now + math.max(frame.step_count * cost / 60 + 0.004, 1 / 60)
    end
    assert(frames / 60 > least[1] and tick / 3600 > least[2], ("cost %g: %g frames, speed %g"):format(cost, frames / 60, tick / 3600))
  end
  local loop = evenstep.GameLoop.new(60)
  loop:begin_frame(0)
  local clamped = loop:begin_frame(1).lost.clamped
  assert(clamped > 0.89 and clamped <= 0.91, clamped)
  loop:set_overrun({ carry = 10 })
  equal(loop:begin_frame(2).lost.clamped, 0, "time that is kept has no limit")
end

function tests.the_most_steps_follow_from_the_longest_delta_also_in_slow_motion()
  local settings = { max_delta = 1000, max_steps = 0, overrun = { carry = 1e6 }, time_scale = { 249999999, 250000000 } }
  local timestep = evenstep.FixedTimestep.new(1, settings)
  for frame = 0, 2 do
    timestep:begin_frame(70 * frame)
  end
  timestep:set_max_steps(nil)
  equal(timestep:begin_frame(141).step_count, 140, "all that were kept back")
end

function tests.steps_are_given_back_after_a_break()
  local timestep = evenstep.FixedTimestep.new(60, { overrun = { carry = 1 } })
  timestep:begin_frame(0)
  local frame = timestep:begin_frame(0.1)
  for step in frame:steps() do
    if step.tick == 1 then
      frame = timestep:give_back(frame.tick - step.tick - 1)
      break
    end
  end
  equal(frame.tick, 2)
  equal(frame.is_behind, true)
  equal(timestep:begin_frame(0.1167).step_count, 5, "those given back, and the next one")
  refused("unrun is 6; it must be a whole number from 0 to 5", timestep.give_back, timestep, 6)
end

function tests.the_steps_of_a_loop_bring_their_input_with_times_and_without()
  local loop = evenstep.GameLoop.new(60)
  loop:begin_frame(5)
  loop:press("a")
  loop:motion(6, -3)
  loop:press_at(5.06, "b")
  local seen, moved = {}, 0
  for number = 1, 4 do
    for step in loop:begin_frame(5 + number / 30):steps() do
      for _, key in ipairs({ "a", "b" }) do
        if loop.input:presses(key) > 0 then
          table.insert(seen, key .. step.tick)
        end
      end
      local x, y = loop.input:moved()
      equal(x, -2 * y)
      moved = moved + x
    end
  end
  equal(table.concat(seen, " "), "a0 b3", "a in the next step, b in that of 5.06 s and 4 ms")
  equal(moved, 6)
  equal(loop.input:is_down("a"), true)
  loop:release_all()
  for _ in loop:begin_frame(5.2):steps() do
    equal(loop.input:is_down("a"), false)
  end
end

function tests.a_step_that_was_begun_and_given_back_comes_again_with_its_input()
  local loop = evenstep.GameLoop.new(60, { overrun = { carry = 1 } })
  loop:begin_frame(0)
  for _ in loop:begin_frame(0.03):steps() do
    loop:press("first")
  end
  loop:press("a")
  loop:motion(5, 0)
  local frame = loop:begin_frame(0.08)
  local next_step = frame:steps()
  local step = next_step(frame)
  equal(loop.input:presses("a"), 1)
  loop:give_back(frame.tick - step.tick)
  loop:press("b")
  local presses, moved = {}, 0
  for _ in loop:begin_frame(0.1):steps() do
    table.insert(presses, loop.input:presses("a") .. loop.input:presses("b"))
    moved = moved + loop.input:moved()
  end
  equal(table.concat(presses, " ", 1, 2), "11 00", "presses of a and b in the step that comes again, and in the next one")
  equal(moved, 5)
end

function tests.a_state_is_a_number_or_a_table_and_discrete_fields_never_lie_between()
  local body = evenstep.Smoothed.new({ x = 0, y = 1, angle = 6, frame = 1, name = "idle" }, { wrap = { angle = 2 * math.pi }, keep = { "frame" } })
  body:step({ x = 2, angle = 0.2, frame = 4, name = "run" })
  local drawn = body:at(0.5)
  equal(drawn.x, 1)
  equal(drawn.y, 1)
  assert(math.abs(drawn.angle - (6 + (0.2 + 2 * math.pi - 6) / 2)) < 1e-12, drawn.angle)
  equal(drawn.frame, 4)
  equal(drawn.name, "run")
  equal(body:at(0).name, "idle")
  body:begin_step()
  body.current.x = 10
  body.current.new = 7
  equal(body:at(0.25).x, 4)
  equal(body:at(0.25).new, 7, "a field that is new")
  body:shift({ new = 1 })
  equal(body:at(0.25).new, 8, "a field that is new, and was moved")
  body.current.new = nil
  equal(body:at(1).new, nil, "a field that is gone")
  body:teleport()
  equal(body:at(0.5).x, 10)
  equal(body:is_teleport(), true)
  body:shift({ x = 100 })
  equal(body:at(0.5).x, 110)
  body:set_previous({ x = 100 })
  equal(body:at(0.5).x, 105)
  local array = evenstep.Smoothed.new({ 1, 2 })
  array:begin_step()
  array.current[1] = 3
  equal(array:at(0.5)[1], 2)
  local number = evenstep.Smoothed.new(1)
  number:step(3)
  equal(number:at(0.5), 2)
  number:shift(1)
  equal(number.previous, 2)
end

function tests.wrong_arguments_are_named_and_change_nothing()
  local FixedTimestep, Smoothed, InputBuffer, GameLoop = evenstep.FixedTimestep, evenstep.Smoothed, evenstep.InputBuffer, evenstep.GameLoop
  for part, rate in pairs({
    ["the rate is 0"] = 0,
    ["the rate is -1"] = -1,
    ["the rate is nil"] = false,
    ["above 0, with terms up to 4500000"] = { 4500001, 1 },
    ['the rate is "60"'] = "60",
    ["the denominator of the rate is 0"] = { 60, 0 },
    ["the numerator of the rate is 1.5"] = { 1.5, 1 },
    ["exact as {numerator, denominator}"] = 60000 / 1001,
  }) do
    refused(part, FixedTimestep.new, rate or nil)
  end
  refused("the options", GameLoop.new, 60, 30)
  local timestep = FixedTimestep.new({ 120, 2 })
  refused("the time of the frame is nan", timestep.begin_frame, timestep, 0 / 0)
  refused("the time of the frame is -1", timestep.begin_frame, timestep, -1)
  refused("the time of the frame is nil", timestep.begin_frame, timestep)
  refused("call it with a colon", timestep.begin_frame, 5)
  refused("unrun is 1; it must be a whole number from 0 to 0", timestep.give_back, timestep, 1)
  refused("the time scale is 1000001", timestep.set_time_scale, timestep, 1000001)
  refused('overrun is "stretch"', timestep.set_overrun, timestep, "stretch")
  refused("carry is -1", timestep.set_overrun, timestep, { carry = -1 })
  refused('carry is "1"', timestep.set_overrun, timestep, { carry = "1" })
  refused("the most steps is 0.5", timestep.set_max_steps, timestep, 0.5)
  timestep:set_max_delta(0.05)
  refused("the longest delta is -1", timestep.set_max_delta, timestep, -1)
  timestep:begin_frame(1)
  equal(timestep:begin_frame(1.1).step_count, 3, "as if nothing was refused")
  local input = InputBuffer.new()
  refused("call it once a frame, after the timestep's begin_frame", input.begin_frame, input, FixedTimestep.new(60))
  refused("call begin_frame first", input.begin_step, input, 0)
  input:begin_frame(timestep)
  refused("call it once a frame", input.begin_frame, input, timestep)
  refused("the key is nil", input.press, input)
  refused("press_at(at, ...) takes a time", input.press, input, 5, "a")
  refused("x is nil", input.motion, input)
  refused("at is \"a\"", input.press_at, input, "a", 5)
  refused("the capacity is 0", InputBuffer.new, { capacity = 0 })
  local full = InputBuffer.new({ capacity = 1, keep_pauses = true })
  full:press("a")
  refused("the input buffer is full", full.press, full, "b")
  refused("the state is nil", Smoothed.new)
  refused("field p is table", Smoothed.new, { p = { x = 1 } })
  refused("a name is \"haeding\"", Smoothed.new, { heading = 1 }, { wrap = { haeding = 6 } })
  refused("a name is \"frmae\"", Smoothed.new, { frame = 1 }, { keep = { "frmae" } })
  refused("wrap is -1", Smoothed.new, 1, { wrap = -1 })
  local number = Smoothed.new(1)
  refused("the state is nil", number.step, number)
  refused("the state is nan", number.step, number, 0 / 0)
  refused("alpha is nil", number.at, number)
  refused('a name is "y"', function()
    Smoothed.new({ x = 1 }):shift({ x = 1, y = 1 })
  end)
  equal(number:at(0.5), 1)
  -- At the line that made the call.
  local _, message = pcall(function()
    FixedTimestep.new(0)
  end)
  assert(message:find("evenstep.lua:%d+: evenstep: the rate"), message)
  assert(not message:find("../evenstep.lua", 1, true), "at this file's line: " .. message)
end

function tests.a_year_of_frames_and_of_input_is_exact()
  local loop = evenstep.GameLoop.new(60)
  local start, day = 1.7e9, 86400
  loop:begin_frame(start)
  for number = 1, 400 do
    loop:begin_frame(start + number * day)
  end
  local at = start + 400 * day
  local presses = 0
  for number = 1, 600 do
    if number % 60 == 30 then
      loop:press_at(at + number / 60 - 0.002, "a")
      loop:release_at(at + number / 60 - 0.001, "a")
    end
    for _ in loop:begin_frame(at + number / 60):steps() do
      presses = presses + loop.input:presses("a")
    end
  end
  equal(presses, 10)
  local counts = loop.input:counts()
  equal(counts.late + counts.foreign, 0)
  local timestep = evenstep.FixedTimestep.new({ 60000, 1001 }, { overrun = { carry = 1e9 }, max_steps = 100 })
  timestep:begin_frame(0)
  for second = 1, 1001 do
    timestep:begin_frame(second)
  end
  equal(timestep:begin_frame(1001).tick, 60000, "1001 s")
  local whole, numer, denom = timestep:overstep()
  equal(whole, 0)
  equal(numer, 0)
  equal(denom, 1)
end

--- A function of the file that is local to it.
local function hidden(of, name)
  for index = 1, 100 do
    local found, value = debug.getupvalue(of, index)
    if found == name then
      return value
    end
  end
end

function tests.products_are_divided_exactly()
  local scale = hidden(evenstep.FixedTimestep._units, "scale")
  local divide, muldiv = hidden(scale, "divide"), hidden(scale, "muldiv")
  local seed = 1
  local function whole(bits)
    local number = 0
    for _ = 1, bits do
      seed = (seed * 16807) % 2147483647
      number = number * 2 + (seed > 1073741823 and 1 or 0)
    end
    return number + 1.0
  end
  for _ = 1, 2000 do
    -- At the ends of multiples, where a quotient of doubles is rounded up.
    local c = whole(10 + seed % 30)
    local q = (2 ^ 53 - 1) / c
    q = q - q % 1 - whole(seed % 8)
    for off = -1, 1 do
      local quotient, rest = divide(q * c + off, c)
      assert(rest >= 0 and rest < c and quotient * c + rest == q * c + off, ("%.0f / %.0f"):format(q * c + off, c))
    end
    local one, other, by = whole(1 + seed % 52), whole(1 + seed % 51), whole(30 + seed % 22)
    local quotient, rest = muldiv(one, other, by)
    assert(rest >= 0 and rest < by, "the remainder is less than the divisor")
    if quotient < 2 ^ 52 then
      assert(math.abs(quotient - one * other / by) <= 1 + quotient * 2 ^ -50, "the quotient")
      for _, prime in ipairs({ 1048573, 1048571, 1048559, 1048549 }) do
        local product = (math.fmod(one, prime) * math.fmod(other, prime)) % prime
        local back = (math.fmod(quotient, prime) * math.fmod(by, prime) + math.fmod(rest, prime)) % prime
        equal(back, product, ("%.0f * %.0f / %.0f, modulo a prime"):format(one, other, by))
      end
    end
  end
end

--- The table that a step allocates, in bytes: none in a steady state.
function tests.a_frame_allocates_nothing()
  local loop = evenstep.GameLoop.new(60)
  local x = evenstep.Smoothed.new(0)
  local number = 0
  local function frames(count)
    for _ = 1, count do
      number = number + 1
      local frame = loop:begin_frame(number / 144)
      for step in frame:steps() do
        x:step(x.current + step.dt)
      end
      x:at(frame.alpha)
    end
  end
  frames(1000)
  collectgarbage()
  collectgarbage("stop")
  local before = collectgarbage("count")
  frames(1000)
  local grown = collectgarbage("count") - before
  collectgarbage("restart")
  assert(grown < 4, ("1000 frames allocate %g KiB"):format(grown))
end

suite.run(tests, _VERSION .. (jit and " (LuaJIT)" or ""))
