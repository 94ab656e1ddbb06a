function love.conf(t)
  t.identity = "evenstep-test"
  t.window.width, t.window.height, t.window.vsync = 240, 120, 0
  t.window.title = "evenstep's tests"
  t.modules.audio, t.modules.joystick, t.modules.physics, t.modules.sound, t.modules.video = false, false, false, false, false
end
