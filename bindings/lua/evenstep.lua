-- SPDX-License-Identifier: MIT OR Apache-2.0
-- evenstep 0.1.0, https://docs.rs/evenstep

--- evenstep: equal simulation steps at any frame rate, smooth drawing between them, each press of a key in exactly one step.
--
--     local evenstep = require("evenstep")
--     local loop = evenstep.GameLoop.new(60)             -- steps a second
--     local x = evenstep.Smoothed.new(0)
--
--     local frame = loop:begin_frame(now)                -- once for each image; now: seconds of your clock
--     for step in frame:steps() do
--       x:step(x.current + 2 * step.dt)                  -- the simulation: 2 units a second
--     end
--     draw(x:at(frame.alpha))                            -- between its last two states
--
-- One file without dependencies for Lua 5.1 to 5.4 and LuaJIT. It reads no clock, prints nothing and has no global state. In the steady
-- state it allocates nothing, input excepted.
--
-- TIME     Times and durations are seconds, as from love.timer.getTime() or socket.gettime(), rounded to a nanosecond; times of one loop
--          are of one clock. Time is counted in whole numbers, so nothing drifts, and the digits are those of the crate evenstep.
-- RATIOS   Rates and time scales are numbers with the value of their decimal digits (59.94 is exactly 5994/100), or numerator and
--          denominator, {60000, 1001}. A rate has terms up to 4 500 000, a time scale up to 2^32, so that no sum is rounded.
-- ERRORS   A call with a wrong argument raises an error at the caller's line, and has changed nothing.
-- NOT HERE Several rates in one loop, clocks that follow a song or a display, saved states, frame statistics: they are in the crate.

local evenstep = { VERSION = "0.1.0" }

local insert, remove = table.insert, table.remove
local huge, min, max = math.huge, math.min, math.max
--- A whole double as an integer where Lua has integers, so that a tick is printed without ".0".
local integer = math.tointeger or function(whole)
  return whole
end

-- Numbers are doubles in this file, also where Lua has integers, which would wrap: an argument has 0.0 added to it, and so has what floor gives.
local BILLION = 1e9
local MAX_STEPS = 2 ^ 32 - 1
local MAX_TERM = 4.5e6
--- The longest delta, in nanoseconds: 52 days.
local MAX_DELTA = 2 ^ 52
local EXACT = 2 ^ 53
local DEFAULT_MAX_DELTA = 250e6
--- The longest delta of a GameLoop: a machine that is too slow for the steps then draws ten frames a second, in slow motion, and not four.
local DRAWING_MAX_DELTA = 100e6
local LARGEST_ALPHA = 1 - 2 ^ -24
local RUNNING, PAUSED, RESUMING = 1, 2, 3

-- ----------------------------------------------------------------------------------------------------------------------------------
-- Errors

--- Raises an error at the line that called into this file.
local function fail(message)
  local source, level = debug.getinfo(1, "S").source, 1
  repeat
    level = level + 1
    local info = debug.getinfo(level, "S")
    -- Lua 5.1 has a level of its own for a tail call.
  until not info or info.source ~= source and info.what ~= "tail"
  error("evenstep: " .. message, level)
end

local function refuse(name, value, wanted)
  local shown = type(value) == "string" and ("%q"):format(value) or value ~= value and "nan" or tostring(value)
  fail(name .. " is " .. shown .. "; it must be " .. wanted)
end

--- A finite number, from `least` to `most` if these are given, as a double.
local function number(value, name, wanted, least, most)
  if type(value) ~= "number" or value - value ~= 0 or value < (least or value) or value > (most or value) then
    refuse(name, value, wanted or "a finite number")
  end
  return value + 0.0
end

local function whole_number(value, name, least, most)
  local wanted = ("a whole number from %.0f to %.0f"):format(least, most)
  if number(value, name, wanted, least, most) % 1 ~= 0 then
    refuse(name, value, wanted)
  end
  return value + 0.0
end

local function options_of(options)
  if options ~= nil and type(options) ~= "table" then
    refuse("the options", options, "a table, or left out")
  end
  return options or {}
end

--- Has the methods of a class refuse what is no object of it: forgetting the colon is the commonest error.
local function check_objects(class)
  for name, method in pairs(class) do
    if type(method) == "function" and name ~= "new" and name:sub(1, 1) ~= "_" then
      class[name] = function(self, one, two, three)
        if type(self) ~= "table" or not self[name] then
          fail(name .. " is a method: call it with a colon, object:" .. name .. "(...)")
        end
        return method(self, one, two, three)
      end
    end
  end
end

-- ----------------------------------------------------------------------------------------------------------------------------------
-- Exact sums

--- Quotient and remainder of whole numbers up to 2^53. A quotient just below a whole number is never rounded to it there.
local function divide(a, c)
  local quotient = a / c
  quotient = quotient - quotient % 1
  return quotient, a - quotient * c
end

--- Quotient and remainder of a * b by c, of whole numbers up to 2^53, c up to 2^52: twice those of half of a. From 2^53 on the quotient is
-- rounded.
local function muldiv(a, b, c)
  if a * b < EXACT then
    return divide(a * b, c)
  end
  local of_b, half, odd, quotient, rest, twice, once
  of_b, b = divide(b, c)
  half, odd = divide(a, 2)
  quotient, rest = muldiv(half, b, c)
  twice, rest = divide(2 * rest, c)
  once, rest = divide(rest + odd * b, c)
  return a * of_b + 2 * quotient + twice + once, rest
end

--- (high * base + low) * a / b + rest / b units, rounded down: how many times `base`, how many more, and what is left in b-ths of one.
local function scale(high, low, base, a, b, rest)
  local parts, of_low, units, carry, beyond, more
  high, parts = muldiv(high, a, b)
  of_low, units = muldiv(low, a, base)
  carry, parts = divide(parts + of_low, b)
  low, beyond = muldiv(parts, base, b)
  more, rest = divide(units + beyond + rest, b)
  return high + carry, low + more, rest
end

local function gcd(a, b)
  while b > 0 do
    local _, rest = divide(a, b)
    a, b = b, rest
  end
  return a
end

-- ----------------------------------------------------------------------------------------------------------------------------------
-- Times and ratios

