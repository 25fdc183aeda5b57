-- sort with a liar
-- expect: fine
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = {} for i = 1, 200 do t[i] = i end table.sort(t, function() return true end)
end
