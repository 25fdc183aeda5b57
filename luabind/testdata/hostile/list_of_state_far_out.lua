-- list of state far out
-- expect: the list has 0 items
X = object "X" { state = { l = list("number", 8) } }
function X:tick()
  self.l[1e300] = 1
end
