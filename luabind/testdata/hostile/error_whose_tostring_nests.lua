-- an error value whose __tostring calls itself
-- expect: functions call each other too deep
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local E = {}
  E.__tostring = function(e) return "x" .. E.__tostring(e) end
  error(setmetatable({ code = 5 }, E))
end
