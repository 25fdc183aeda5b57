game { state = { cars = 0 } }

local function bridge(x, y)
  local last = nil
  for i = 0, 5 do
    local plank = spawn("Plank", { x = x + i * 1.2, y = y })
    hinge(plank, last, { ax = -0.6, ay = 0, break_force = 60 })
    last = plank
  end
  hinge(last, nil, { ax = 0.6, ay = 0 })
end

function onStart()
  bridge(-3, -2)
  for i = 0, 3 do
    local mill = spawn("Mill", { x = i * 8 - 12, y = -4.6 })
    spawn("Wind", { axle = hinge(mill, nil, { speed = 1, max_torque = 20, break_torque = 900 }), gusts = i * 9 })
    spawn("Walker", { x = i * 6 - 9, y = -5 })
    spawn("Ball", { x = i * 5 - 7, y = -3 })
    for k = 0, 3 do spawn("Crate", { x = i * 7 - 10 + k % 2, y = -6 + k }) end
  end
  local a, b = spawn("Crate", { x = 15, y = -5 }), spawn("Crate", { x = 16, y = -3 })
  weld(a, b, { hertz = 3, damping = 0.5, turn_hertz = 2 })
  spring(b, nil, { bx = 16, by = 1, hertz = 1, length = 2 })
  slider(spawn("Crate", { x = -15, y = 0 }), nil, { axis = 1.57, min = -3, max = 3, speed = -1, max_force = 60 })
  rod(spawn("Ball", { x = -16, y = 2 }), nil, { bx = -16, by = 4 })
end

function onJoin(player)
  game.cars = game.cars + 1
  spawn("Car", { x = game.cars * 4 - 10, y = 0, owner = player })
end
