-- an __index that reads itself
-- expect: too deep
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = {} setmetatable(t, { __index = function(t, k) return t[k .. "x"] end }) return t.x
end
