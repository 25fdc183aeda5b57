-- messages of errors that grow
-- expect: used up its budget
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local m = "x" while true do local ok, e = pcall(error, m .. m:sub(1, 400)) m = e:sub(1, 500) end
end
