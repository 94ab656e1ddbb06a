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

local debug, error, getmetatable, ipairs, pairs = debug, error, getmetatable, ipairs, pairs
local setmetatable, tostring, type = setmetatable, tostring, type
local insert, remove = table.insert, table.remove
local huge, min, max = math.huge, math.min, math.max
--- A whole double as an integer where Lua has integers, so that a tick is printed without ".0".
local integer = math.tointeger or function(whole)
  return whole
end

-- Numbers are doubles in this file, also where Lua has integers, which would wrap: an argument has 0.0 added to it, and floor is not used.
local BILLION = 1e9
local MAX_STEPS = 2 ^ 32 - 1
local MAX_TERM = 4.5e6
--- The longest delta, in nanoseconds: 52 days.
local LONGEST = 2 ^ 52
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
  local level = 2
  if debug and debug.getinfo then
    local source = debug.getinfo(1, "S").source
    local info = debug.getinfo(level, "S")
    -- Lua 5.1 has a level of its own for a tail call.
    while info and (info.source == source or info.what == "tail") do
      level = level + 1
      info = debug.getinfo(level, "S")
    end
  end
  error("evenstep: " .. message, level)
end

local function refuse(name, value, wanted)
  local shown = type(value) == "string" and ("%q"):format(value) or value ~= value and "nan" or tostring(value)
  fail(name .. " is " .. shown .. "; it must be " .. wanted)
end

local function finite(value, name, wanted)
  if type(value) ~= "number" or value ~= value or value == huge or value == -huge then
    refuse(name, value, wanted or "a finite number")
  end
  return value + 0.0
end

local function whole(value, name, least, most)
  local wanted = ("a whole number from %.0f to %.0f"):format(least, most)
  local number = finite(value, name, wanted)
  if number % 1 ~= 0 or number < least or number > most then
    refuse(name, value, wanted)
  end
  return number
end

local function options_of(options)
  if options ~= nil and type(options) ~= "table" then
    refuse("the options", options, "a table, or left out")
  end
  return options or {}
end

--- An object that a call needs.
local function object(self, class, call)
  if type(self) ~= "table" or getmetatable(self) ~= class then
    fail(call .. " is a method: call it with a colon, object:" .. call .. "(...)")
  end
end

--- Has the methods of a class refuse what is no object of it: forgetting the colon is the commonest error.
local function check_objects(class)
  for name, method in pairs(class) do
    if type(method) == "function" and name ~= "new" and name:sub(1, 1) ~= "_" then
      class[name] = function(self, one, two, three)
        object(self, class, name)
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

--- What a product of two doubles is rounded by (T. J. Dekker, A floating-point technique for extending the available precision, 1971).
local function rounded_off(a, b, product)
  local split = 134217729 * a
  local a_high = split - (split - a)
  local a_low = a - a_high
  split = 134217729 * b
  local b_high = split - (split - b)
  local b_low = b - b_high
  return a_low * b_low - (product - a_high * b_high - a_low * b_high - a_high * b_low)
end

--- Quotient and remainder of a * b by c, of whole numbers up to 2^53, c up to 2^52. From 2^53 on the quotient is rounded.
local function muldiv(a, b, c)
  local product = a * b
  if product < EXACT then
    return divide(product, c)
  end
  local quotient = product / c
  if quotient >= EXACT then
    return quotient, 0.0
  end
  quotient = quotient - quotient % 1
  local back = quotient * c
  local rest = (product - back) + (rounded_off(a, b, product) - rounded_off(quotient, c, back))
  while rest < 0 do
    quotient, rest = quotient - 1, rest + c
  end
  while rest >= c do
    quotient, rest = quotient + 1, rest - c
  end
  return quotient, rest
end

--- An amount of whole steps and a rest of `per_step` units, times a / b, rounded down.
local function scaled(steps, rest, a, b, per_step)
  if steps * (a / b) >= 2 ^ 40 then
    return steps * (a / b), 0.0
  end
  local of_steps, parts = muldiv(steps, a, b)
  local of_rest, units = muldiv(rest, a, per_step)
  local more
  more, parts = divide(parts + of_rest, b)
  local most, beyond = muldiv(parts, per_step, b)
  return of_steps + more, most + (divide(units + beyond, b))
