-- an error value whose __tostring returns a long text
-- expect: xxx...
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  error(setmetatable({ code = 5 }, { __tostring = function() return ("x"):rep(60000) end }))
end
