-- The cost of a frame of the loop, beside an accumulator by hand and, if its file is given, the library tick: frame.lua [tick.lua]. On any Lua.
-- Jittered frames of a display at 144 Hz, 60 steps a second, a number that is blended. LÖVE is a stub that does nothing. Prints the median of
-- 15 turns of each, and the ratio to the first.

local folder = arg[0]:match("^(.*/)") or "./"
package.path = folder .. "../?.lua;" .. package.path
local evenstep = require("evenstep")

local FRAMES = jit and 200000 or 20000
local times, seed = {}, 1
for frame = 1, FRAMES do
  seed = (seed * 16807) % 2147483647
  times[frame] = 1000 + (frame + 0.1 * seed / 2147483647) / 144
end

-- The part of LÖVE that a loop calls.
local now = 0
local function nothing() end
love = {
  timer = {
    sleep = nothing,
    getTime = function()
      return now
    end,
  },
  event = {
    pump = nothing,
    poll = function()
      return nothing
    end,
  },
  arg = { parseGameArguments = nothing },
  handlers = {},
}

local last
function love.timer.step()
  local dt = now - last
  last = now
  return dt
end

--- A loop of LÖVE's kind: what love.run returns, at each time.
local function play(x)
  now, last = 1000, 1000
  local before, speed = x, 2
  function love.update(dt)
    before, x = x, x + speed * dt
  end
  local frame = love.run()
  for index = 1, FRAMES do
    now = times[index]
    frame()
  end
  return before + x
end

local ways = {
  {
    "an accumulator by hand",
    function()
      local accumulator, before, x, drawn = 0, 0, 0, 0
      local last_time = 1000
      for index = 1, FRAMES do
        accumulator = accumulator + math.min(times[index] - last_time, 0.25)
        last_time = times[index]
        while accumulator >= 1 / 60 do
          before, x = x, x + 2 / 60
          accumulator = accumulator - 1 / 60
        end
        drawn = drawn + before + (x - before) * accumulator * 60
      end
      return drawn
    end,
  },
  {
    "FixedTimestep",
    function()
      local timestep, before, x, drawn = evenstep.FixedTimestep.new(60), 0, 0, 0
      for index = 1, FRAMES do
        local frame = timestep:begin_frame(times[index])
        for step in frame:steps() do
          before, x = x, x + 2 * step.dt
        end
        drawn = drawn + before + (x - before) * frame.alpha
      end
      return drawn
    end,
  },
  {
    "GameLoop and Smoothed: filter, input, drawing",
    function()
      local loop, x, drawn = evenstep.GameLoop.new(60), evenstep.Smoothed.new(0), 0
      for index = 1, FRAMES do
        local frame = loop:begin_frame(times[index])
        for step in frame:steps() do
          x:step(x.current + 2 * step.dt)
        end
        drawn = drawn + x:at(frame.alpha)
      end
      return drawn
    end,
  },
  {
    "evenstep_love.run",
    function()
      require("evenstep_love").run({ rate = 60 })
      return play(0)
    end,
  },
}
if arg[1] then
  table.insert(ways, {
    "tick",
    function()
      local tick = dofile(arg[1])
      tick.rate = 1 / 60
      return play(0)
    end,
  })
end

local turns = {}
for turn = 1, 15 do
  for index, way in ipairs(ways) do
    local begin = os.clock()
    way[2]()
    turns[index] = turns[index] or {}
    turns[index][turn] = (os.clock() - begin) / FRAMES * 1e9
  end
end
print(("%s: nanoseconds a frame, ratio"):format(jit and jit.version or _VERSION))
for index, way in ipairs(ways) do
  table.sort(turns[index])
  print(("%-48s %7.0f %6.1f"):format(way[1], turns[index][8], turns[index][8] / turns[1][8]))
end
