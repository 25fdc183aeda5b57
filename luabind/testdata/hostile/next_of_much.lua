-- next of much
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = {} for i = 1, 3000 do t[i] = i end while true do next(t, 5) end
end
