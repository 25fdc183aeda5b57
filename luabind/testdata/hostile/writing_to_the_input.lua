-- writing to the input
-- expect: read-only
X = object "X" { input = { go = "bool" } }
function X:applyInput(input)
  input.go = true
end
