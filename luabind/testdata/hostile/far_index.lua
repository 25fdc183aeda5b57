-- far index
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  for i = 1, 1e9 do local t = {} t[65535] = i end
end
