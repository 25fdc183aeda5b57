-- The match. game.lua is loaded last; its global functions are hooks.
game {
  state = { joins = 0 },
}

-- A player has come: he gets a ship. Who gets nothing here looks on.
function onJoin(player)
  game.joins = game.joins + 1
  spawn("Ship", { x = (random() - 0.5) * 20, y = (random() - 0.5) * 10, owner = player })
end