end

local function gcd(a, b)
  while b > 0 do
    local _, rest = divide(a, b)
    a, b = b, rest
  end
  return a
end

--- A time in units of 1/`per_second` s, plus whole seconds: seconds, numerator and denominator in lowest terms.
local function in_lowest_terms(seconds, units, per_second)
  local more, rest = divide(units, per_second)
  local divisor = gcd(per_second, rest)
  return integer(seconds + more), integer(rest / divisor), integer(per_second / divisor)
end

-- ----------------------------------------------------------------------------------------------------------------------------------
-- Times and ratios

--- Whole seconds, and the nanoseconds beyond.
local function split(time, name)
  local seconds = finite(time, name, "seconds, a finite number from 0 on")
  if seconds < 0 then
    refuse(name, time, "seconds, a finite number from 0 on")
  end
  local rest = seconds % 1
  local nanos = rest * BILLION + 0.5
  nanos = nanos - nanos % 1
  return seconds - rest, nanos
end

--- A duration in nanoseconds, at most the longest delta.
local function nanoseconds(time, name)
  if time == huge then
    return LONGEST
  end
  local seconds, nanos = split(time, name)
  return min(seconds * BILLION + nanos, LONGEST)
end

--- The terms of a ratio: as given, or from as many decimal digits of a number as fit.
local function ratio(value, name, most)
  local numer, denom
  if type(value) == "table" then
    numer = whole(value[1], "the numerator of " .. name, 0, most)
    denom = whole(value[2], "the denominator of " .. name, 1, most)
  else
    local wanted = ("a number from 0 to %.0f, or {numerator, denominator}"):format(most)
    local number = finite(value, name, wanted)
    if number < 0 or number > most then
      refuse(name, value, wanted)
    end
    local function rounded(by)
      local near = number * by + 0.5
      return near - near % 1
    end
    numer, denom = rounded(1), 1
    while numer / denom ~= number and denom < 1e9 and denom * 10 <= most and rounded(denom * 10) <= most do
      denom = denom * 10
      numer = rounded(denom)
    end
  end
  local divisor = gcd(numer, denom)
  return numer / divisor, denom / divisor
end

--- The terms of a rate, which must be exact.
local function rate_of(value, name)
  -- Terms that are not in lowest terms may be larger.
  local numer, denom = ratio(value, name, MAX_STEPS)
  if type(value) == "number" and numer / denom ~= value then
    refuse(name, value, "a number with few digits, or exact as {numerator, denominator}, such as {60000, 1001}")
  elseif numer == 0 or numer > MAX_TERM or denom > MAX_TERM then
    refuse(name, type(value) == "number" and value or numer .. "/" .. denom, "above 0, with terms up to 4500000 for exact sums")
  end
  return numer, denom
end

local function policy(overrun)
  if overrun == "drop" then
    return { drops = true, seconds = 0.0, nanos = 0.0 }
  elseif type(overrun) == "table" and overrun.carry ~= nil then
    local seconds, nanos = split(overrun.carry == huge and 2.0 ^ 52 or overrun.carry, "carry")
    return { seconds = min(seconds, 2.0 ^ 52), nanos = nanos }
  elseif type(overrun) == "table" and overrun.stretch ~= nil then
    local numer, denom = ratio(overrun.stretch, "stretch", MAX_STEPS)
    if numer < denom then
      numer, denom = 1.0, 1.0
    end
    return { seconds = 2.0 ^ 52, nanos = 0.0, numer = numer, denom = denom }
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
  local self = setmetatable({ _residual = 0.0, max_lead = MAX_LEAD }, DisplayClock)
  self:_start_over(0.0)
  self._frames = 0
  return self
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
  if delta > HITCH then
    self._residual = AIM
    return owed - AIM
  elseif self._frames == 0 then
    self:_start_over(delta)
    local given = max(owed - AIM, 0)
    self._residual = owed - given
    return given
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
  local at_bound = self._at_bound
  if given > wanted then
    at_bound = max(at_bound, 0) + 1
  elseif given < wanted then
    at_bound = min(at_bound, 0) - 1
  else
    at_bound = 0
  end
  self._at_bound = at_bound
  if at_bound >= RELOCK or at_bound <= -RELOCK then
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
-- For loops of your own; `GameLoop` has one, with a filter and input.
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
  local numer, denom = rate_of(rate, "the rate")
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
    _number = 0,
    _frame = setmetatable({ dt = denom / numer, lost = {}, _step = {} }, Frame),
  }, FixedTimestep)
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
  local steps, units = muldiv(seconds, self._per_second, self._per_step)
  local more, rest = muldiv(nanos, self._numer, self._per_step)
  local carry
  carry, rest = divide(units + rest, self._per_step)
  return steps + more + carry, rest
