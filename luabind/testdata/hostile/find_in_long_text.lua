-- find in long text
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local s = string.rep('a', 1000) while true do string.find(s, 'aaab', 1, true) end
end
