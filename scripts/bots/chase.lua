-- Turns towards the nearest object of its own class that another player owns,
-- and accelerates, so that ships meet often.

local function target(me, world, x, y)
  local best, least
  for _, other in ipairs(world.objects(me.class)) do
    if other.owner ~= me.owner then
      local ox, oy = other:getPosition()
      local d = vec.distance(x, y, ox, oy)
      if not least or d < least then
        best, least = other, d
      end
    end
  end
  return best
end

-- The inputs for a turn and a push, or for a direction, whichever the class has.
local function steer(world, turn, push, x, y)
  return world.steer(turn, push, x, y) or world.anything()
end

function bot(me, world)
  local x, y = me:getPosition()
  local other = target(me, world, x, y)
  if not other then
    return steer(world, 1, 1, math.cos(world.now()), math.sin(world.now()))
  end
  local ox, oy = other:getPosition()
  local dx, dy = vec.normalize(ox - x, oy - y)
  -- Something is in the way: turn aside for a moment now and then.
  local slow = vec.length(me:getVelocity()) < 1
  if slow and math.floor(world.tickNumber() / 30) % 3 == 0 then
    return steer(world, 1, 1, -dy, dx)
  end
  local turn = (vec.angle(dx, dy) - me:getDirection() + math.pi) % (2 * math.pi) - math.pi
  return steer(world, turn, math.abs(turn) < 1 and 1 or 0, dx, dy)
end
