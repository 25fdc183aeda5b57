-- list of state without end
-- expect: is full
X = object "X" { state = { l = list("number", 8) } }
function X:tick()
  while true do table.insert(self.l, 1) end
end
