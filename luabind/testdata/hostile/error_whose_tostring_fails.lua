-- an error value whose __tostring fails
-- expect: an error value of type table, whose __tostring fails
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local E = { __tostring = function(e) error(e) end }
  error(setmetatable({ code = 5 }, E))
end
