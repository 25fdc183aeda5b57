-- How ropes work. Run by "host test grapple".

local function mine() return objects("Runner")[1] end

local function hook() return objects("Hook")[1] end

-- A world with one runner, which stands on the ground.
local function standing(t, net)
  local w = t:world { players = 1, net = net }
  w:step(60)
  return w
end

test("a hook flies from its runner and sticks to a wall", function(t)
  local w = standing(t)
  w:input(1, { Fire = true, aim = math.pi / 2 })
  w:step(1)
  t:ok(hook(), "the hook exists in the tick of the key press")
  w:step(40)
  t:ok(hook().stuck, "stuck")
  local _, y = hook():getPosition()
  t:ok(y > 4, "at a wall above")
end)

test("the rope pulls its runner off the ground", function(t)
  local w = standing(t)
  local _, low = mine():getPosition()
  w:input(1, { Fire = true, aim = math.pi / 2 })
  w:step(150)
  local _, y = mine():getPosition()
  t:ok(y > low + 3, "the runner hangs")
  w:input(1, {})
  w:step(2)
  t:eq(#objects("Hook"), 0)
  w:step(120)
  _, y = mine():getPosition()
  t:near(y, low, 0.1, "the runner fell")
end)

test("a hook that meets nothing comes back", function(t)
  local w = t:world { players = 1, empty = true }
  w:input(1, { Fire = true, aim = 0 })
  w:step(10)
  t:eq(#objects("Hook"), 1)
  w:step(60)
  t:eq(#objects("Hook"), 0)
end)

test("a runner jumps from the ground only", function(t)
  local w = standing(t)
  local _, low = mine():getPosition()
  w:input(1, { Jump = true })
  w:step(20)
  local _, y = mine():getPosition()
  t:ok(y > low + 1, "in the air")
  local _, vy = mine():getVelocity()
  w:step(1)
  local _, later = mine():getVelocity()
  t:ok(later < vy, "no second jump")
end)

test("a lantern is taken once, and then hangs elsewhere", function(t)
  local w = standing(t)
  local x, y = mine():getPosition()
  local lantern = w:spawn("Lantern", { x = x, y = y })
  w:step(2)
  t:eq(mine().lanterns, 1)
  local lx, ly = lantern:getPosition()
  t:ok(vec.distance(x, y, lx, ly) > 1, "elsewhere")
end)

test("on a bad line the hook is on its owner's screen at once", function(t)
  local w = standing(t, "bad")
  w:input(1, { Fire = true, aim = math.pi / 2 })
  w:step(3)
  t:eq(#objects("Hook"), 0)
  t:eq(w:seenBy(1, function() return #objects("Hook") end), 1)
  w:step(90)
  w:settle()
  t:eq(w:confirmed(function() return hook().stuck end), true)
end)
