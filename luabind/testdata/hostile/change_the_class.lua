-- change the class
-- expect: cannot be changed
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  self.class = 'Y'
end
