-- Flies in a circle.
function bot(me, world)
  return { Turnleft = true, Accel = true }
end