end

--- Seconds and nanoseconds times a ratio up to a million, with a rest of 1/denom ns: seconds, nanoseconds, rest.
local function scale_time(seconds, nanos, numer, denom, rest)
  local of_seconds, parts = muldiv(seconds, numer, denom)
  local high, one = muldiv(parts, BILLION, denom)
  local low, other = muldiv(nanos, numer, denom)
  local carry
  carry, rest = divide(one + other + rest, denom)
  return of_seconds, high + low + carry, rest
end

--- The longest delta at a scale whose sums other languages count in 64 bits: 2^62 units and less than 2^32 steps. At most 52 days.
function FixedTimestep:_countable(numer, denom)
  local seconds, units
  if self._per_step < 2 ^ 30 then
    seconds, units = muldiv(self._per_step, MAX_STEPS, self._per_second)
  else
    seconds, units = muldiv(2 ^ 31, 2 ^ 31, self._per_second)
  end
  local longest, rest = muldiv(2 ^ 32, 2 ^ 32, numer)
  rest = (rest - denom) / numer
  longest = min(longest + rest - rest % 1, LONGEST)
  if (seconds + 1) * (denom / numer) < 2 ^ 23 then
    local more
    seconds, more = scale_time(seconds, (divide(units, self._numer)), denom, numer, 0.0)
    longest = min(longest, seconds * BILLION + more)
  end
  return longest
end

--- Works out what follows from the settings.
function FixedTimestep:_settle()
  local numer, denom = self._scale_numer, self._scale_denom
  local overrun = self._overrun
  self._longest = huge
  if numer > 0 then
    self._longest = min(self:_countable(numer, denom), self._max_delta or overrun.drops and self._default_max_delta or huge)
  end
  -- Shorter deltas are counted by one product.
  self._simple = denom == 1 and numer > 0 and LONGEST / self._numer / numer or -1
  local most_steps, most = MAX_STEPS, 0.0
  if self._per_step >= 2 ^ 30 then
    most_steps, most = muldiv(2 ^ 31, 2 ^ 31, self._per_step)
  end
  local steps, units = self:_units(overrun.seconds, overrun.nanos)
  if steps < most_steps or (steps == most_steps and units < most) then
    most_steps, most = steps, units
  end
  self._most_backlog_steps, self._most_backlog = most_steps, most
  if numer < denom then
    numer, denom = 1.0, 1.0
  end
  local delta = self._max_delta or overrun.drops and self._default_max_delta or DEFAULT_MAX_DELTA
  delta = min(delta, self:_countable(numer, denom))
  local seconds, nanos = divide(delta, BILLION)
  local rest
  seconds, nanos, rest = scale_time(seconds, nanos, numer, denom, 0.0)
  steps, units = self:_units(seconds, rest > 0 and nanos + 1 or nanos)
  self._max_steps = self._wanted_steps or min(units > 0 and steps + 1 or steps, MAX_STEPS)
end

--- Sets the longest accepted time between two frames; what is beyond it is `lost.clamped`. Unless set, or nil: where time that does not fit is
-- dropped, 250 ms, and 100 ms in a `GameLoop`, so that a machine that is too slow goes on drawing; no limit where it is kept.
function FixedTimestep:set_max_delta(seconds)
  self._max_delta = seconds and nanoseconds(seconds, "the longest delta")
  self:_settle()
end

--- Sets the most steps of a frame without single steps. Unless set, or nil: as many as fit into the longest delta, or into 250 ms if there is no
-- limit, at normal speed or faster.
function FixedTimestep:set_max_steps(steps)
  self._wanted_steps = steps and whole(steps, "the most steps", 0, MAX_STEPS)
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
function FixedTimestep:set_time_scale(scale)
  local numer, denom = ratio(scale, "the time scale", MAX_STEPS)
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
  self._number = self._number + 1
