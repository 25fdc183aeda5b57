-- think that gives rubbish
-- expect: the result
X = object "X" { input = { go = "bool" } }
function X:think() return { [self.id] = 1, go = print } end
function X:applyInput(input) end