--- Whole seconds, and the nanoseconds beyond.
local function split(time, name)
  local seconds = number(time, name, "seconds, a finite number from 0 on", 0)
  local rest = seconds % 1
  local nanos = rest * BILLION + 0.5
  return seconds - rest, nanos - nanos % 1
end

--- The terms of a ratio: as given, or from as many decimal digits of a number as fit.
local function ratio(value, name)
  local numer, denom
  if type(value) == "table" then
    numer = whole_number(value[1], "the numerator of " .. name, 0, MAX_STEPS)
    denom = whole_number(value[2], "the denominator of " .. name, 1, MAX_STEPS)
  else
    number(value, name, "a number from 0 to 4294967295, or {numerator, denominator}", 0, MAX_STEPS)
    denom = 0.1
    repeat
      denom = denom * 10
      numer = math.floor(value * denom + 0.5) + 0.0
    until numer / denom == value or denom == 1e9 or value * denom * 10 > MAX_STEPS
  end
  local divisor = gcd(numer, denom)
  return numer / divisor, denom / divisor
end

local function policy(overrun)
  if overrun == "drop" then
    return { drops = true, seconds = 0.0, nanos = 0.0 }
  elseif type(overrun) == "table" and overrun.carry ~= nil then
    local seconds, nanos = split(overrun.carry, "carry")
    return { seconds = min(seconds, MAX_DELTA), nanos = nanos }
  elseif type(overrun) == "table" and overrun.stretch ~= nil then
    local numer, denom = ratio(overrun.stretch, "stretch")
    return { seconds = MAX_DELTA, nanos = 0.0, numer = max(numer, denom), denom = denom }
  end
  refuse("overrun", overrun, '"drop", {carry = seconds} or {stretch = speed}')
end

-- ----------------------------------------------------------------------------------------------------------------------------------
-- The default filter

-- Nanoseconds; the reason for each is in crates/evenstep/src/filter/display_clock.rs.
local AIM, MAX_LAG, MAX_LEAD, HITCH = -2e6, 3e6, 4e6, 250e6
--- Frames in a row at the same bound after which the period is another.
local RELOCK = 32

--- Evens out the times of frames, never further from the clock than 4 ms ahead and 3 ms behind: a second-order phase-locked loop in whole
-- nanoseconds. It serves one timestep; a GameLoop has one.
local DisplayClock = {}
DisplayClock.__index = DisplayClock
evenstep.DisplayClock = DisplayClock

function DisplayClock.new()
  return setmetatable({ _residual = 0.0, _frames = 0, max_lead = MAX_LEAD }, DisplayClock)
end

--- Nanoseconds that came in and do not count yet; negative while it leads the clock.
function DisplayClock:residual()
  return self._residual
end

function DisplayClock:_start_over(delta)
  -- The period is in 2^-16 ns. Its gain is the inverse of the largest power of two in the number of frames, the phase's half of it.
  self._period, self._frames, self._power, self._at_bound = delta * 65536, 1, 1, 0
end

--- Takes the nanoseconds since the last frame, and returns those for the timestep.
function DisplayClock:apply(delta)
  local owed = self._residual + delta
  if delta > HITCH or self._frames == 0 then
    if delta <= HITCH then
      self:_start_over(delta)
    end
    self._residual = AIM
    return owed - AIM
  end
  local frames, power = self._frames + 1, self._power
  self._frames = frames
  if power < 512 and frames >= 2 * power then
    power = 2 * power
    self._power = power
  end
  local part = (delta * 65536 - self._period) / power
  self._period = self._period + part - part % 1
  local period = self._period / 65536
  period = period - period % 1
  part = (owed - AIM - period) / min(2 * power, 128)
  local wanted = period + part - part % 1
  local given = max(min(max(wanted, owed - MAX_LAG), owed + MAX_LEAD), 0)
  if given > wanted then
    self._at_bound = max(self._at_bound, 0) + 1
  elseif given < wanted then
    self._at_bound = min(self._at_bound, 0) - 1
  else
    self._at_bound = 0
  end
  if math.abs(self._at_bound) >= RELOCK then
    self:_start_over(delta)
  end
  self._residual = owed - given
  return given
end

-- ----------------------------------------------------------------------------------------------------------------------------------
-- The plan for a frame

--- The plan for a frame: run its steps, `for step in frame:steps() do`, then draw at `frame.alpha`. The frame and its step are the same
-- tables each time: copy values that you keep.
--
-- `first_tick`     the tick of its first step; ticks count steps from 0
-- `tick`           the tick of the next step: as many steps are completed when the frame's are
-- `step_count`     the number of steps; `single_steps` of them were requested by `step_once` and use up no time
-- `alpha`          where to draw between the previous state, 0, and the current one; below 1
-- `dt`             the length of every step in seconds
-- `is_behind`      whether time is kept back for later frames
-- `lost`           what the frame lost: `clamped`, seconds beyond the longest delta; `dropped`, steps that were due. Not lost but stated
--                  there: `paused`, seconds of a pause
local Frame = {}
Frame.__index = Frame
evenstep.Frame = Frame

local function next_step(frame, step)
  local count = step and step._count + 1 or 1
  if count > frame.step_count then
    return nil
  end
  step = frame._step
  step._count = count
  step.tick, step.dt, step.is_last = frame.first_tick + count - 1, frame.dt, count == frame.step_count
  if frame._input then
    frame._input:begin_step(step)
  end
  return step
end

--- Iterates over the steps: `tick`, `dt`, and `is_last`, whether it is the last of its frame. Those of a `GameLoop` bring their input.
function Frame:steps()
  return next_step, self, nil
end

-- ----------------------------------------------------------------------------------------------------------------------------------
-- The timestep

--- A fixed timestep: takes the time of each frame, and returns the equal steps that are due, and where to draw between the last two states.
-- For loops of your own; a `GameLoop` is one with a filter and input.
--
-- It counts in units of 1/n ns for a rate of n/d Hz, of which a nanosecond and a step are whole numbers. Amounts of more than a step are
-- whole steps and a rest: so all sums stay below 2^53.
local FixedTimestep = {}
FixedTimestep.__index = FixedTimestep
evenstep.FixedTimestep = FixedTimestep