end

--- The number of frames whose time was before that of an earlier one: time stood still in them.
function FixedTimestep:backward_frames()
  return self._backward
end

--- Begins a frame at a time of your clock, and returns its plan. The first frame is the beginning: no time has passed in it. If the clock
-- goes back, time stands still until it has caught up.
function FixedTimestep:begin_frame(now)
  local seconds, nanos = split(now, "the time of the frame")
  return self:_begin_frame(seconds, nanos)
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
  return self:_advance(delta)
end

--- Begins a frame this many seconds after the last one, without the filter: for replays and tests. Prefer `begin_frame`: rounding errors of
-- differences add up.
function FixedTimestep:advance(delta)
  local seconds, nanos = split(delta, "the delta")
  local carry, beyond = divide(nanos + self._nanos, BILLION)
  self._seconds, self._nanos, self._passed = self._seconds + seconds + carry, beyond, seconds * BILLION + nanos
  return self:_advance(self._passed)
end

--- The simulated time of an admitted delta, in steps and units.
function FixedTimestep:_arrived(delta)
  local seconds, nanos = divide(delta, BILLION)
  seconds, nanos, self._subnano = scale_time(seconds, nanos, self._scale_numer, self._scale_denom, self._subnano)
  return self:_units(seconds, nanos)
end

--- The part of the arrived time and the backlog that may be used now.
function FixedTimestep:_released(steps, units)
  local per_step, overrun = self._per_step, self._overrun
  local carry
  local all_steps = self._backlog_steps + steps
  carry, self._backlog = divide(self._backlog + units, per_step)
  all_steps = all_steps + carry
  local all = self._backlog
  if overrun.numer then
    local most_steps, most = scaled(steps, units, overrun.numer, overrun.denom, per_step)
    if most_steps < all_steps or (most_steps == all_steps and most < all) then
      carry = most > all and 1 or 0
      self._backlog_steps, self._backlog = all_steps - most_steps - carry, all - most + carry * per_step
      return most_steps, most
    end
  end
  self._backlog_steps, self._backlog = 0.0, 0.0
  return all_steps, all
end

--- Keeps as many steps for later as the policy allows. Returns the number of the others.
function FixedTimestep:_keep_back(steps)
  local room = self._most_backlog_steps - self._backlog_steps - (self._most_backlog < self._backlog and 1 or 0)
  local kept = min(steps, max(room, 0))
  self._backlog_steps = self._backlog_steps + kept
  return steps - kept
end

function FixedTimestep:_let_go()
  local carry
  carry, self._fraction = divide(self._fraction + self._backlog, self._per_step)
  local dropped = self._backlog_steps + carry
  self._backlog_steps, self._backlog, self._drops_backlog = 0.0, 0.0, false
  self._shown = max(self._shown, self._fraction)
  return dropped
end

function FixedTimestep:_advance(delta)
  local per_step = self._per_step
  self._delta = delta
  local clamped, paused, dropped = 0, 0, 0
  if self._drops_backlog then
    dropped = self:_let_go()
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
  self._frames, self._number = self._frames + 1, self._number + 1
  local frame = self._frame
  local lost = frame.lost
  frame.single_steps, frame._number = integer(self._granted), self._number
  lost.clamped, lost.paused, lost.dropped = clamped / BILLION, paused / BILLION, integer(dropped)
  return self:_show()
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
  unrun = whole(unrun, "unrun", 0, MAX_STEPS)
  if self._frame._number ~= self._number or unrun > self._count then
    fail("give_back: the last frame has fewer steps than " .. integer(unrun) .. ", or there was none yet")
  end
  self._tick, self._count = self._tick - unrun, self._count - unrun
  if self._count == 0 then
    self._shown = max(self._shown, self._shown_before)
  end
  local lost = self._frame.lost
  lost.dropped = integer(lost.dropped + self:_keep_back(unrun))
  return self:_show()
end

