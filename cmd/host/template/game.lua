-- The match. game.lua is loaded last; its global functions are hooks.
game {
  state = { joins = 0 },
}

-- Every player who joins gets a ship. A player who gets no object is a spectator.
function onJoin(player)
  game.joins = game.joins + 1
  spawn("Ship", { x = (random() - 0.5) * 20, y = (random() - 0.5) * 10, owner = player })
end
