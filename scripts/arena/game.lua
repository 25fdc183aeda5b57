-- The match: every player who joins gets a ship.
game {
  state = { joins = 0 },
}

-- A position with free space around it, if one is found in a few tries.
local function freePlace()
  local x, y
  for _ = 1, 12 do
    x = (random() - 0.5) * (arena.width - 4)
    y = (random() - 0.5) * (arena.height - 4)
    if #overlapCircle(x, y, 1.2) == 0 then
      break
    end
  end
  return x, y
end

function onJoin(player)
  game.joins = game.joins + 1
  local x, y = freePlace()
  spawn("Ship", { x = x, y = y, angle = (random() - 0.5) * 2 * math.pi, owner = player })
end
