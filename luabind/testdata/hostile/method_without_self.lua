-- method without self
-- expect: colon
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  self.getPosition()
end
