-- a __newindex in a circle
-- expect: is it a loop
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local a, b = {}, {} setmetatable(a, { __newindex = b }) setmetatable(b, { __newindex = a }) a.x = 1
end
