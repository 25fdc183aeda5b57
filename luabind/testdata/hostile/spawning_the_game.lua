-- spawning the game
-- expect: there is no class game
X = object "X" {}
function X:tick()
  spawn("game")
end
