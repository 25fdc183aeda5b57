-- game in a hook
-- expect: not a function
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  game {}
end
