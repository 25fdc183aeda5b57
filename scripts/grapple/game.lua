entry { note = "Hold fire to hang on a rope. Swing, and collect the lanterns." }

-- Every player who joins gets a runner, on the left or the right step.
function onJoin(player)
  spawn("Runner", { x = (player % 2 == 0 and -14 or 14) + (random() - 0.5) * 4, y = -6, owner = player })
end
