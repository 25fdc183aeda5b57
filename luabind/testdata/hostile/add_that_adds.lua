-- an __add that adds itself
-- expect: too deep
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t t = setmetatable({}, { __add = function(a, b) return a + b end }) return t + t
end
