-- string.rep of nothing
-- expect: fine
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  string.rep('', 1e308)
end
