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
  w:input(1, { Accel = true })
  w:step(60 * 4)
  t:near(speed(shipOf(1)), 10, 0.3)
end)

test("turning left is counter-clockwise", function(t)
  local w = t:world { empty = true, players = 1 }
  local ship = shipOf(1)
  w:input(1, { Turnleft = true })
  w:step(60)
  t:near(ship:getAngularVelocity(), 4, 0.1)
  w:input(1, { Turnright = true })
  w:step(120)
  t:near(ship:getAngularVelocity(), -4, 0.1)
end)

test("nothing leaves the arena", function(t)
  local w = t:world { players = 2 }
  w:input(1, { Accel = true })
  w:input(2, { Accel = true, Turnleft = true })
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
    for p = 1, 2 do w:input(p, { Turnleft = true, Accel = seed % 2 == 0 }) end
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
  w:input(1, { Accel = true })
  w:step(120)
  local shown = w:seenBy(1, function() return speed(shipOf(1)) end)
  t:near(shown, 10, 0.5, "on the player's own screen")
  w:settle()
  local x, y = w:confirmed(function() return shipOf(1):getPosition() end)
  t:ok(vec.length(x, y) > 5, "the ship has flown")
end)
