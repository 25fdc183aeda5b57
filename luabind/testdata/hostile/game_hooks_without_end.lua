-- game hooks without end
-- expect: used up its budget
X = object "X" {}
game { state = { n = 0 } }
function onStart() while true do end end
function onJoin(player) while true do end end
function tick() while true do end end
