-- a __call that calls itself
-- expect: too deep
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = setmetatable({}, { __call = function(t) return 1 + t() end }) return t()
end