function FixedTimestep:_seconds_of(steps, units)
  local seconds, rest = muldiv(steps, self._denom, self._numer)
  return in_lowest_terms(seconds, rest * BILLION + units, self._per_second)
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
  local per_step = self._per_step
  local begin_steps, begin = self._begin_steps, self._begin
  if begin >= per_step then
    begin_steps, begin = begin_steps + 1, begin - per_step
  end
  local end_steps, rest = self._count - self._granted + self._backlog_steps, self._fraction + self._backlog
  if rest >= per_step then
    end_steps, rest = end_steps + 1, rest - per_step
  end
  if end_steps < 0 then
    end_steps, rest = 0, 0.0
  end
  local first = self._tick - self._count
  if end_steps < begin_steps or (end_steps == begin_steps and rest <= begin) then
    return first + end_steps
  end
  first = first + self._granted
  if interval == 0 then
    return first + begin_steps
  end
  local borrow = rest < begin and 1 or 0
  local steps, units = scaled(end_steps - begin_steps - borrow, rest - begin + borrow * per_step, min(since, interval), interval, per_step)
  return first + begin_steps + steps + (units + begin >= per_step and 1 or 0)
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
--- The number of states beyond the capacity, one for each key.
local STATES = 1024
local MOTION_KINDS = { motion = true, wheel = true }
--- The keys of a step that have no state.
local UP = { presses = 0, is_held = false, was_released = false }

