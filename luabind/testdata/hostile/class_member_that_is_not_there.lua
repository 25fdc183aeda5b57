-- class member that is not there
-- expect: attempt to index a nil value
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  X.nothing.at.all = 1
end
