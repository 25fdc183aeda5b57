-- long text as keys
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t, k = {}, string.rep('a', 1000) while true do t[k] = 1 end
end
