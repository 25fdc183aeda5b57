game { state = { round = 1, told = false } }

function onStart()
  spawn("Drone", { x = 6, y = 6 })
  spawn("Drone", { x = -6, y = 5 })
  spawn("Pad", { x = 0, y = -6 })
end

function onJoin(player)
  spawn("Ship", { owner = player, x = random() * 10 - 5, y = random() * 10 - 5, angle = random() })
end

function tick()
  if tickNumber() % 60 ~= 0 then return end
  game.round = game.round + 1
  game.told = #players() > 1
  for _, pad in ipairs(objects("Pad")) do pad.steps = 0 end
  if game.round % 4 == 0 then error("a hook that fails") end
end
