-- list of state inserted and removed without end
-- expect: used up its budget
X = object "X" { state = { l = list(record { a = str(64), b = 1 }, 20) } }
function X:tick()
  while true do table.insert(self.l, 1, { a = "x" }) table.remove(self.l) end
end
