-- Touches nothing.
function bot(me, world)
  return {}
end
