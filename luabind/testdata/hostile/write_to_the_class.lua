-- write to the class
-- expect: read-only
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  X.other = 1
end
