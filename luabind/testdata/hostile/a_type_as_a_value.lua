-- a type as a value
-- expect: cannot hold
kind = str(4)
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  self.s = kind
end
