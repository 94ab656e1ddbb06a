-- Runs the code of pages: snippets.lua FILE... Code for LÖVE is left to tests/love_snippets; Defold's functions and what a page leaves open, such
-- as draw, are stubs.

local folder = arg[0]:match("^(.*/)") or "./"
package.path = folder .. "../?.lua;" .. package.path

local function run(text, name, environment)
  setmetatable(environment, { __index = _G })
  if setfenv then
    setfenv(assert(loadstring(text, "@" .. name)), environment)()
  else
    assert(load(text, "@" .. name, "t", environment))()
  end
end

--- A body that moves a unit a step, which a script draws: it must be drawn between its last two places.
local function play_defold(environment)
  local objects = { ["/block"] = 0, ["/block_sprite"] = -1 }
  go = {
    get_position = function(id)
      return assert(objects[id])
    end,
    get_rotation = function()
      return 0
    end,
    set_position = function(position, id)
      objects[id] = position
    end,
    set_rotation = function() end,
  }
  vmath = {
    lerp = function(t, from, to)
      return from + (to - from) * t
    end,
  }
  vmath.slerp = vmath.lerp
  return function()
    local self = {}
    environment.init(self)
    for frame = 1, 100 do
      if frame % 2 == 0 then
        environment.fixed_update(self, 1 / 60)
        objects["/block"] = objects["/block"] + 1
      end
      environment.update(self, 1 / 120)
      local drawn = objects["/block"] - (frame % 2 == 0 and 1 or 0.5)
      assert(math.abs(objects["/block_sprite"] - math.max(drawn, 0)) < 1e-6 or frame < 3, objects["/block_sprite"])
    end
  end
end

local count, of_love = 0, 0
for _, file in ipairs(arg) do
  local text = assert(io.open(file)):read("*a")
  local time, drawn, frames = 7, 0, 0
  local environment = {
    now = function()
      time = time + 1 / 60
      return time
    end,
    running = function()
      frames = frames + 1
      return frames <= 100
    end,
    draw = function(number)
      assert(type(number) == "number")
      drawn = drawn + 1
    end,
  }
  if text:find("love%.") then
    of_love = of_love + 1
  elseif text:find("evenstep_defold", 1, true) then
    local play = play_defold(environment)
    run(text, file, environment)
    play()
    count = count + 1
  else
    run(text, file, environment)
    assert(drawn > 0, file .. " draws nothing")
    count = count + 1
  end
end
assert(count > 0 and of_love > 0, "no code was found")
print(count .. " pieces of code of the pages, " .. _VERSION .. (jit and " (LuaJIT)" or ""))
