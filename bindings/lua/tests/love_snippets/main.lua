-- Runs the pages' code for LÖVE in LÖVE's own loop: love FOLDER SNIPPETS, a folder with their files. Plays the first program for a second with keys,
-- and looks at the picture.

local folder = arg[#arg]
local root = love.filesystem.getSource() .. "/../.."
package.path = root .. "/?.lua;" .. package.path

function love.errorhandler(message)
  print(debug.traceback("failed: " .. tostring(message), 2))
  os.exit(1)
end

local pipe = assert(io.popen("grep -l 'love[.]' '" .. folder .. "'/*.lua"))
local files = {}
for file in pipe:lines() do
  table.insert(files, file)
end
assert(#files > 0, "no code for LÖVE was found")

local function white(image)
  local left, top
  for y = 0, image:getHeight() - 1 do
    for x = 0, image:getWidth() - 1 do
      if not left and image:getPixel(x, y) > 0.9 then
        left, top = x, y
      end
    end
  end
  return left, top
end

for _, file in ipairs(files) do
  love.load, love.update, love.draw, love.run = nil, nil, nil, nil
  dofile(file)
  local update, steps = love.update, 0
  function love.update(dt)
    steps = steps + 1
    return update(dt)
  end
  local main = love.run()
  local function picture()
    local image
    love.graphics.captureScreenshot(function(data)
      image = data
    end)
    while not image do
      assert(main() == nil)
    end
    return white(image)
  end
  local function play(count)
    local last = steps + count
    while steps < last do
      assert(main() == nil)
    end
  end
  play(10)
  local left, top = picture()
  love.event.push("keypressed", "right", "right", false)
  love.event.push("keypressed", "space", "space", false)
  play(30)
  local right, higher = picture()
  assert(left and right and right - left > 60 and top - higher == 50, ("%s: %s %s, then %s %s"):format(file, left, top, right, higher))
end
print(#files .. " programs of the pages in LÖVE")
love.run = function()
  return function()
    return 0
  end
end
