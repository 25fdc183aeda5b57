-- an error value whose __tostring returns no text
-- expect: an error value of type table
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  error(setmetatable({ code = 5 }, { __tostring = function() return {} end }))
end
