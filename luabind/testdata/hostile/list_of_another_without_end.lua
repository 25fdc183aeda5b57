-- list of another without end
-- expect: used up its budget
X = object "X" { state = { l = list("number", 100) } }
function X:tick()
  for _, o in ipairs(objects("X")) do while true do o.l = { 1, 2, 3 } end end
end
