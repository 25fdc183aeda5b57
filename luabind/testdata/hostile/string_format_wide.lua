-- string.format wide
-- expect: not a directive
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  string.format('%999999d', 1)
end
