-- many arguments
-- expect: fine
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  print(unpack({}, 1, 249))
end
