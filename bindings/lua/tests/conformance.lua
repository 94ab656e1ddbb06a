-- Plays scripts of calls with the core's exact answers: conformance.lua SCRIPT..., of which stored/conformance.txt is one. Prints how many
-- answers were equal, and names the calls that Lua does not have and the settings that it refuses.

local folder = arg[0]:match("^(.*/)") or "./"
package.path = folder .. "../?.lua;" .. package.path
local evenstep = require("evenstep")

local BILLION = 1e9
local unpack = unpack or table.unpack

--- A whole number of nanoseconds: seconds and nanoseconds. Up to 2^53, and beyond that rounded.
local function nanos(text)
  local number = tonumber(text) + 0.0
  return math.floor(number / BILLION) + 0.0, math.fmod(number, BILLION)
end

local function seconds(text)
  return tonumber(text) / BILLION
end

local function in_nanos(time)
  return ("%.0f"):format(time * BILLION)
end

--- The bits of a double above 0, hexadecimal.
local function bits(number)
  if number == 0 then
    return 1 / number < 0 and "8000000000000000" or "0"
  end
  local sign = number < 0 and 0x800 or 0
  number = math.abs(number)
  local exponent = 0
  while number >= 2 do
    number, exponent = number / 2, exponent + 1
  end
  while number < 1 do
    number, exponent = number * 2, exponent - 1
  end
  local fraction = (number - 1) * 2 ^ 20
  local high = math.floor(fraction)
  local text = ("%x%05x%08x"):format(sign + exponent + 1023, high, (fraction - high) * 2 ^ 32)
  return text
end

--- The double whose bits are a signed integer of 64 bits in decimal digits.
local function double(text)
  local is_negative = text:sub(1, 1) == "-"
  local high, low = 0, 0
  for digit in text:gmatch("%d") do
    low = low * 10 + tonumber(digit)
    local carry = math.floor(low / 2 ^ 32)
    high, low = high * 10 + carry, low - carry * 2 ^ 32
  end
  if is_negative then
    high, low = 2 ^ 32 - 1 - high, 2 ^ 32 - low
    if low == 2 ^ 32 then
      high, low = high + 1, 0
    end
  end
  local sign = high >= 2 ^ 31 and -1 or 1
  high = high % 2 ^ 31
  local exponent = math.floor(high / 2 ^ 20)
  local fraction = (high % 2 ^ 20) * 2 ^ 32 + low
  if exponent == 0 then
    return sign * fraction * 2 ^ -1074
  end
  return sign * (1 + fraction / 2 ^ 52) * 2.0 ^ (exponent - 1023)
end

local function exact(whole, numer, denom)
  local function hex(number)
    local high = math.floor(number / 2 ^ 32)
    return high > 0 and ("%x%08x"):format(high, number - high * 2 ^ 32) or ("%x"):format(number)
  end
  return ("%.0f+%s/%s"):format(whole, hex(numer), hex(denom))
end

local timestep, frame, input, smoothed

local function frame_answer()
  local lost = frame.lost
  return table.concat({
    "=", ("%.0f %.0f %.0f"):format(frame.first_tick, frame.tick, frame.single_steps), bits(frame.alpha), in_nanos(lost.clamped),
    in_nanos(lost.paused), ("%.0f"):format(lost.dropped), frame.is_behind and 1 or 0, exact(timestep:overstep()),
    exact(timestep:shown_time()),
  }, " ")
end

local calls = {}

function calls.timestep(numer, denom)
  timestep = evenstep.FixedTimestep.new({ tonumber(numer), tonumber(denom) })
end

-- Options of a timestep, which come before its first frame.
function calls.filter()
  timestep._filter = evenstep.DisplayClock.new()
end
function calls.lookahead()
  timestep._lookahead, timestep._single_steps = true, 1
end

function calls.max_delta(delta)
  timestep:set_max_delta(seconds(delta))
end
function calls.max_steps(steps)
  timestep:set_max_steps(tonumber(steps))
end
function calls.unset_max_steps()
  timestep:set_max_steps(nil)
end
function calls.drop()
  timestep:set_overrun("drop")
end
function calls.carry(backlog)
  timestep:set_overrun({ carry = seconds(backlog) })
end
function calls.stretch(numer, denom)
  timestep:set_overrun({ stretch = { tonumber(numer), tonumber(denom) } })
end
function calls.scale(numer, denom)
  timestep:set_time_scale({ tonumber(numer), tonumber(denom) })
end
for _, name in pairs({ "step_once", "pause", "resume", "resume_dropping", "reset" }) do
  calls[name] = function()
    timestep[name](timestep)
  end
end
function calls.is_paused()
  return "= " .. (timestep:is_paused() and 1 or 0)
end
function calls.backward_frames()
  return ("= %.0f"):format(timestep:backward_frames())