--- A timestep of a number of steps a second. Options: `filter`, a `DisplayClock` or a filter of your own (`apply`, `residual`, `max_lead`);
-- `lookahead`, true to simulate a step ahead, so that the present is drawn; and what the methods of the same name set: `max_delta`,
-- `max_steps`, `overrun`, `time_scale`.
function FixedTimestep.new(rate, options)
  options = options_of(options)
  local numer, denom = ratio(rate, "the rate")
  local is_number = type(rate) == "number"
  if numer == 0 or max(numer, denom) > MAX_TERM or is_number and numer / denom ~= rate then
    local wanted = "above 0, with terms up to 4500000 for exact sums, and exact as {numerator, denominator}, such as {60000, 1001}"
    refuse("the rate", is_number and rate or rate[1] .. "/" .. rate[2], wanted)
  end
  local self = setmetatable({
    _numer = numer,
    _denom = denom,
    _per_step = BILLION * denom,
    _per_second = BILLION * numer,
    _scale_numer = 1.0,
    _scale_denom = 1.0,
    _overrun = policy("drop"),
    _default_max_delta = DEFAULT_MAX_DELTA,
    _activity = RUNNING,
    _single_steps = options.lookahead and 1 or 0,
    _lookahead = options.lookahead,
    _filter = options.filter,
    _frames = 0,
    _backward = 0,
    _seconds = 0.0,
    _nanos = 0.0,
    -- The time between the last two frames, by the clock and by the filter.
    _passed = 0.0,
    _delta = 0.0,
    _frame = setmetatable({ dt = denom / numer, lost = { clamped = 0, paused = 0, dropped = 0 }, _step = {} }, Frame),
  }, FixedTimestep)
  -- The most that other languages count in 64 bits: 2^62 units, and less than 2^32 steps.
  self._most_steps, self._most = muldiv(2 ^ 31, 2 ^ 31, self._per_step)
  if self._most_steps > MAX_STEPS then
    self._most_steps, self._most = MAX_STEPS, 0.0
  end
  self:_start()
  self:_settle()
  for _, name in pairs({ "max_delta", "max_steps", "overrun", "time_scale" }) do
    if options[name] ~= nil then
      self["set_" .. name](self, options[name])
    end
  end
  return self
end

function FixedTimestep:_start()
  self._tick, self._count, self._granted = 0.0, 0, 0
  -- Of the time towards the next step; what of it is drawn, which never goes back; the time that the policy keeps back; and simulated time
  -- below a nanosecond, in 1/denominator of the scale.
  self._fraction, self._shown, self._backlog_steps, self._backlog, self._subnano = 0.0, 0.0, 0.0, 0.0, 0.0
  -- Before the last frame: fraction and backlog, and what was drawn.
  self._begin_steps, self._begin, self._shown_before = 0.0, 0.0, 0.0
  self._drops_backlog, self._has_time = false, false
end

--- Seconds and nanoseconds as steps and units.
function FixedTimestep:_units(seconds, nanos)
  local steps, billionths, rest = scale(seconds, nanos, BILLION, self._numer, self._denom, 0.0)
  return steps, billionths * self._denom + rest
end

--- The longest delta at a scale whose sums other languages count in 64 bits. At most 52 days.
function FixedTimestep:_countable(numer, denom)
  local per_step = self._per_step
  local steps, units = scale(self._most_steps, self._most, per_step, 1, self._numer, 0.0)
  steps, units = scale(steps, units, per_step, denom, numer, 0.0)
  local high, low = scale(MAX_STEPS, 2 ^ 32 - denom, 2 ^ 32, 1, numer, 0.0)
  return min(steps * per_step + units, high * 2 ^ 32 + low, MAX_DELTA)
end

--- Works out what follows from the settings.
function FixedTimestep:_settle()
  local numer, denom, overrun = self._scale_numer, self._scale_denom, self._overrun
  local max_delta = self._max_delta or overrun.drops and self._default_max_delta or huge
  self._longest = numer > 0 and min(self:_countable(numer, denom), max_delta) or huge
  -- Shorter deltas are counted by one product.
  self._simple = denom == 1 and numer > 0 and MAX_DELTA / self._numer / numer or -1
  local steps, units = self:_units(overrun.seconds, overrun.nanos)
  if steps > self._most_steps or steps == self._most_steps and units > self._most then
    steps, units = self._most_steps, self._most
  end
  self._most_backlog_steps, self._most_backlog = steps, units
  if numer < denom then
    numer, denom = 1.0, 1.0
  end
  local delta = min(max_delta < huge and max_delta or DEFAULT_MAX_DELTA, self:_countable(numer, denom))
  local seconds, nanos = divide(delta, BILLION)
  steps, units = self:_units(scale(seconds, nanos, BILLION, numer, denom, denom - 1))
  self._max_steps = self._wanted_steps or min(units > 0 and steps + 1 or steps, MAX_STEPS)
end

--- Sets the longest accepted time between two frames; what is beyond it is `lost.clamped`. Unless set, or nil: where time that does not fit is
-- dropped, 250 ms, and 100 ms in a `GameLoop`, so that a machine that is too slow goes on drawing; no limit where it is kept.
function FixedTimestep:set_max_delta(seconds)
  local max_delta
  if seconds then
    local whole_seconds, nanos = split(seconds, "the longest delta")
    max_delta = min(whole_seconds * BILLION + nanos, MAX_DELTA)
  end
  self._max_delta = max_delta
  self:_settle()
end

--- Sets the most steps of a frame without single steps. Unless set, or nil: as many as fit into the longest delta, or into 250 ms if there is no
-- limit, at normal speed or faster.
function FixedTimestep:set_max_steps(steps)
  self._wanted_steps = steps and whole_number(steps, "the most steps", 0, MAX_STEPS)
  self:_settle()
end

--- Sets what becomes of steps that are due and do not fit into a frame. `"drop"`, the default: they are lost, and the game is slower while
-- the machine is too slow. `{carry = seconds}`: up to this simulated time they are made up for in the next frames. `{stretch = speed}`: they
-- are made up for at so many times the speed.
function FixedTimestep:set_overrun(overrun)
  self._overrun = policy(overrun)
  self:_settle()
end

