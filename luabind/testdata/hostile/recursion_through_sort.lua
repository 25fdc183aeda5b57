-- recursion through sort
-- expect: functions call each other too deep
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local function f() table.sort({2, 1}, function(a, b) f() return a < b end) end f()
end
