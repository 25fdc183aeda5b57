-- closures without end
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = {} while true do local x = 1 t[#t + 1] = function() return x end end
end
