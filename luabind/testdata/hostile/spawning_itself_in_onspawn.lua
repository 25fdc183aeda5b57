-- spawning itself in onSpawn
-- expect: onSpawn hooks spawn within each other
X = object "X" {}
function X:onSpawn()
  spawn("X")
end
