-- an __index in a circle
-- expect: is it a loop
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local a, b = {}, {} setmetatable(a, { __index = b }) setmetatable(b, { __index = a }) return a.x
end
