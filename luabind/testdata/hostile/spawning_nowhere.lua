-- spawning nowhere
-- expect: every number must be within
X = object "X" { body = { shape = { circle = 1 } } }
function X:tick()
  spawn("X", { x = 0 / 0 })
end
