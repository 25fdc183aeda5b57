-- game that removes itself
-- expect: cannot be removed
X = object "X" {}
function tick() game:remove() end
