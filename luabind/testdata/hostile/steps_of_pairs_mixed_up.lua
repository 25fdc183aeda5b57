-- steps of pairs mixed up
-- expect: used together
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local step = pairs({}) step(1, 2)
end
