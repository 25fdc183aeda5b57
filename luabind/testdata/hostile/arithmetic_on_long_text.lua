-- arithmetic on long text
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local s = string.rep('9', 100) while true do local x = s + 1 end
end
