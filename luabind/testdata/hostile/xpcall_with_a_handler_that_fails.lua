-- a handler of xpcall that fails
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  while true do xpcall(error, function(e) error(e) end, "x") end
end
