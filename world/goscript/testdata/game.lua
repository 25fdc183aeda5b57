game { state = { round = 1, told = false } }
player { state = { wins = 0 } }

function onStart()
  every(0.75, "chime")
  spawn("Drone", { x = 6, y = 6 })
  spawn("Drone", { x = -6, y = 5 })
  spawn("Pad", { x = 0, y = -6 })
end

function onJoin(player)
  spawn("Ship", { owner = player, x = random() * 10 - 5, y = random() * 10 - 5, angle = random() })
  stats(player).wins = stats(player).wins + player
end

function chime() game.round = game.round + 0.25 end

local function lineUp()
  for _, p in ipairs(players()) do
    local d = takeOver(p, "Drone")
    if d then d.walked = 0 end
  end
  fillTeams("Drone", 3)
  if #players() > 1 then resetStats() end
end

function tick()
  if tickNumber() % 60 ~= 0 then return end
  game.round = game.round + 1
  game.told = #players() > 1
  for _, pad in ipairs(objects("Pad")) do pad.steps = 0 end
  if math.floor(game.round) % 3 == 0 then lineUp() end
  if math.floor(game.round) % 4 == 0 then error("a hook that fails") end
end
