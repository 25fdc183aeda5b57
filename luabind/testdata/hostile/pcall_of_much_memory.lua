-- memory within pcall
-- expect: used up its budget of 1024 KiB
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  pcall(function() local t = {} while true do t = { t } end end) pcall(function() local t = {} while true do t = { t } end end)
end
