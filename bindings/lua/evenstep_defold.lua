-- SPDX-License-Identifier: MIT OR Apache-2.0
-- evenstep 0.1.0, https://docs.rs/evenstep

--- evenstep for Defold: sprites between the last two physics steps of their bodies. Copy it into your project; it needs no other file.
--
--     local evenstep = require("evenstep_defold")
--
--     function init(self)
--       self.drawing = evenstep.new()
--       self.drawing:add("/block", "/block_sprite")      -- a body, and the game object that is drawn in its place
--     end
--
--     function fixed_update(self, dt)
--       self.drawing:fixed_update(dt)
--     end
--
--     function update(self, dt)
--       self.drawing:update(dt)
--     end
--
-- The engine owns the steps: with `physics.use_fixed_timestep` and `engine.fixed_update_frequency` in game.project it calls `fixed_update` and
-- steps the physics at equal lengths. This counts them as the engine does, and draws a step late, evenly, at every rate of display and
-- steps, since Defold 1.12 and before, in `update` or in `late_update`, and with every time step of a collection proxy.
--
-- SIMULATED   Nobody has run it in the engine: its tests play a model of the engine's order of calls.

local evenstep_defold = { VERSION = "0.1.0" }

local Drawing = {}
Drawing.__index = Drawing

--- Alpha is below 1, also as a float of 32 bits.
local LARGEST_ALPHA = 1 - 2 ^ -24

--- Whether the engine calls `update` before the fixed updates of its frame, as it did until 1.12.
local function updates_first()
  local version = sys and sys.get_engine_info and sys.get_engine_info().version or ""
  local major, minor = version:match("^(%d+)%.(%d+)")
  return major ~= nil and tonumber(major) * 1000 + tonumber(minor) < 1012
end

--- What draws between steps. Use one for each script whose `fixed_update` and `update` call its own.
--
-- `alpha`     where this frame is between the states before (0) and after (1) the last step: for what you draw yourself
function evenstep_defold.new()
  return setmetatable({
    alpha = 0,
    -- By body. Each has its states before and after the last step.
    _entries = {},
    -- The length of a step, 0 before the first; the fixed updates since the last frame, and the time that they have.
    _step = 0,
    _count = 0,
    _stepped = 0,
    -- The time that has passed since the last step, as the engine has it, and by how much it was more than a step in a frame without one.
    _passed = 0,
    _beyond = 0,
    _last_dt = 0,
    _is_delayed = updates_first(),
  }, Drawing)
end

local function state_of(body)
  return { position = go.get_position(body), rotation = go.get_rotation(body) }
end

--- The state of a body that may have been deleted: nil then.
local function state_or_nil(body)
  local is_there, state = pcall(state_of, body)
  return is_there and state or nil
end

--- Draws a game object between the states of a body: ids or URLs, as go.get_position takes them. Both need the same parent. A body that is
-- spawned is drawn where it is at this call. If one of the two is deleted, it is forgotten.
function Drawing:add(body, drawn)
  local state = state_of(body)
  self._entries[body] = { drawn = drawn, before = state, after = state }
end

--- Forgets a body.
function Drawing:remove(body)
  self._entries[body] = nil
end

--- The body is elsewhere, and was not on its way there: call it after you have set its position.
function Drawing:teleport(body)
  local entry = self._entries[body]
  if not entry then
    error("evenstep: teleport: this body was not added, or was deleted", 2)
  end
  local state = state_of(body)
  entry.before, entry.after = state, state
end

--- Call it in the script's `fixed_update`.
function Drawing:fixed_update(dt)
  if dt ~= self._step then
    -- The time step of the collection proxy is another one.
    self._step, self._beyond = dt, 0
  end
  self._count = self._count + 1
  self._stepped = self._stepped + dt
  -- The second step of a frame and later ones begin with states that no frame has seen.
  if self._count > 1 then
    for body, entry in pairs(self._entries) do
      entry.between = state_or_nil(body)
    end
  end
end

--- Counts the time of a frame and of its steps.
function Drawing:_pass(dt)
  local step = self._step
  self._passed = self._passed + dt - self._stepped
  if self._count > 0 then
    -- The engine has taken these steps, so there was time for them, and none is left for another.
    self._passed = math.min(math.max(self._passed - self._beyond, 0), step * LARGEST_ALPHA)
    self._beyond = 0
  elseif step > 0 then
    -- In a frame without steps there was no time for one, unless steps have become longer: the next step tells.
    self._beyond = math.max(self._beyond, self._passed - step * LARGEST_ALPHA)
  end
  self._stepped = 0
end

function Drawing:_draw(dt)
  self:_pass(dt)
  local has_stepped = self._count > 0
  self._count = 0
  self.alpha = self._step > 0 and math.min(math.max(self._passed / self._step, 0), LARGEST_ALPHA) or 0
  for body, entry in pairs(self._entries) do
    local is_there = true
    if has_stepped then
      local state = state_or_nil(body)
      entry.before, entry.after = entry.between or entry.after, state
      entry.between = nil
      is_there = state ~= nil
    end
    if is_there then
      local before, after = entry.before, entry.after
      is_there = pcall(go.set_position, vmath.lerp(self.alpha, before.position, after.position), entry.drawn)
      is_there = is_there and pcall(go.set_rotation, vmath.slerp(self.alpha, before.rotation, after.rotation), entry.drawn)
    end
    if not is_there then
      self._entries[body] = nil
    end
  end
end

--- Draws: call it in the script's `update`. Until Defold 1.12 that comes before the steps of the frame, and draws the frame before.
function Drawing:update(dt)
  local of_steps = dt
  if self._is_delayed then
    of_steps, self._last_dt = self._last_dt, dt
  end
  self:_draw(of_steps)
end

--- Draws: in `late_update`, instead of `update`.
function Drawing:late_update(dt)
  self:_draw(dt)
end

return evenstep_defold
