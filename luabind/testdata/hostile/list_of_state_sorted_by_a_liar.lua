-- list of state sorted by a liar
-- expect: fine
X = object "X" { state = { l = list("number", 100) } }
function X:tick()
  self.l = {}
  for i = 1, 100 do self.l[i] = i end
  table.sort(self.l, function() return true end)
  table.sort(self.l, function() self.l = {} return false end)
end
