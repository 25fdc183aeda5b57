-- table.concat without end
-- expect: joins strings
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  table.concat({}, '', 1, 2^31)
end
