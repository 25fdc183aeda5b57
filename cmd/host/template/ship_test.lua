-- Run this with "host test".
test("every player gets a ship", function(t)
  t:world { players = 2 }
  t:eq(#objects("Ship"), 2)
  t:eq(objects("Ship")[1].owner + objects("Ship")[2].owner, 3)
end)

test("thrust makes it fly", function(t)
  local w = t:world { players = 1, empty = true }
  local x = objects("Ship")[1]:getPosition()
  w:input(1, { Accel = true })
  w:step(60)
  t:ok(objects("Ship")[1]:getPosition() > x + 3)
end)

-- On a connection with 5 % loss, and up to 200 ms delay each way.
test("a bump is the same for everybody on a bad connection", function(t)
  local w = t:world { players = 2, net = "bad", empty = true }
  local ship = objects("Ship")[1]
  local x, y = ship:getPosition()
  w:spawn("Rock", { x = x + 3, y = y })
  w:input(ship.owner, { Accel = true })
  w:step(120)
  w:settle()
  local function bumps() return ship.bumps end
  t:ok(w:confirmed(bumps) >= 1, "bumps")
  t:eq(w:seenBy(2, bumps), w:confirmed(bumps))
end)
