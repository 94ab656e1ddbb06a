-- Tests evenstep_love.lua in LÖVE itself, with a clock of the test's: love FOLDER ROOT, where ROOT is bindings/lua. Each test plays a loop as
-- LÖVE does, frame after frame. Exits with 0, or with 1 and a line that says what failed.

package.path = arg[#arg] .. "/?.lua;" .. arg[#arg] .. "/tests/?.lua;" .. package.path
local evenstep_love, suite = require("evenstep_love"), require("suite")
local equal = suite.equal

function love.errorhandler(message)
  print(debug.traceback("failed: " .. tostring(message), 2))
  os.exit(1)
end

-- LÖVE's own functions, which each test gets back.
local pump, is_down, mouse_is_down = love.event.pump, love.keyboard.isDown, love.mouse.isDown
local errorhandler, handlers = love.errorhandler, love.handlers
local clock = {}

--- Forgets the last test, and begins a clock that shows `hz` frames a second.
local function prepare(hz)
  for _, name in pairs({ "load", "update", "draw", "keypressed", "keyreleased", "quit", "run", "focus" }) do
    love[name] = nil
  end
  love.keyboard.isDown, love.mouse.isDown, love.errorhandler, love.handlers = is_down, mouse_is_down, errorhandler, handlers
  love.event.clear()
  clock = { now = 50, last = 50, frame = 0, hz = hz, events = {}, in_pump = 0 }
  love.timer.getTime = function()
    return clock.now
  end
  love.timer.step = function()
    local dt = clock.now - clock.last
    clock.last = clock.now
    return dt
  end
  love.timer.sleep = function()
    clock.frame = clock.frame + 1
    clock.now = 50 + clock.frame / clock.hz + (clock.late or 0)
  end
  -- Events come when the clock has passed their time.
  love.event.pump = function()
    clock.now = clock.now + clock.in_pump
    pump()
    while clock.events[1] and 50 + clock.events[1][1] < clock.now - 1e-9 do
      love.event.push(unpack(table.remove(clock.events, 1), 2))
    end
  end
end

local function at(time, ...)
  table.insert(clock.events, { time, ... })
end

--- Plays until a time of the clock, or the end of the game, whose values it returns.
local function play(seconds)
  local main = clock.main or love.run()
  clock.main = main
  while clock.now < 50 + seconds - 1e-9 do
    local exit, restart = main()
    if exit then
      return exit, restart
    end
  end
end

local tests = {}

function tests.the_end_is_the_same_at_30_60_144_and_240_frames_a_second()
  local first
  for _, hz in ipairs({ 30, 60, 144, 240 }) do
    prepare(hz)
    evenstep_love.run({ rate = 60 })
    local x, y, speed, presses, steps = 0, 0, 0, 0, 0
    function love.update(dt)
      equal(dt, 1 / 60, "dt")
      if steps == 300 then
        return
      end
      steps = steps + 1
      if love.keyboard.isDown("right", "d") then
        speed = speed + 300 * dt
      elseif love.keyboard.isDown({ "left" }) then
        speed = speed - 150 * dt
      end
      speed = speed * 0.97
      x = x + speed * dt
      y = y + (love.mouse.isDown(1) and 90 or -30) * dt
    end
    function love.keypressed(key)
      presses = presses + (key == "space" and 1 or 0)
      speed = speed + (key == "space" and 40 or 0)
    end
    for sixth = 2, 26 do
      local key = ({ "right", "left", "space", "d" })[sixth % 4 + 1]
      at(sixth / 6, "keypressed", key, key, false)
      at(sixth / 6 + (sixth % 3 + 1) / 6, "keyreleased", key, key)
      if sixth % 5 == 0 then
        at(sixth / 6, "mousepressed", 10, 10, 1, false, 1)
        at((sixth + 2) / 6, "mousereleased", 10, 10, 1, false, 1)
      end
    end
    table.sort(clock.events, function(one, other)
      return one[1] < other[1]
    end)
    play(5.2)
    equal(steps, 300, "steps")
    local ends = ("%.17g %.17g %.17g %d"):format(x, y, speed, presses)
    first = first or ends
    equal(ends, first, hz .. " frames a second")
  end
end

function tests.a_tap_between_two_frames_is_a_press_in_one_step_at_every_rate()
  for _, hz in ipairs({ 24, 30, 60, 75, 144, 240 }) do
    prepare(hz)
    local loop = evenstep_love.run({ rate = 60 })
    local down, presses = 0, 0
    function love.update()
      down = down + (love.keyboard.isDown("a") and 1 or 0)
      presses = presses + loop.input:presses("a")
    end
    for tap = 1, 100 do
      at(0.5 + tap * 0.0931, "keypressed", "a", "a", false)
      at(0.5 + tap * 0.0931 + 0.0001, "keyreleased", "a", "a")
    end
    play(11)
    equal(presses, 100, "presses at " .. hz)
    -- A tap that a frame divides is down until the next frame has read its end.
    assert(down >= 100 and down <= 104, ("steps with a tap at %d: %d"):format(hz, down))
  end
end

function tests.a_key_acts_in_the_frame_that_reads_it_on_60_hz()
  prepare(60)
  local loop = evenstep_love.run({ rate = 60 })
  local waits = 0
  local pressed
  function love.keypressed()
    pressed = clock.frame
  end
  function love.update()
    if loop.input:presses("a") > 0 then
      waits = waits + clock.frame - pressed
    end
  end
  for tap = 1, 50 do
    at(0.5 + tap * 0.1177, "keypressed", "a", "a", false)
    at(0.5 + tap * 0.1177 + 0.05, "keyreleased", "a", "a")
  end
  play(8)
  equal(waits, 0, "frames from the event to its step")
end

function tests.a_held_key_is_down_in_updates_and_the_device_answers_elsewhere()
  prepare(144)
  evenstep_love.run({ rate = 60 })
  local in_update, in_draw = 0, 0
  function love.update()
    in_update = in_update + (love.keyboard.isDown("a") and 1 or 0)
  end
  function love.draw()
    in_draw = in_draw + (love.keyboard.isDown("a") and 1 or 0)
  end
  at(0.5, "keypressed", "a", "a", false)
  at(0.7, "keypressed", "a", "a", true)
  at(1, "focus", false)
  at(1.2, "keypressed", "a", "a", true)
  play(2)
  equal(in_update >= 29 and in_update <= 31, true, "half a second of 60 steps: " .. in_update)
  equal(in_draw, 0, "the device, whose key nobody pressed")
end

function tests.nothing_is_drawn_before_the_first_update_and_a_paused_game_is()
  prepare(144)
  local loop = evenstep_love.run({ rate = 60 })
  local updates, drawn = 0, {}
  function love.update()
    updates = updates + 1
  end
  function love.draw(alpha)
    table.insert(drawn, updates)
    assert(alpha >= 0 and alpha < 1)
  end
  play(1)
  equal(drawn[1], 1, "updates before the first draw")
  assert(#drawn > 138, "a draw in nearly all of 144 frames: " .. #drawn)
  loop:pause()
  local before, keys = updates, 0
  function love.keypressed()
    keys = keys + 1
  end
  at(1.5, "keypressed", "p", "p", false)
  play(2)
  equal(updates, before, "updates in a pause")
  equal(keys, 1, "callbacks in a pause")
  loop:resume()
  play(3)
  assert(updates - before >= 58 and updates - before <= 61, "after the pause: " .. updates - before)
  prepare(60)
  local paused = evenstep_love.run()
  local draws = 0
  function love.load()
    paused:pause()
  end
  function love.draw()
    draws = draws + 1
  end
  play(1)
  assert(draws >= 59, "a title screen is drawn: " .. draws)
end

function tests.a_window_that_is_dragged_and_an_update_that_hangs_do_not_sprint()
  prepare(60)
  local loop = evenstep_love.run({ rate = 60 })
  local updates = 0
  function love.update()
    updates = updates + 1
  end
  play(1)
  local before = updates
  clock.in_pump, clock.late = 3, 3
  clock.main()
  clock.in_pump = 0
  clock.main()
  assert(updates - before <= 2, "3 s in the event queue are no time of the game: " .. updates - before)
  loop:pause()
  clock.main()
  clock.in_pump, clock.late = 3, 6
  clock.main()
  equal(loop:is_paused(), true, "a pause goes on while a window is dragged")
  clock.in_pump = 0
  loop:resume()
  clock.main()
  before = updates
  clock.late = 16
  love.timer.sleep()
  clock.main()
  assert(updates - before <= 7, "a hang of 10 s is cut: " .. updates - before)
end

function tests.quit_can_be_refused_and_has_its_values()
  prepare(60)
  evenstep_love.run()
  local refusals = 0
  function love.quit()
    refusals = refusals + 1
    return refusals < 3
  end
  at(0.1, "quit")
  at(0.2, "quit", 7)
  at(0.3, "quit", 7, "more")
  local exit, restart = play(1)
  equal(refusals, 3, "how often love.quit was asked")
  equal(exit, 7, "the exit code")
  equal(restart, "more", "the value for a restart")
  prepare(60)
  evenstep_love.run()
  at(0.1, "quit", "restart")
  equal(play(1), "restart", "a restart")
  -- In LÖVE 12 the third value forbids to refuse. (Simulated: this is LÖVE 11.)
  prepare(60)
  evenstep_love.run()
  function love.quit()
    return true
  end
  at(0.1, "quit", 3, false, true)
  equal(play(1), 3, "a quit that cannot be refused")
end

function tests.load_gets_the_arguments_and_an_update_that_is_replaced_is_called()
  prepare(60)
  evenstep_love.run()
  local first, second, arguments = 0, 0, nil
  function love.load(parsed, raw)
    arguments = { parsed, raw }
    -- As the gamestates of hump do.
    local before = love.update
    love.update = function(dt)
      second = second + 1
      before(dt)
    end
  end
  function love.update()
    first = first + 1
  end
  play(1)
  equal(type(arguments[1]), "table", "parsed arguments")
  equal(arguments[2], arg, "raw arguments")
  assert(first > 50 and first == second, "both are called in each step")
  -- Simulated: the names of LÖVE 12.
  prepare(60)
  evenstep_love.run()
  love.parsedGameArguments, love.rawGameArguments = { "a" }, { "b" }
  function love.load(parsed, raw)
    arguments = { parsed, raw }
  end
  play(0.1)
  equal(arguments[1][1] .. arguments[2][1], "ab", "the arguments of LÖVE 12")
  love.parsedGameArguments, love.rawGameArguments = nil, nil
end

-- Simulated: LÖVE 12 calls the loop from within `pump` while a window is resized.
function tests.a_loop_that_is_called_from_within_pump_goes_on()
  prepare(60)
  evenstep_love.run({ rate = 60 })
  local updates, draws = 0, 0
  function love.update()
    updates = updates + 1
  end
  function love.draw()
    draws = draws + 1
  end
  play(1)
  local outer = love.event.pump
  love.event.pump = function()
    love.event.pump = outer
    for _ = 1, 120 do
      clock.main()
    end
    outer()
  end
  local before, drawn = updates, draws
  clock.main()
  assert(updates - before >= 119 and updates - before <= 121, "2 s of a resize are played: " .. updates - before)
  equal(draws - drawn, 121, "frames that are drawn")
  play(4)
  assert(updates >= 239 and updates <= 241, "and time goes on: " .. updates)
end

function tests.an_update_that_pumps_has_no_steps_within_it()
  prepare(60)
  evenstep_love.run()
  local depth, deepest = 0, 0
  function love.update()
    depth = depth + 1
    deepest = math.max(deepest, depth)
    clock.main()
    depth = depth - 1
  end
  play(1)
  equal(deepest, 1, "updates within an update")
end

function tests.after_an_error_the_device_answers_for_the_error_screen()
  prepare(60)
  local asked
  function love.errorhandler()
    asked = love.keyboard.isDown("a")
  end
  evenstep_love.run()
  function love.update()
    equal(love.keyboard.isDown("a"), true, "a held key in an update")
    error("of the game")
  end
  at(-1, "keypressed", "a", "a", false)
  local _, message = pcall(play, 1)
  assert(message:find("of the game"), message)
  love.errorhandler(message)
  equal(asked, false, "the device, whose key nobody pressed")
end

function tests.options_are_those_of_the_loop_and_wrong_ones_are_named()
  prepare(60)
  local is_done, message = pcall(evenstep_love.run, { rate = "fast" })
  assert(not is_done and message:find('the rate is "fast"'), message)
  local loop = evenstep_love.run({ rate = 30, time_scale = 0.5 })
  local updates = 0
  function love.update(dt)
    updates = updates + 1
    equal(dt, 1 / 30, "dt")
  end
  play(2)
  assert(updates >= 29 and updates <= 31, updates)
  equal(type(loop.input.presses), "function", "its input")
end

--- A square that moves 60 pixels a second, at the last draw: its left edge, in the picture that LÖVE made.
function tests.the_picture_shows_the_square_between_its_last_two_steps()
  local evenstep = require("evenstep")
  for _, hz in ipairs({ 60, 144 }) do
    prepare(hz)
    evenstep_love.run({ rate = 20 })
    local x, drawn = evenstep.Smoothed.new(20), nil
    function love.update(dt)
      x:step(x.current + 60 * dt)
    end
    function love.draw(alpha)
      drawn = x:at(alpha)
      love.graphics.setColor(1, 1, 1)
      love.graphics.rectangle("fill", math.floor(drawn), 40, 16, 16)
    end
    play(2)
    local image
    love.graphics.captureScreenshot(function(data)
      image = data
    end)
    clock.main()
    local edge
    for column = 0, image:getWidth() - 1 do
      if not edge and image:getPixel(column, 48) > 0.9 then
        edge = column
      end
    end
    equal(edge, math.floor(drawn), "the left edge")
    -- A step of 3 pixels ago: 2 s less 50 ms, and what the filter leads by.
    assert(math.abs(drawn - (20 + 60 * (2 - 1 / 20))) < 1, drawn)
    if os.getenv("EVENSTEP_PICTURE") then
      local file = assert(io.open(os.getenv("EVENSTEP_PICTURE"), "wb"))
      file:write(image:encode("png"):getString())
      file:close()
    end
  end
end

-- LÖVE's own boot calls this; each test then calls its own loop.
function love.run()
  suite.run(tests, "LÖVE " .. table.concat({ love.getVersion() }, ".", 1, 2))
  return function()
    return 0
  end
end
