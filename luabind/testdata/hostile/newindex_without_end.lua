-- a __newindex that writes itself
-- expect: too deep
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = {} setmetatable(t, { __newindex = function(t, k, v) t[k] = v end }) t.x = 1
end