end

--- Seconds are exact to a nanosecond up to 2^22 s; later times are given in two parts.
local function begin_frame(now)
  local whole, rest = nanos(now)
  if whole < 2 ^ 22 then
    frame = timestep:begin_frame(seconds(now))
  else
    frame = timestep:_begin_frame(whole, rest)
  end
end
function calls.frame(now)
  begin_frame(now)
  return frame_answer()
end
function calls.give_back(unrun)
  frame = timestep:give_back(tonumber(unrun))
  return frame_answer()
end

function calls.input(capacity, keeps)
  input = evenstep.InputBuffer.new({ capacity = tonumber(capacity), keep_pauses = keeps == "1" })
end
for kind, takes_key in pairs({ press = true, release = true, release_all = false, motion = false, wheel = false }) do
  local function arguments(one, other)
    if takes_key then
      return tonumber(one)
    end
    return one and tonumber(one), other and tonumber(other)
  end
  calls[kind] = function(...)
    input[kind](input, arguments(...))
  end
  calls[kind .. "_at"] = function(at, ...)
    local whole, rest = nanos(at)
    local one, other = arguments(...)
    if whole < 2 ^ 22 then
      input[kind .. "_at"](input, seconds(at), one, other)
    elseif takes_key then
      input:_push_at(kind, whole, rest, one)
    else
      input:_push_at(kind, whole, rest, nil, one, other)
    end
  end
end
function calls.play(now)
  begin_frame(now)
  input:begin_frame(timestep)
  local counts = input:counts()
  local seen = { "=", counts.waiting, counts.late, counts.reordered, counts.refused, counts.paused, counts.foreign }
  local function add(number)
    table.insert(seen, ("%.0f"):format(number))
  end
  for step in frame:steps() do
    input:begin_step(step)
    add(step.tick)
    for key = 1, 3 do
      local flags = (input:is_held_at_end(key) and 1 or 0) + (input:is_down(key) and 2 or 0) + (input:was_released(key) and 4 or 0)
      add(10 * input:presses(key) + flags)
    end
    local x, y = input:moved()
    local right, down = input:turned()
    for _, by in ipairs({ x, y, right, down }) do
      table.insert(seen, bits(by))
    end
  end
  return table.concat(seen, " ")
end

function calls.smoothed(state, wrap)
  smoothed = evenstep.Smoothed.new(double(state), { wrap = double(wrap) })
end
function calls.smoothed_step(state)
  smoothed:step(double(state))
end
function calls.smoothed_previous(state)
  smoothed:set_previous(double(state))
end
function calls.smoothed_teleport()
  smoothed:teleport()
end
function calls.smoothed_shift(by)
  smoothed:shift(double(by))
end
function calls.smoothed_at(alpha)
  return ("= %s %d"):format(bits(smoothed:at(double(alpha))), smoothed:is_teleport() and 1 or 0)
end

--- Clocks that follow are not in Lua.
local MISSING = { playback = true, refresh = true }
for _, name in pairs({ "latency", "rate", "loop", "pause", "resume", "report", "frame", "at" }) do
  MISSING["follow_" .. name] = true
end

local answers, missing, refused, refusals = 0, 0, 0, {}
for _, script in ipairs(arg) do
  local number, call, got, is_refused = 0, nil, nil, false
  for line in io.lines(script) do
    number = number + 1
    local words = {}
    for word in line:gmatch("%S+") do
      table.insert(words, word)
    end
    local name = words[1]
    if line:sub(1, 1) == "=" then
      if MISSING[call] then
        missing = missing + 1
      elseif is_refused then
        refused = refused + 1
      elseif got ~= line then
        error(("%s:%d: %s: expected\n%s\nbut got\n%s"):format(script, number, call, line, tostring(got)), 0)
      else
        answers = answers + 1
      end
    elseif name and name:sub(1, 1) ~= "#" then
      call = name
      if name == "timestep" then
        is_refused = tonumber(words[2]) > 4.5e6 or tonumber(words[3]) > 4.5e6
        local is_made = pcall(calls.timestep, words[2], words[3])
        assert(is_made ~= is_refused, line)
        if is_refused then
          refusals[line] = true
        end
      elseif not MISSING[name] and not (is_refused and name ~= "smoothed" and not name:find("^smoothed_")) then
        got = calls[name](unpack(words, 2))
      end
      if name == "smoothed" then
        is_refused = false
      end
    end
  end
end

local names = {}
for line in pairs(refusals) do
  table.insert(names, line)
end
table.sort(names)
print(("%s: %d answers as the core's; %d of clocks that follow, which Lua does not have; %d of rates that Lua refuses (%s)"):format(
  _VERSION .. (jit and " (LuaJIT)" or ""), answers, missing, refused, table.concat(names, ", ")))
assert(answers > 2200, "too few answers")
