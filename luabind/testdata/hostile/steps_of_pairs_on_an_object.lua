-- steps of pairs on an object
-- expect: used together
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local step = pairs({}) step(self, 2)
end
