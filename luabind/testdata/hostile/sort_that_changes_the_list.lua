-- sort that changes the list
-- expect: fine
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = {3, 2, 1} table.sort(t, function(a, b) t[1] = nil t[9] = 1 return a < b end)
end