--- Sets how fast simulated time runs: 0.5 is slow motion, 0 stands still, up to a million. Steps keep their length.
function FixedTimestep:set_time_scale(speed)
  local numer, denom = ratio(speed, "the time scale")
  if numer / denom > 1e6 then
    refuse("the time scale", numer / denom, "a million or less")
  elseif numer ~= self._scale_numer or denom ~= self._scale_denom then
    self._subnano = muldiv(self._subnano, denom, self._scale_denom)
    self._scale_numer, self._scale_denom = numer, denom
    self:_settle()
  end
end

--- Grants one more step in the next frame without using up time: to go on step by step in a pause.
function FixedTimestep:step_once()
  self._single_steps = self._single_steps + 1
end

--- Begins a pause with the next frame; the steps of the present one still run.
function FixedTimestep:pause()
  self._activity = PAUSED
end

--- Ends a pause: the time until the next frame is its last. Steps that were kept back before it are run.
function FixedTimestep:resume()
  if self._activity == PAUSED then
    self._activity = RESUMING
  end
end

--- Ends a pause and drops the steps that were kept back before it. Without a pause, for a load that was noticed too late: the time until
-- the next frame counts as paused.
function FixedTimestep:resume_dropping()
  self._drops_backlog, self._activity = true, RESUMING
end

--- Whether there is a pause, from `pause` to `resume`.
function FixedTimestep:is_paused()
  return self._activity == PAUSED
end

--- Starts over at tick 0 with the same settings. The clock goes on, and so does a pause.
function FixedTimestep:reset()
  self:_start()
  self._single_steps = self._lookahead and 1 or 0
end

--- The number of frames whose time was before that of an earlier one: time stood still in them.
function FixedTimestep:backward_frames()
  return self._backward
end

--- Begins a frame at a time of your clock, and returns its plan. The first frame is the beginning: no time has passed in it. If the clock
-- goes back, time stands still until it has caught up.
function FixedTimestep:begin_frame(now)
  return self:_begin_frame(split(now, "the time of the frame"))
end

function FixedTimestep:_begin_frame(seconds, nanos)
  local delta = 0.0
  if self._frames > 0 then
    delta = (seconds - self._seconds) * BILLION + (nanos - self._nanos)
  end
  if delta >= 0 then
    self._seconds, self._nanos = seconds, nanos
  else
    self._backward, delta = self._backward + 1, 0.0
  end
  self._passed = delta
  if self._filter and self._frames > 0 then
    delta = self._filter:apply(delta)
  end
  self._delta = delta
  return self:_advance(delta)
end

function FixedTimestep:_advance(delta)
  local per_step = self._per_step
  local clamped, paused, dropped = 0, 0, 0
  if self._drops_backlog then
    dropped, self._fraction = divide(self._fraction + self._backlog, per_step)
    dropped = self._backlog_steps + dropped
    self._backlog_steps, self._backlog, self._drops_backlog = 0.0, 0.0, false
    self._shown = max(self._shown, self._fraction)
  end
  local fraction = self._fraction
  self._begin_steps, self._begin, self._shown_before = self._backlog_steps, fraction + self._backlog, self._shown
  if self._activity ~= RUNNING then
    if self._activity == RESUMING then
      self._activity = RUNNING
    end
    paused, delta = delta, 0.0
  elseif delta > self._longest then
    clamped, delta = delta - self._longest, self._longest
  end
  self._has_time = delta > 0 and self._scale_numer > 0
  local due, units
  if delta <= self._simple then
    due, units = 0, delta * self._scale_numer * self._numer
    if units >= per_step then
      due, units = divide(units, per_step)
    end
  else
    due, units = self:_arrived(delta)
  end
  if (self._backlog_steps > 0 or self._backlog > 0) and (due > 0 or units > 0) then
    due, units = self:_released(due, units)
  end
  fraction = fraction + units
  if fraction >= per_step then
    due, fraction = due + 1, fraction - per_step
  end
  self._fraction = fraction
  if due > self._max_steps then
    dropped = dropped + self:_keep_back(due - self._max_steps)
    due = self._max_steps
  end
  local count = min(due + self._single_steps, MAX_STEPS)
  self._single_steps = 0
  self._granted = count - due
  self._tick, self._count = self._tick + count, count
  if count > 0 or fraction > self._shown then
    self._shown = fraction
  end
  self._frames = self._frames + 1
  local frame = self._frame
  local lost = frame.lost
  frame.single_steps = integer(self._granted)
  lost.clamped, lost.paused, lost.dropped = clamped / BILLION, paused / BILLION, integer(dropped)
  return self:_show()
end

--- The simulated time of an accepted delta, in steps and units.
function FixedTimestep:_arrived(delta)
  local seconds, nanos = divide(delta, BILLION)
  seconds, nanos, self._subnano = scale(seconds, nanos, BILLION, self._scale_numer, self._scale_denom, self._subnano)
  return self:_units(seconds, nanos)
end

--- The part of the arrived time and the backlog that may be used now.
function FixedTimestep:_released(steps, units)
  local per_step, overrun = self._per_step, self._overrun
  local carry, all = divide(self._backlog + units, per_step)
  local all_steps = self._backlog_steps + steps + carry
  local most_steps, most = all_steps, all
  if overrun.numer then
    most_steps, most = scale(steps, units, per_step, overrun.numer, overrun.denom, 0.0)
    if most_steps > all_steps or most_steps == all_steps and most > all then
      most_steps, most = all_steps, all
    end
  end
  local borrow = most > all and 1 or 0
  self._backlog_steps, self._backlog = all_steps - most_steps - borrow, all - most + borrow * per_step
  return most_steps, most
end

--- Keeps as many steps for later as the policy allows. Returns the number of the others.
function FixedTimestep:_keep_back(steps)
  local room = self._most_backlog_steps - self._backlog_steps - (self._most_backlog < self._backlog and 1 or 0)
  local kept = min(steps, max(room, 0))
  self._backlog_steps = self._backlog_steps + kept
  return steps - kept
end

function FixedTimestep:_show()
  local frame = self._frame
  frame.first_tick, frame.tick = integer(self._tick - self._count), integer(self._tick)
  frame.step_count = integer(self._count)
  frame.alpha = min(self._shown / self._per_step, LARGEST_ALPHA)
  frame.is_behind = self._backlog_steps > 0 or self._backlog > 0
  return frame
