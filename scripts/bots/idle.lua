-- Presses nothing.
function bot(me, world)
  return {}
end
