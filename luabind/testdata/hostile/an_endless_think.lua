-- an endless think
-- expect: used up its budget
X = object "X" { input = { go = "bool" } }
function X:think()
  while true do end
end
function X:applyInput(input) end
