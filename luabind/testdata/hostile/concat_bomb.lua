-- concat bomb
-- expect: at most 65536
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local t = {} for i = 1, 6600 do t[i] = 'xxxxxxxxxx' end table.concat(t)
end
