-- How the arena plays. Run by "host test arena".

-- ship of a player.
local function shipOf(player)
  for _, s in ipairs(objects("Ship")) do
    if s.owner == player then
      return s
    end
  end
end

local function speed(o)
  local vx, vy = o:getVelocity()
  return vec.length(vx, vy)
end

test("every player gets a ship", function(t)
  t:world { players = 3 }
  t:eq(#objects("Ship"), 3)
  t:eq(game.joins, 3)
  for p = 1, 3 do
    t:ok(shipOf(p), "ship of player " .. p)
  end
end)

test("thrust reaches 10 m/s at most", function(t)
  local w = t:world { players = 1, empty = true }
  w:input(1, { Thrust = true })
  w:step(60 * 4)
  t:near(speed(shipOf(1)), 10, 0.3)
end)

test("turning left is counter-clockwise", function(t)
  local w = t:world { empty = true, players = 1 }
  local ship = shipOf(1)
  w:input(1, { TurnLeft = true })
  w:step(60)
  t:near(ship:getAngularVelocity(), 4, 0.1)
  w:input(1, { TurnRight = true })
  w:step(120)
  t:near(ship:getAngularVelocity(), -4, 0.1)
end)

test("nothing leaves the arena", function(t)
  local w = t:world { players = 2 }
  w:input(1, { Thrust = true })
  w:input(2, { Thrust = true, TurnLeft = true })
  w:step(60 * 10)
  for _, class in ipairs({ "Ship", "Crate", "Ball", "Drone" }) do
    for _, o in ipairs(objects(class)) do
      local x, y = o:getPosition()
      t:ok(math.abs(x) < arena.width / 2 and math.abs(y) < arena.height / 2, class)
    end
  end
end)

test("a hard bump is counted, on both ships", function(t)
  local w = t:world { empty = true }
  local left = w:spawn("Ship", { x = -3, vx = 6 })
  local right = w:spawn("Ship", { x = 3, vx = -6 })
  w:step(60)
  t:eq(left.bumps, 1)
  t:eq(right.bumps, 1)
end)

-- rammed lets a ship of player 1, which flies to the right, hit an object.
local function rammed(t, class, fields)
  local w = t:world { empty = true, players = 2 }
  w:spawn("Ship", { x = -3, vx = 8, owner = 1 })
  w:spawn(class, fields)
  w:step(50)
  return w, stats(1), stats(2)
end

test("ramming a ship from behind gives two points", function(t)
  local _, one, two = rammed(t, "Ship", { x = 0, owner = 2 })
  t:eq(one.points, 2)
  t:eq(one.rams, 1)
  t:eq(two.points, 0)
  t:eq(two.hurt, 1)
end)

test("ships that hit each other head on get nothing", function(t)
  local _, one, two = rammed(t, "Ship", { x = 0, angle = math.pi, owner = 2 })
  t:eq(one.points + two.points + one.hurt + two.hurt, 0)
  t:ok(objects("Ship")[3].bumps > 0, "they have hit each other")
end)

test("ramming a drone gives a point", function(t)
  local _, one = rammed(t, "Drone", { x = 0 })
  t:eq(one.points, 1)
end)

test("a drone that rams a ship takes a point, unless the ship has none", function(t)
  local w, one = rammed(t, "Ship", { x = 0, owner = 2 })
  w:spawn("Drone", { x = 3, y = -10, vx = 8 })
  w:spawn("Ship", { x = 6, y = -10, owner = 1 })
  w:step(60)
  t:ok(one.hurt > 0, "the drone has rammed it")
  t:eq(one.points, math.max(0, 2 - one.hurt))
end)

test("who has ten points wins, and the next round begins", function(t)
  local w, one, two = rammed(t, "Ship", { x = 0, owner = 2 })
  for i = 1, 4 do
    t:eq(game.phase, "play")
    w:spawn("Ship", { x = -19 + i, y = -9 + 4 * i, vx = 8, owner = 1 })
    w:spawn("Ship", { x = -16 + i, y = -9 + 4 * i, owner = 2 })
    w:step(50)
  end
  t:eq(one.points, 10)
  t:eq(game.phase, "over")
  t:eq(game.winner, 1)
  t:eq(one.wins, 1)
  w:step(60 * 7)
  t:eq(game.phase, "play")
  t:eq(one.points + two.hurt, 0)
  t:eq(one.wins, 1)
  t:near(game.ends - now(), 119, 2)
end)

test("after two minutes nobody wins with as many points as another", function(t)
  local w = t:world { empty = true, players = 2 }
  w:step(60 * 121)
  t:eq(game.phase, "over")
  t:eq(game.winner, 0)
end)

test("a drone follows a ship", function(t)
  local w = t:world { empty = true }
  local drone = w:spawn("Drone", { x = -4 })
  local ship = w:spawn("Ship", { x = 4 })
  w:step(90)
  t:ok(drone:getPosition() > -2, "the drone has come nearer")
  t:near(ship:getPosition(), 4, 2)
end)

-- In each of these worlds a drone of old stood still: it saw a ship behind a wall, or a wall behind a ship, and
-- turned to and fro.
for _, seed in ipairs({ 1, 5, 6 }) do
  test("no drone stands still, seed " .. seed, function(t)
    local w = t:world { players = 2, seed = seed }
    for p = 1, 2 do w:input(p, { TurnLeft = true, Thrust = seed % 2 == 0 }) end
    local last, far = {}, {}
    for tick = 0, 40 * 60 do
      for i, drone in ipairs(objects("Drone")) do
        local x, y = drone:getPosition()
        far[i] = (far[i] or 0) + (last[i] and vec.distance(x, y, last[i].x, last[i].y) or 0)
        last[i] = { x = x, y = y }
        if tick % 300 == 0 then
          t:ok(tick == 0 or far[i] > 2, "drone " .. i .. " flies before tick " .. tick)
          far[i] = 0
        end
      end
      w:step()
    end
  end)
end

test("at 5 % loss a ship flies as its player sees it", function(t)
  local w = t:world { players = 2, net = "bad", empty = true }
  w:input(1, { Thrust = true })
  w:step(120)
  local shown = w:seenBy(1, function() return speed(shipOf(1)) end)
  t:near(shown, 10, 0.5, "on the player's own screen")
  w:settle()
  local x, y = w:confirmed(function() return shipOf(1):getPosition() end)
  t:ok(vec.length(x, y) > 5, "the ship has flown")
end)
