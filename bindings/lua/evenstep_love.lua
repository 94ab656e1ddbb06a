-- SPDX-License-Identifier: MIT OR Apache-2.0
-- evenstep 0.1.0, https://docs.rs/evenstep

--- evenstep for LÖVE 11 and 12: love.update in equal steps, and love.draw between them. Copy it and evenstep.lua beside main.lua.
--
--     require("evenstep_love").run({ rate = 60 })      -- in main.lua: steps a second
--
--     function love.update(dt) ... end                 -- a step: dt is always 1/60
--     function love.draw(alpha) ... end                -- between the states before (0) and after (1) the last step
--
-- It is love.run, and does what LÖVE's own does in the same order. Callbacks of events run when LÖVE runs them, once for each event, also in
-- frames without steps and in pauses.
--
-- INPUT    In love.update, love.keyboard.isDown, isScancodeDown and love.mouse.isDown answer for the step: a tap between two frames is down
--          in a step. `loop.input` has the same keys, and how often each was pressed: presses("space"), presses("mouse1"),
--          presses("scancode:w"); moved() is the motion of the mouse. Joysticks are as LÖVE has them.
-- SIMULATED What LÖVE 12 does otherwise, such as frames from within `pump`, was tried by stubs; the rest in LÖVE 11.4 itself.
-- TIME     Time in which LÖVE's event queue stands still is no time of the game: while a window is dragged, or an app is in the background.
-- LOOP     `run` returns the `GameLoop` of evenstep.lua: pause(), resume(), step_once(), set_time_scale(0.5) and so on.

local evenstep = require("evenstep")

local evenstep_love = { VERSION = "0.1.0" }

--- The longest time, in seconds, in which LÖVE's event queue may stand still and the game goes on.
local STANDS_STILL = 0.1
--- What is drawn before the first step is the state of love.load: not sooner than this many seconds.
local FIRST_DRAW = 0.25

--- What the buffer is told of an event. Repeated presses of a key that is held are none.
local function heed(loop, name, a, b, c, d)
  if name == "keypressed" and not c then
    loop:press(a)
    loop:press("scancode:" .. b)
  elseif name == "keyreleased" then
    loop:release(a)
    loop:release("scancode:" .. b)
  elseif name == "mousepressed" then
    loop:press("mouse" .. c)
  elseif name == "mousereleased" then
    loop:release("mouse" .. c)
  elseif name == "mousemoved" then
    loop:motion(c, d)
  elseif name == "wheelmoved" then
    loop:wheel(a, b)
  elseif name == "focus" and not a then
    loop:release_all()
  end
end

--- Whether one of the keys, or of the items of a list of keys, is down in the step.
local function any_down(input, prefix, first, ...)
  local keys = type(first) == "table" and first or { first, ... }
  for _, key in ipairs(keys) do
    if input:is_down(prefix .. key) then
      return true
    end
  end
  return false
end

--- The functions that answer for the step while one runs: module, name, and what their keys begin with in the buffer.
local ASKED = { { "keyboard", "isDown", "" }, { "keyboard", "isScancodeDown", "scancode:" }, { "mouse", "isDown", "mouse" } }

--- Puts functions in place of them, which answer for the step while `state.is_stepping`.
local function answer_for_steps(state)
  for _, asked in ipairs(ASKED) do
    local module, name, prefix = love[asked[1]], asked[2], asked[3]
    local of_device = module and module[name]
    if of_device then
      module[name] = function(...)
        if state.is_stepping then
          return any_down(state.loop.input, prefix, ...)
        end
        return of_device(...)
      end
    end
  end
end

local function steps(state, frame)
  for step in frame:steps() do
    -- Looked up in each step: libraries put theirs in its place in love.load and later.
    if love.update then
      state.is_stepping = true
      love.update(step.dt)
      state.is_stepping = false
    end
  end
end

local function draw(state, frame, now)
  if not (love.graphics and love.graphics.isActive()) then
    return
  elseif frame.tick == 0 and now - state.begun < FIRST_DRAW and not state.loop:is_paused() then
    return
  end
  love.graphics.origin()
  love.graphics.clear(love.graphics.getBackgroundColor())
  if love.draw then
    love.draw(frame.alpha)
  end
  love.graphics.present()
end

--- Hands the events of a frame to the buffer and to LÖVE. Returns what love.run returns if the game ends.
local function events(loop)
  for name, a, b, c, d, e, f, g, h in love.event.poll() do
    if name == "quit" and (c or not love.quit or not love.quit()) then
      return a or 0, b
    end
    heed(loop, name, a, b, c, d)
    love.handlers[name](a, b, c, d, e, f, g, h)
  end
end

--- A frame: what love.run returns is called again and again. LÖVE 12 calls it again from within `pump` while a window is resized.
local function frame_of(state)
  local loop = state.loop
  -- A game that calls `pump` in its update gets no steps within that step.
  if state.is_stepping then
    return
  end
  if love.event then
    local before = love.timer.getTime()
    love.event.pump()
    -- The frames from within `pump` have had their time.
    before = math.max(before, state.last)
    if love.timer.getTime() - before > STANDS_STILL and not loop:is_paused() then
      loop:resume_dropping()
    end
    local exit, restart = events(loop)
    if exit then
      return exit, restart
    end
  end
  love.timer.step()
  local now = love.timer.getTime()
  state.last = now
  local frame = loop:begin_frame(now)
  steps(state, frame)
  draw(state, frame, now)
  love.timer.sleep(0.001)
end

--- Sets love.run, and returns its loop. Call it in main.lua. Options are those of `GameLoop` and `rate`, 60 unless set.
function evenstep_love.run(options)
  options = options or {}
  assert(love and love.timer, "evenstep_love.run needs LÖVE with love.timer: leave t.modules.timer on in conf.lua")
  local loop = evenstep.GameLoop.new(options.rate or 60, options)
  local state = { loop = loop, is_stepping = false }
  answer_for_steps(state)
  function love.run()
    if love.load then
      love.load(love.parsedGameArguments or love.arg.parseGameArguments(arg), love.rawGameArguments or arg)
    end
    -- The first frame does not include the time of love.load.
    love.timer.step()
    state.begun = love.timer.getTime()
    state.last = state.begun
    local name = love.errorhandler and "errorhandler" or "errhand"
    local handler = love[name]
    love[name] = function(...)
      state.is_stepping = false
      return handler(...)
    end
    return function()
      return frame_of(state)
    end
  end
  return loop
end

return evenstep_love
