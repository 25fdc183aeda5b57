-- Holds random inputs for 10 to 40 ticks, then others.
function bot(me, world)
  return world.anything()
end
