-- a __tostring that calls itself
-- expect: too deep
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = setmetatable({}, { __tostring = function(t) return tostring(t) end }) return tostring(t)
end
