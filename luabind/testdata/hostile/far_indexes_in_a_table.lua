-- far indexes in a table
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = {} for i = 65535, 1, -1 do t[i] = i end
end
