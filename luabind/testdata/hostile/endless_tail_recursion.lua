-- endless tail recursion
-- expect: functions call each other too deep
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local function f() return f() end f()
end
