-- spawning rubbish
-- expect: spawn: X has no q
X = object "X" {}
function X:tick()
  spawn("X", { q = 1 })
end
