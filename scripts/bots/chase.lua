-- Turns towards the nearest object of its own kind that belongs to somebody
-- else, and pushes: ships meet often.

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

function bot(me, world)
  local x, y = me:getPosition()
  local other = target(me, world, x, y)
  if not other then
    return { Turnleft = true, Accel = true }
  end
  -- Something in the way: turn aside for a moment now and then.
  local slow = vec.length(me:getVelocity()) < 1
  if slow and math.floor(world.tickNumber() / 30) % 3 == 0 then
    return { Turnleft = true, Accel = true }
  end
  local ox, oy = other:getPosition()
  local turn = (vec.angle(ox - x, oy - y) - me:getDirection() + math.pi) % (2 * math.pi) - math.pi
  return { Turnleft = turn > 0.1, Turnright = turn < -0.1, Accel = math.abs(turn) < 1 }
end
