-- Each player gets a walker.
function onJoin(player)
  local place = (player - 1) % 8
  spawn("Walker", { x = 6 * (place % 4) - 9, y = 8 * (math.floor(place / 4)) - 4, owner = player })
end
