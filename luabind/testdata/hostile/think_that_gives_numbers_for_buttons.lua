-- think that gives numbers for buttons
-- expect: the result
X = object "X" { input = { aim = "number" } }
function X:think() return { aim = "far" } end
function X:applyInput(input) end