end

--- Takes back the last `unrun` steps of the last frame, for which there was no time: leave the loop over its steps, call this, draw. The
-- overrun policy decides about them. To leave after a step, `unrun` is `frame.tick - step.tick - 1`.
function FixedTimestep:give_back(unrun)
  unrun = whole_number(unrun, "unrun", 0, self._count)
  self._tick, self._count = self._tick - unrun, self._count - unrun
  if self._count == 0 then
    self._shown = max(self._shown, self._shown_before)
  end
  local lost = self._frame.lost
  lost.dropped = integer(lost.dropped + self:_keep_back(unrun))
  return self:_show()
end

--- Steps and units as whole seconds, and numerator and denominator of the rest in lowest terms.
function FixedTimestep:_seconds_of(steps, units)
  local seconds, rest = muldiv(steps, self._denom, self._numer)
  local more, parts = divide(rest * BILLION + units, self._per_second)
  local divisor = gcd(self._per_second, parts)
  return integer(seconds + more), integer(parts / divisor), integer(self._per_second / divisor)
end

--- Simulated time that has arrived and has not been stepped yet, after the last frame: whole seconds, and numerator and denominator of a
-- fraction of a second.
function FixedTimestep:overstep()
  local carry, units = divide(self._fraction + self._backlog, self._per_step)
  return self:_seconds_of(self._backlog_steps + carry, units)
end

--- The simulated time that the frame shows, blended at alpha: whole seconds, and numerator and denominator of a fraction of a second.
function FixedTimestep:shown_time()
  if self._tick == 0 then
    return 0, 0, 1
  end
  return self:_seconds_of(self._tick - 1, self._shown)
end

--- The tick of the step in which simulated time was at `since` of `interval` nanoseconds of the last frame. Single steps come first.
function FixedTimestep:_tick_at(since, interval)
  local per_step, granted = self._per_step, self._granted
  local carry, begin = divide(self._begin, per_step)
  local begin_steps = self._begin_steps + carry
  local more, rest = divide(self._fraction + self._backlog, per_step)
  local end_steps = self._count - granted + self._backlog_steps + more
  if end_steps < 0 then
    end_steps, rest = 0, 0.0
  end
  local first = self._tick - self._count
  if end_steps < begin_steps or (end_steps == begin_steps and rest <= begin) then
    return first + end_steps
  end
  local borrow = rest < begin and 1 or 0
  local way_steps, way = end_steps - begin_steps - borrow, rest - begin + borrow * per_step
  local steps, units = scale(way_steps, way, per_step, min(since, interval), max(interval, 1), 0.0)
  return first + granted + begin_steps + steps + (units + begin >= per_step and 1 or 0)
end

-- ----------------------------------------------------------------------------------------------------------------------------------
-- Input

--- Keys, buttons, pointer and wheel: each event reaches exactly one step, and a tap shorter than a step is seen once. A key is a string or
-- a number. Events without a time act in the next step that runs; those of the calls that end in `_at` in the step of their time, which is of
-- the clock that times the frames.
--
-- Before the first frame and in a pause, also at a time scale of 0, presses and motion are forgotten, and what is held or released is kept.
-- Of presses and releases for which there is no room what is held in the end is kept; motion has room of its own, beyond which it is added
-- up.
local InputBuffer = {}
InputBuffer.__index = InputBuffer
evenstep.InputBuffer = InputBuffer

--- An event that is further from its frame than this many nanoseconds has a time of another clock.
local FAR = 1e9
--- How many arguments an event of each kind has: a key, or x and y.
local KINDS = { press = 1, release = 1, release_all = 0, motion = 2, wheel = 2 }
--- The keys of a step that have no state.
local UP = { presses = 0, is_held = false, was_released = false }

--- A buffer. Options: `capacity`, the most presses and releases between two steps, 1024 unless set; `keep_pauses`, true to keep the events of
-- a pause for the first step after it.
function InputBuffer.new(options)
  options = options_of(options)
  return setmetatable({
    _capacity = whole_number(options.capacity or 1024, "the capacity", 1, 2 ^ 20),
    _keeps_pauses = options.keep_pauses,
    -- By time; the tick of those that wait for their frame is infinite. Those with x and y are motion.
    _events = {},
    -- Times are nanoseconds since `_base`, the whole second of the first time: no coarser than the clock's seconds, however long it runs. What
    -- comes before that is before all times.
    _reached = -2.0 ^ 62,
    _delay = 0.0,
    _last_now = 0.0,
    _pause_begin = 0.0,
    _pause_end = 0.0,
    _frames = 0,
    -- Motion without a time: of earlier frames, and since the last one, of which the next frame tells if it belongs to a pause. The first
    -- tick that has taken none of it, and the tick after the steps of the frame.
    _spread_next = 0,
    _spread_end = 0,
    _ahead = 0,
    _keys = {},
    _moved = { x = 0.0, y = 0.0 },
    _turned = { x = 0.0, y = 0.0 },
    _counts = { late = 0, reordered = 0, refused = 0, paused = 0, foreign = 0 },
  }, InputBuffer)
end

function InputBuffer:_line(seconds, nanos)
  if not self._base then
    self._base = seconds
    self._reached = -seconds * BILLION
    self._last_now, self._pause_begin, self._pause_end = self._reached, self._reached, self._reached
  end
  return (seconds - self._base) * BILLION + nanos
end

--- Reduces an event to its state: of a press, that the key is held.
local function reduce(event)
  if event.kind == "press" then
    event.kind = "hold"
  end
  event.is_state = true
end

--- The number of events that are no motion.
function InputBuffer:_others()
  local number_of_others = 0
  for _, event in ipairs(self._events) do
    number_of_others = number_of_others + (event.x and 0 or 1)
  end
  return number_of_others
end

function InputBuffer:_count(name, is_counted)
  self._counts[name] = self._counts[name] + (is_counted and 1 or 0)
end

--- Removes the states before a state that replaces them, up to the next event that is neither a state nor motion. Returns its index then.
function InputBuffer:_replace(index)
  local events = self._events
  local newer, at = events[index], index - 1
  while newer.is_state and at > 0 and (events[at].is_state or events[at].x) do
    if not events[at].x and (newer.kind == "release_all" or events[at].key == newer.key) then
      remove(events, at)
      index = index - 1
    end
    at = at - 1
  end
  return index
