-- Each player gets a fighter, on a lane of its own: half of them are predicted.
local classes = { "Fighter", "Runner", "Fighter", "Drifter" }

function onJoin(player)
  spawn(classes[(player - 1) % 4 + 1], { y = 3 * ((player - 1) % 8) - 10.5, owner = player })
end
