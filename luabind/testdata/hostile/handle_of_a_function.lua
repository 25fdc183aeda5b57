-- handle of a function
-- expect: cannot hold
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  self.r = print
end
