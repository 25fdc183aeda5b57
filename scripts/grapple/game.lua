-- Who joins gets a runner, on the step to the left or to the right.
function onJoin(player)
  spawn("Runner", { x = (player % 2 == 0 and -14 or 14) + (random() - 0.5) * 4, y = -6, owner = player })
end
