-- list by insert in front
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = {} while true do table.insert(t, 1, 1) end
end