--- A buffer. Options: `capacity`, the most presses and releases between two steps, 1024 unless set; `keep_pauses`, true to keep the events of
-- a pause for the first step after it.
function InputBuffer.new(options)
  options = options_of(options)
  return setmetatable({
    _capacity = whole(options.capacity or 1024, "the capacity", 1, 2 ^ 20),
    _keeps_pauses = options.keep_pauses,
    -- By time; the tick of those that wait for their frame is infinite.
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
    _moved_x = 0.0,
    _moved_y = 0.0,
    _turned_x = 0.0,
    _turned_y = 0.0,
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

--- The number of events that are motion, or are not.
function InputBuffer:_number(are_motion)
  local number = 0
  for _, event in ipairs(self._events) do
    if (MOTION_KINDS[event.kind] or false) == are_motion then
      number = number + 1
    end
  end
  return number
end

function InputBuffer:_count(name, is_counted)
  self._counts[name] = self._counts[name] + (is_counted and 1 or 0)
end

--- Removes the states before a state that replaces them, up to the next event that is neither a state nor motion. Returns its index then.
function InputBuffer:_replace(index)
  local events = self._events
  local newer = events[index]
  for at = newer.is_state and index - 1 or 0, 1, -1 do
    local older = events[at]
    local is_motion = MOTION_KINDS[older.kind]
    if not is_motion and not older.is_state then
      break
    elseif not is_motion and (newer.kind == "release_all" or older.kind ~= "release_all" and older.key == newer.key) then
      remove(events, at)
      index = index - 1
    end
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
      if MOTION_KINDS[event.kind] then
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

--- Adds motion to motion of its kind that is no more than `grain` nanoseconds older. Returns whether it did.
local function add_to(events, grain, newer)
  for index = #events, 1, -1 do
    local older = events[index]
    -- What waits for its frame may belong to a pause.
    if newer.at - older.at > grain or (older.tick == huge) ~= (newer.tick == huge) then
      return false
    elseif older.kind == newer.kind then
      older.x, older.y = older.x + newer.x, older.y + newer.y
      return true
    end
  end
  return false
end

--- Adds motion to motion of its kind a short time before it: what remains is spread evenly over the time of all motion.
function InputBuffer:_add_up()
  local first, last
  for _, event in ipairs(self._events) do
    if MOTION_KINDS[event.kind] then
      first, last = first or event.at, event.at
    end
  end
  local parts = self._capacity / 4
  local grain = divide(last - first, max(parts - parts % 1, 1))
  local kept = {}
  for _, newer in ipairs(self._events) do
    if not (MOTION_KINDS[newer.kind] and add_to(kept, grain, newer)) then
      insert(kept, newer)
    end
  end
  self._events = kept
end

local function fail_full(kind)
  fail(kind .. ": the input buffer is full; give it a larger capacity, or begin frames and steps")
end

--- Inserts an event, or the state that is left of it. Returns whether it is there.
function InputBuffer:_insert(index, event)
  local events, kind, is_paused = self._events, event.kind, event.is_state
  local moves = MOTION_KINDS[kind]
  local is_full = not moves and self:_number(false) >= self._capacity
  if is_full and self._keeps_pauses then
    self:_count("refused", true)
    fail_full(kind)
  end
  self:_count("paused", is_paused)
  if is_paused and moves then
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
  index = self:_replace(index)
  self:_count("refused", is_full and not is_paused)
  local room = max(self._capacity, 4)
  if moves and #events > room and self:_number(true) > room then
    self:_add_up()
  elseif not moves and self:_number(false) > self._capacity + STATES then
    remove(events, index)
    fail_full(kind)
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
  local events, index = self._events, 1
  while events[index] and events[index].tick < huge do
    index = index + 1
  end
  local at = self._reached - self._delay - 1
  at = events[index - 1] and max(at, events[index - 1].at) or at
  at = events[index] and min(at, events[index].at) or at
  self:_insert(index, { at = at, tick = 0, kind = kind, key = key, x = x, y = y, is_open = not self._keeps_pauses })
end

local function key_of(key)
  if type(key) ~= "string" and type(key) ~= "number" or key ~= key then
    refuse("the key", key, "a string or a number")
  end
  return key
end

--- What calls without a time get in place of one more argument.
local function without(extra, name)
  if extra ~= nil then
    refuse("the last argument of " .. name, extra, "left out; " .. name .. "_at(at, ...) takes a time")
  end
end

local function add(sum, x, y)
  sum = sum or { x = 0.0, y = 0.0 }
  sum.x, sum.y = sum.x + x, sum.y + y
  return sum
end

-- press(key), release(key): a key or button went down or up: for the next step that runs. Leave out repeats.
-- press_at(at, key), release_at(at, key): the same at a time, for the step that contains it.
for _, kind in pairs({ "press", "release" }) do
  InputBuffer[kind] = function(self, key, extra)
      without(extra, kind)
    self:_push(kind, key_of(key))
  end
  InputBuffer[kind .. "_at"] = function(self, at, key)
      local seconds, nanos = split(at, "at")
    self:_push_at(kind, seconds, nanos, key_of(key))
  end
end

--- All keys and buttons went up, as when the window loses the focus.
function InputBuffer:release_all(extra)
  without(extra, "release_all")
  self:_push("release_all")
end

--- All keys and buttons went up at a time.
function InputBuffer:release_all_at(at)
  local seconds, nanos = split(at, "at")
  self:_push_at("release_all", seconds, nanos)
end

-- motion(x, y), wheel(x, y): the pointer moved, or a wheel turned, to the right and down. The steps of the next frame get equal parts of motion.
-- motion_at(at, x, y), wheel_at(at, x, y): the same at a time.
for _, kind in pairs({ "motion", "wheel" }) do
  InputBuffer[kind] = function(self, x, y, extra)
      without(extra, kind)
    x, y = finite(x, "x"), finite(y, "y")
    if kind == "wheel" then
      self:_push(kind, nil, x, y)
    else
      self._open = add(self._open, x, y)
    end
  end
  InputBuffer[kind .. "_at"] = function(self, at, x, y)
      local seconds, nanos = split(at, "at")
    self:_push_at(kind, seconds, nanos, nil, finite(x, "x"), finite(y, "y"))
  end
end

--- Assigns each event to its step. Call it once a frame, after the timestep's `begin_frame` and before its steps; a `GameLoop` does it.
function InputBuffer:begin_frame(timestep)
  object(timestep, FixedTimestep, "begin_frame")
  if timestep._frames == 0 or timestep._frames == self._frames and timestep == self._timestep then
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
    -- Events that waited for dropped steps are delivered to the next ones. The order of events is kept if the timestep was set back.
    local latest = timestep:_tick_at(1, 1)
    for index = #events, 1, -1 do
      local event = events[index]
      if event.tick < huge then
        latest = min(event.tick, latest)
        event.tick, event.is_open = latest, event.is_open and not is_known
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
  due.x, due.y = due.x - x, due.y - y
  if left == 1 then
    self._due = nil
  end
  self._moved_x, self._moved_y = x, y
end

function InputBuffer:_apply(event)
  local kind, key = event.kind, event.key
  if kind == "motion" then
    self._moved_x, self._moved_y = self._moved_x + event.x, self._moved_y + event.y
  elseif kind == "wheel" then
    self._turned_x, self._turned_y = self._turned_x + event.x, self._turned_y + event.y
  elseif kind == "press" or kind == "hold" then
    local state = self._keys[key]
    if not state then
      state = { presses = 0, is_held = false, was_released = false }
      self._keys[key] = state
    end
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
  local tick = type(step) == "table" and step.tick or step
  if self._frames == 0 then
    fail("begin_step: call begin_frame first")
  end
  for _, state in pairs(self._keys) do
    state.presses, state.was_released = 0, false
  end
  self._moved_x, self._moved_y, self._turned_x, self._turned_y = 0.0, 0.0, 0.0, 0.0
  self:_share(tick)
  local events, count = self._events, 0
  while events[count + 1] and events[count + 1].tick <= tick do
    count = count + 1
    self:_apply(events[count])
  end
  if count > 0 then
    local length = #events
    for index = 1, length do
      events[index] = events[index + count]
    end
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
  return self._moved_x, self._moved_y
end

--- By how much the wheel turned in the step, right and down.
function InputBuffer:turned()
  return self._turned_x, self._turned_y
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
-- `current`        the state: a number is set by `step` or `set`, the fields of a table also in place
-- `previous`       the state before the last step
local Smoothed = {}
Smoothed.__index = Smoothed
evenstep.Smoothed = Smoothed

--- Refuses fields that would be shared, or drawn as nothing.
local function check_fields(state)
  for name, value in pairs(state) do
    if type(value) == "table" then
      refuse("field " .. tostring(name), value, "a number: give each table a Smoothed of its own")
    elseif value ~= value then
      refuse("field " .. tostring(name), value, "a number")
    end
  end
end

--- Copies the fields of a table, and removes the others.
local function copy(from, to)
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
  local is_number = type(state) == "number"
  if not is_number and type(state) ~= "table" or state ~= state then
    refuse("the state", state, "a number, or a table of numbers")
  elseif not is_number then
    check_fields(state)
  end
  local self = setmetatable({ current = state, previous = state, _is_teleport = false, _wrap = {}, _keep = {} }, Smoothed)
  if not is_number then
    self.current, self.previous, self._drawn = copy(state, {}), copy(state, {}), {}
  end
  for name, wrap in pairs(is_number and { options.wrap } or options_of(options.wrap)) do
    if not is_number and state[name] == nil then
      refuse("a name in wrap", name, "one of the state's")
    elseif finite(wrap, "wrap") < 0 then
      refuse("wrap", wrap, "a number above 0")
    end
    self._wrap[name] = wrap ~= 0 and wrap or nil
  end
  for _, name in pairs(options_of(options.keep)) do
    if is_number or state[name] == nil then
      refuse("a name in keep", name, "one of the state's")
    end
    self._keep[name] = true
  end
  return self
end

--- Refuses a state that is not of the kind of the first one. Returns whether it is a number.
local function check(self, state)
  local is_number = type(self.current) == "number"
  if type(state) ~= (is_number and "number" or "table") or state ~= state then
    refuse("the state", state, is_number and "a number, as the first state" or "a table, as the first state")
  elseif not is_number then
    check_fields(state)
  end
  return is_number
end

--- Sets `current` or `previous`: a number, or the fields that are given.
local function change(self, name, state)
  if check(self, state) then
    self[name] = state
    return
  end
  for field, value in pairs(state) do
    self[name][field] = value
  end
end

--- Begins a step where the state is changed in place: the current state becomes the previous one.
function Smoothed:begin_step()
  if type(self.current) == "number" then
    self.previous = self.current
  else
    copy(self.current, self.previous)
  end
  self._is_teleport = false
end

--- Begins a step and sets the state: a number, or a table with the fields that change. A function gets the state, and returns the new number,
-- or changes the fields in place.
function Smoothed:step(state)
  if type(state) == "function" and type(self.current) == "table" then
    self:begin_step()
    local fields = state(self.current)
    if fields ~= nil and fields ~= self.current then
      self:set(fields)
    end
    return
  elseif type(state) == "function" then
    state = state(self.current)
  end
  check(self, state)
  self:begin_step()
  self:set(state)
end

--- Sets the current state; of a table, the fields that are given.
function Smoothed:set(state)
  change(self, "current", state)
end

--- Sets the state before the last step; of a table, the fields that are given. What is spawned moving is here now and was there a step ago.
function Smoothed:set_previous(state)
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
  if check(self, by) then
    self.previous, self.current = self.previous + by, self.current + by
    return
  end
  for name, number in pairs(by) do
    if type(self.current[name]) ~= "number" then
      refuse("a name", name, "one of the state's numbers")
    end
    finite(number, tostring(name))
  end
  for name, number in pairs(by) do
    self.current[name] = self.current[name] + number
    self.previous[name] = (self.previous[name] or 0) + number
  end
end

--- A number between two, the shorter way if it wraps.
local function blend(from, to, wrap, alpha)
  local way = from - to
  if wrap then
    local windings = way / wrap
    windings = windings < 0 and windings - 0.5 or windings + 0.5
    -- Towards zero, and limited to 64 bits, as in other languages.
    windings = windings < 0 and -(-windings - -windings % 1) or windings - windings % 1
    way = way - max(min(windings, 2 ^ 63), -2 ^ 63) * wrap
    way = max(min(way, wrap / 2), -wrap / 2)
  end
  -- Subtracted, so that a resting -0.0 keeps its sign.
  return from - way * alpha
end

--- The state to draw at a frame's alpha. A number that wraps may lie outside of one period. A table is the same in every call: copy values
-- that you keep.
function Smoothed:at(alpha)
  if type(alpha) ~= "number" then
    refuse("alpha", alpha, "a number, such as frame.alpha")
  end
  local previous, current = self.previous, self.current
  local is_newest = alpha > 0 and (alpha >= 1 or self._is_teleport)
  if type(current) == "number" then
    if is_newest then
      return current
    end
    return alpha <= 0 and previous or blend(previous, current, self._wrap[1], alpha)
  elseif is_newest then
    return copy(current, self._drawn)
  end
  local drawn = copy(previous, self._drawn)
  for name, to in pairs(current) do
    local from = previous[name]
    if from == nil then
      drawn[name] = to
    elseif alpha > 0 then
      local lies_between = type(to) == "number" and type(from) == "number" and not self._keep[name]
      drawn[name] = lies_between and blend(from, to, self._wrap[name], alpha) or to
    end
  end
  return drawn
end

-- ----------------------------------------------------------------------------------------------------------------------------------
-- The loop

--- A loop: the filter, the timestep and the input of a game, called in their order. It has the methods of `FixedTimestep` but `advance`, and
-- those of `InputBuffer` by which events arrive; `input` describes the present step.
local GameLoop = {}
GameLoop.__index = GameLoop
evenstep.GameLoop = GameLoop

--- A loop of a number of steps a second. The options of `FixedTimestep`, with the default filter unless `filter` is false, and of
-- `InputBuffer`.
function GameLoop.new(rate, options)
  options = options_of(options)
  local self = setmetatable({ input = InputBuffer.new(options), timestep = FixedTimestep.new(rate, options) }, GameLoop)
  if options.filter == nil then
    self.timestep._filter = DisplayClock.new()
  end
  self.timestep._default_max_delta = DRAWING_MAX_DELTA
  self.timestep:_settle()
  self.timestep._frame._input = self.input
  return self
end

--- Begins a frame at a time of your clock in seconds, once for each image. Run its steps, then draw.
function GameLoop:begin_frame(now)
  local frame = self.timestep:begin_frame(now)
  self.input:begin_frame(self.timestep)
  return frame
end

for part, names in pairs({
  timestep = {
    "backward_frames", "give_back", "is_paused", "overstep", "pause", "reset", "resume", "resume_dropping", "set_max_delta",
    "set_max_steps", "set_overrun", "set_time_scale", "shown_time", "step_once",
  },
  input = {
    "motion", "motion_at", "press", "press_at", "release", "release_all", "release_all_at", "release_at", "wheel", "wheel_at",
  },
}) do
  for _, name in pairs(names) do
    GameLoop[name] = function(self, one, two, three)
          return self[part][name](self[part], one, two, three)
    end
  end
end

for _, class in pairs({ Frame, FixedTimestep, InputBuffer, Smoothed, GameLoop }) do
  check_objects(class)
end

return evenstep