end

--- Reduces all open events, which the frame has found to belong to a pause, to states.
function InputBuffer:_reduce()
  local index = 1
  while index <= #self._events do
    local event = self._events[index]
    if event.is_open then
      self:_count("paused", not event.is_state)
      if event.x then
        remove(self._events, index)
        index = index - 1
      else
        reduce(event)
        index = self:_replace(index)
      end
    end
    index = index + 1
  end
end

local function add(sum, x, y)
  sum = sum or { x = 0.0, y = 0.0 }
  sum.x, sum.y = sum.x + x, sum.y + y
  return sum
end

--- Adds motion to motion of its kind a short time before it: what remains is spread evenly over the time of all motion.
function InputBuffer:_add_up()
  local events, first, last = self._events, nil, nil
  for _, event in ipairs(events) do
    if event.x then
      first, last = first or event.at, event.at
    end
  end
  local grain = divide(last - first, max(math.floor(self._capacity / 4), 1))
  local newest = {}
  self._events = {}
  for _, event in ipairs(events) do
    local older = event.x and newest[event.kind]
    -- What waits for its frame may belong to a pause.
    if older and event.at - older.at <= grain and (older.tick == huge) == (event.tick == huge) then
      add(older, event.x, event.y)
    else
      insert(self._events, event)
      newest[event.kind] = event
    end
  end
end

--- Inserts an event, or the state that is left of it. Returns whether it is there.
function InputBuffer:_insert(index, event)
  local events, is_paused = self._events, event.is_state
  local is_full = not event.x and self:_others() >= self._capacity
  self:_count("refused", is_full and not is_paused)
  if is_full and self._keeps_pauses then
    fail(event.kind .. ": the input buffer is full; give it a larger capacity, or begin frames and steps")
  end
  self:_count("paused", is_paused)
  if is_paused and event.x then
    return false
  end
  -- The next step, unless an older event waits for a later one.
  if event.tick < huge or events[index] and events[index].tick < huge then
    event.tick = index > 1 and events[index - 1].tick or 0
  end
  if is_paused or is_full then
    reduce(event)
  end
  insert(events, index, event)
  self:_replace(index)
  if event.x and #events - self:_others() > max(self._capacity, 4) then
    self:_add_up()
  end
  return true
end

function InputBuffer:_push_at(kind, seconds, nanos, key, x, y)
  local at = self:_line(seconds, nanos)
  local events = self._events
  self:_count("foreign", self._frames > 0 and at + FAR < self._last_now)
  self._ahead = self._ahead + (at > self._last_now + FAR and 1 or 0)
  local is_late = at + self._delay < self._reached or at < self._pause_end
  local is_paused = not self._keeps_pauses and at >= self._pause_begin and at < self._pause_end
  local index = #events + 1
  while index > 1 and events[index - 1].at > at do
    index = index - 1
  end
  local is_reordered = index <= #events
  local tick = is_late and 0 or huge
  if self:_insert(index, { at = at, tick = tick, kind = kind, key = key, x = x, y = y, is_state = is_paused }) then
    self:_count("reordered", is_reordered)
    self:_count("late", is_late)
  end
end

--- Takes an event for the next step that runs: after the events that have a tick, before those that wait for their frame.
function InputBuffer:_push(kind, key, x, y)
  if kind == "motion" then
    self._open = add(self._open, x, y)
    return
  end
  local events, index = self._events, 1
  while events[index] and events[index].tick < huge do
    index = index + 1
  end
  local at = self._reached - self._delay - 1
  at = events[index - 1] and max(at, events[index - 1].at) or at
  at = events[index] and min(at, events[index].at) or at
  self:_insert(index, { at = at, tick = 0, kind = kind, key = key, x = x, y = y, is_open = not self._keeps_pauses })
end

-- press(key), release(key): a key or button went down or up: for the next step that runs. Leave out repeats.
-- release_all(): all keys and buttons went up, as when the window loses the focus.
-- motion(x, y): the pointer moved, to the right and down. The steps of the next frame get equal parts.
-- wheel(x, y): a wheel turned.
-- press_at(at, key), motion_at(at, x, y) and so on: the same at a time, for the step that contains it.
for kind, count in pairs(KINDS) do
  --- Key, x and y.
  local function checked(one, two)
    if count == 1 and (type(one) ~= "string" and type(one) ~= "number" or one ~= one) then
      refuse("the key", one, "a string or a number")
    elseif count == 2 then
      return nil, number(one, "x"), number(two, "y")
    end
    return one
  end
  InputBuffer[kind] = function(self, one, two, three)
    if select(count + 1, one, two, three) ~= nil then
      fail(kind .. " has an argument too many; " .. kind .. "_at(at, ...) takes a time")
    end
    self:_push(kind, checked(one, two))
  end
  InputBuffer[kind .. "_at"] = function(self, at, one, two)
    local seconds, nanos = split(at, "at")
    self:_push_at(kind, seconds, nanos, checked(one, two))
  end
end

