-- Flies in a circle: what turns, turns; what is moved in directions changes
-- them, once around in six seconds.
function bot(me, world)
  local a = world.now()
  return world.steer(1, 1, math.cos(a), math.sin(a)) or world.anything()
end
