-- an error value with __tostring
-- expect: E: 5
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local E = { __tostring = function(e) return "E: " .. e.code end }
  error(setmetatable({ code = 5 }, E))
end
