-- compare long text
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local a, b = string.rep('a', 1000) .. 'x', string.rep('a', 1000) .. 'x' while a <= b do end
end
