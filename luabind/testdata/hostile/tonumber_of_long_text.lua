-- tonumber of long text
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local s = string.rep('9', 1000) while true do tonumber(s) end
end
