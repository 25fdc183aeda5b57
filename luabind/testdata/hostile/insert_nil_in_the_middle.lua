-- insert nil in the middle
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = {1, 2, 3} while true do table.insert(t, 2, nil) end
end
