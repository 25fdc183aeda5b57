-- strings kept
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = {} local s = string.rep('x', 1000) for i = 1, 1e9 do t[i] = s .. i end
end