--- Assigns each event to its step. Call it once a frame, after the timestep's `begin_frame` and before its steps; a `GameLoop` does it.
function InputBuffer:begin_frame(timestep)
  if type(timestep) ~= "table" or (timestep._frames or 0) == 0 or timestep._frames == self._frames and timestep == self._timestep then
    fail("begin_frame: call it once a frame, after the timestep's begin_frame")
  end
  local filter = timestep._filter
  local now = self:_line(timestep._seconds, timestep._nanos)
  local filtered = now - (filter and filter:residual() or 0)
  local events = self._events
  -- A frame before the last one is by another clock, and begins anew.
  local is_other = self._frames > 0 and now < self._last_now
  local begins = self._frames == 0 or is_other
  if begins then
    self._reached = filtered - timestep._delta
    self._last_now = now - timestep._passed
    self._pause_begin, self._pause_end = self._last_now, self._last_now
  end
  if is_other then
    -- What waits has times of the other clock.
    for _, event in ipairs(events) do
      event.at = min(event.at, self._last_now)
    end
  end
  local is_first = begins and timestep._delta == 0 and timestep._passed == 0
  self._timestep, self._frames = timestep, timestep._frames
  local from = self._reached
  self._reached = max(from, filtered)
  self._delay = filter and filter.max_lead or 0.0
  -- If the filter returns no time, the next frame determines whether this one belongs to a pause.
  local last_now, has_moved = self._last_now, self._reached > from
  local stood_still = not timestep._has_time and timestep._granted == 0
  if has_moved then
    self._last_now = max(last_now, now)
    if stood_still then
      if self._pause_end ~= last_now then
        self._pause_begin = last_now
      end
      self._pause_end = self._last_now
    end
  end
  local is_pause = is_first or stood_still and has_moved
  local is_known, is_lost = is_pause or not stood_still, is_pause and not self._keeps_pauses
  if #events > 0 then
    local interval = self._reached - from
    -- What came before the first frame is of a pause.
    local stood_until = is_first and self._last_now or self._pause_end
    for _, event in ipairs(events) do
      if event.tick == huge then
        if event.at + self._delay >= self._reached and event.at >= stood_until then
          break
        end
        event.tick = timestep:_tick_at(max(event.at + self._delay - from, 0), interval)
        event.is_open = is_lost and (is_first or event.at >= self._pause_begin)
      end
    end
    if is_lost then
      self:_reduce()
    end
    -- Events that waited for dropped steps are delivered to the next ones.
    local latest = timestep:_tick_at(1, 1)
    for _, event in ipairs(events) do
      if event.tick < huge then
        event.tick, event.is_open = min(event.tick, latest), event.is_open and not is_known
      end
    end
  end
  if is_lost and self._open then
    self:_count("paused", true)
    self._open = nil
  end
  if is_known then
    self:_close()
  end
  self._spread_next = min(self._spread_next, timestep._tick - timestep._count)
  self._spread_end = timestep._tick
  if self._ahead > 0 then
    local far = 0
    for _, event in pairs(events) do
      far = far + (event.at > self._last_now + FAR and 1 or 0)
    end
    self._counts.foreign, self._ahead = self._counts.foreign + min(self._ahead, far), 0
  end
end

--- The motion since the last frame belongs to no pause.
function InputBuffer:_close()
  if self._open then
    self._due = add(self._due, self._open.x, self._open.y)
    self._open = nil
  end
end

--- The part of a step of the motion without a time, once.
function InputBuffer:_share(tick)
  if tick < self._spread_next then
    return
  end
  self:_close()
  local due = self._due
  if not due then
    return
  end
  self._spread_next = tick + 1
  local left = max(self._spread_end - tick, 1)
  local x, y = due.x / left, due.y / left
  add(due, -x, -y)
  add(self._moved, x, y)
  if left == 1 then
    self._due = nil
  end
end

function InputBuffer:_apply(event)
  local kind, key = event.kind, event.key
  if event.x then
    add(kind == "motion" and self._moved or self._turned, event.x, event.y)
  elseif kind == "press" or kind == "hold" then
    local state = self._keys[key] or { presses = 0, was_released = false }
    self._keys[key] = state
    if kind == "press" and not state.is_held then
      state.presses = state.presses + 1
    end
    state.is_held = true
  else
    for name, state in pairs(self._keys) do
      if state.is_held and (kind == "release_all" or name == key) then
        state.is_held, state.was_released = false, true
      end
    end
  end
end

--- Begins a step and takes its events: what follows describes this step. A `GameLoop` does it.
function InputBuffer:begin_step(step)
  if self._frames == 0 then
    fail("begin_step: call begin_frame first")
  end
  -- A step that was given back comes again with its input. Tick 0 comes again after a reset.
  if step.tick ~= self._tick or step.tick == 0 then
    for _, state in pairs(self._keys) do
      state.presses, state.was_released = 0, false
    end
    self._moved.x, self._moved.y = 0.0, 0.0
    self._turned.x, self._turned.y = 0.0, 0.0
  end
  self._tick = step.tick
  self:_share(step.tick)
  -- With its last event come all older ones: their order is kept if the timestep was set back.
  local count = 0
  for index, event in ipairs(self._events) do
    count = event.tick <= step.tick and index or count
  end
  for _ = 1, count do
    self:_apply(remove(self._events, 1))
  end
end

--- Whether a key is down at the end of the step or went down in it: for a control that acts as long as it is held.
function InputBuffer:is_down(key)
  local state = self._keys[key] or UP
  return state.is_held or state.presses > 0
end

--- Whether a key is down at the end of the step.
function InputBuffer:is_held_at_end(key)
  return (self._keys[key] or UP).is_held
end

--- How often a key went down in the step.
function InputBuffer:presses(key)
  return (self._keys[key] or UP).presses
end

--- Whether a key went up in the step, also if it is down again.
function InputBuffer:was_released(key)
  return (self._keys[key] or UP).was_released
end

--- By how much the pointer moved in the step, right and down. The sum over all steps is the motion that arrived.
function InputBuffer:moved()
  return self._moved.x, self._moved.y
end

--- By how much the wheel turned in the step: the sums of x and y as they were pushed, in LÖVE to the right and up.
function InputBuffer:turned()
  return self._turned.x, self._turned.y
end

