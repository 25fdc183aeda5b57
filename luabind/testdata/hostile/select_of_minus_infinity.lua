-- select of minus infinity
-- expect: fewer
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  select(-1/0, 1)
end
