-- a __concat that grows
-- expect: at most 65536
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t t = setmetatable({}, { __concat = function(a, b) return ("x"):rep(65000) end }) return ("y"):rep(500) .. ("z"):rep(500) .. t .. "a" .. "b"
end
