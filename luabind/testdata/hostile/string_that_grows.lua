-- string that grows
-- expect: budget of 1024 KiB of memory
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:tick()
  local s = '' while true do s = s .. 'xxxxxxxx' end
end
