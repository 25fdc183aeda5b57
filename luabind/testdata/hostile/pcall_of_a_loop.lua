-- a loop within pcall
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  while true do pcall(function() while true do end end) end
end
