-- endless method recursion
-- expect: functions call each other too deep
X = object "X" { state = { n = 0, s = str(16), r = ref() }, objProps = { x = 5 } }
function X:again() return self:again() + 1 end
function X:tick()
  self:again()
end
