-- varargs that grow, not in a tail
-- expect: functions call each other too deep
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local function f(...) local x = f(1, ...) return x end f(1)
end
