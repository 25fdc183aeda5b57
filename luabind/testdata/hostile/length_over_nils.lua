-- length over nils
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = {} for i = 1, 9000 do t[i] = i end for i = 1, 9000 do t[i] = nil end while true do local n = #t end
end
