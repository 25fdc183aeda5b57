-- spawning itself in onSpawn
-- expect: onSpawn within onSpawn
X = object "X" {}
function X:onSpawn()
  spawn("X")
end
