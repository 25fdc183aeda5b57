-- Each player gets a runner. The first one brings the ball.
function onJoin(player)
  local place = (player - 1) % 8
  spawn("Runner", { x = 4 * (place % 4) - 6, y = 6 * (math.floor(place / 4)) - 3, angle = player, owner = player })
  if not objects("Ball")[1] then spawn("Ball", { x = -4, y = 0 }) end
end