--- The number of events that wait for their step, and the numbers of those that arrived after the frame of their time, after a later event,
-- without room, in a pause, and with a time that is over a second before the last frame or after the next, so that it is of another clock:
-- `waiting`, `late`, `reordered`, `refused`, `paused`, `foreign`.
function InputBuffer:counts()
  local counts = { waiting = #self._events + (self._due and 1 or 0) + (self._open and 1 or 0) }
  for name, count in pairs(self._counts) do
    counts[name] = count
  end
  return counts
end

-- ----------------------------------------------------------------------------------------------------------------------------------
-- Smoothed states

--- A state of the simulation, now and before the last step, which is drawn between both: a number, or a table of numbers (an array, or by
-- names). Fields that are no numbers, and those named in `keep`, never lie between: they are drawn as they are now.
--
-- `current`        the state: set it by `step`, or in place after `begin_step`
-- `previous`       the state before the last step
local Smoothed = {}
Smoothed.__index = Smoothed
evenstep.Smoothed = Smoothed

--- Refuses a state of another kind than the first one, and fields that would be shared, or drawn as nothing.
local function check(state, kind)
  if type(state) ~= kind or state ~= state then
    refuse("the state", state, "a number or a table of numbers, as the first state")
  elseif kind == "number" then
    return
  end
  for name, value in pairs(state) do
    if type(value) == "table" or value ~= value then
      refuse("field " .. tostring(name), value, "a number: give each table a Smoothed of its own")
    end
  end
end

local function check_name(state, name)
  if type(state) == "table" and type(state[name]) ~= "number" then
    refuse("a name", name, "that of a number of the state")
  end
end

--- A number, or the other table with the fields of the first, and no others.
local function copy(from, to)
  if type(from) == "number" then
    return from
  end
  for name in pairs(to) do
    if from[name] == nil then
      to[name] = nil
    end
  end
  for name, value in pairs(from) do
    to[name] = value
  end
  return to
end

--- A smoothed state. Options: `wrap`, the period of a number that is blended the shorter way round, such as `2 * math.pi` of an angle (of a
-- table, the periods by name); `keep`, a list of the names whose numbers never lie between, such as a frame of an animation.
function Smoothed.new(state, options)
  options = options_of(options)
  check(state, type(state) == "table" and "table" or "number")
  local self = setmetatable({
    current = copy(state, {}),
    previous = copy(state, {}),
    _drawn = {},
    _is_teleport = false,
    _wrap = type(state) == "number" and { options.wrap } or copy(options_of(options.wrap), {}),
    _keep = {},
  }, Smoothed)
  for name, wrap in pairs(self._wrap) do
    check_name(state, name)
    number(wrap, "wrap", "a number from 0 on", 0)
  end
  for _, name in pairs(options_of(options.keep)) do
    check_name(state, name)
    self._keep[name] = true
  end
  return self
end

--- Sets `current` or `previous`: a number, or the fields that are given.
local function change(self, name, state)
  if type(state) == "number" then
    self[name] = state
    return
  end
  for field, value in pairs(state) do
    self[name][field] = value
  end
end

--- Begins a step where `current` or its fields are set in place: the current state becomes the previous one.
function Smoothed:begin_step()
  self.previous = copy(self.current, self.previous)
  self._is_teleport = false
end

--- Begins a step and sets the state: a number, or a table with the fields that change.
function Smoothed:step(state)
  check(state, type(self.current))
  self:begin_step()
  change(self, "current", state)
end

--- Sets the state before the last step; of a table, the fields that are given. What is spawned moving is here now and was there a step ago.
function Smoothed:set_previous(state)
  check(state, type(self.current))
  self._is_teleport = false
  change(self, "previous", state)
end

--- Marks the state as teleported in this step: it is drawn at its new value, not between.
function Smoothed:teleport()
  self._is_teleport = true
end

--- Whether it teleported in the last step.
function Smoothed:is_teleport()
  return self._is_teleport
end

--- Moves both states, when the origin of the world moves: this is no motion. A number, or a table of numbers.
function Smoothed:shift(by)
  check(by, type(self.current))
  if type(by) == "number" then
    self.previous, self.current = self.previous + by, self.current + by
    return
  end
  for name in pairs(by) do
    check_name(self.current, name)
  end
  for name, way in pairs(by) do
    self.current[name] = self.current[name] + way
    if type(self.previous[name]) == "number" then
      self.previous[name] = self.previous[name] + way
    end
  end
end

--- A number between two, the shorter way if it wraps.
local function blend(from, to, wrap, alpha)
  local way = from - to
  if wrap and wrap > 0 then
    local windings = math.abs(way / wrap) + 0.5
    -- Limited to 64 bits, as in other languages.
    windings = min(windings - windings % 1, 2 ^ 63)
    way = way - (way < 0 and -windings or windings) * wrap
    way = max(min(way, wrap / 2), -wrap / 2)
  end
  -- Subtracted, so that a resting -0.0 keeps its sign.
  return from - way * alpha
end

--- The state to draw at a frame's alpha. A number that wraps may lie outside of one period. A table is the same in every call: copy values
-- that you keep.
function Smoothed:at(alpha)
  number(alpha, "alpha", "a number, such as frame.alpha")
  local previous, current = self.previous, self.current
  local is_newest = alpha > 0 and (alpha >= 1 or self._is_teleport)
  if type(current) == "number" then
    return is_newest and current or alpha <= 0 and previous or blend(previous, current, self._wrap[1], alpha)
  end
  local drawn = copy(current, self._drawn)
  for name, from in pairs(previous) do
    local to = current[name]
    if alpha <= 0 then
      drawn[name] = from
    elseif not is_newest and type(from) == "number" and type(to) == "number" and not self._keep[name] then
      drawn[name] = blend(from, to, self._wrap[name], alpha)
    end
  end
  return drawn
end

-- ----------------------------------------------------------------------------------------------------------------------------------
-- The loop

--- A loop: a timestep with the default filter and the input of a game. It has the methods of `FixedTimestep`, and those of `InputBuffer` by which
-- events arrive; `input` describes the present step.
local GameLoop = setmetatable({}, { __index = FixedTimestep })
GameLoop.__index = GameLoop
evenstep.GameLoop = GameLoop

--- A loop of a number of steps a second. The options of `FixedTimestep`, with the default filter unless `filter` is false, and of
-- `InputBuffer`.
function GameLoop.new(rate, options)
  local self = setmetatable(FixedTimestep.new(rate, options), GameLoop)
  self.input = InputBuffer.new(options)
  self._frame._input = self.input
  if self._filter == nil then
    self._filter = DisplayClock.new()
  end
  self._default_max_delta = DRAWING_MAX_DELTA
  self:_settle()
  return self
end

--- Begins a frame at a time of your clock in seconds, once for each image. Run its steps, then draw.
function GameLoop:begin_frame(now)
  local frame = self:_begin_frame(split(now, "the time of the frame"))
  self.input:begin_frame(self)
  return frame
end

for kind in pairs(KINDS) do
  for _, name in pairs({ kind, kind .. "_at" }) do
    GameLoop[name] = function(self, one, two, three)
      self.input[name](self.input, one, two, three)
    end
  end
end

for _, class in pairs({ Frame, FixedTimestep, InputBuffer, Smoothed, GameLoop }) do
  check_objects(class)
end

return evenstep
