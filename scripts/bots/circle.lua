-- Flies in a circle: objects that can turn keep turning; objects that move in a
-- direction change it, once around in six seconds.
function bot(me, world)
  local a = world.now()
  return world.steer(1, 1, math.cos(a), math.sin(a)) or world.anything()
end
