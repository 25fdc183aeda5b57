-- an error value whose __tostring does not end
-- expect: used up its budget of 100000 instructions
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local E = { __tostring = function(e) while true do end end }
  error(setmetatable({ code = 5 }, E))
end
