-- What is painted on the grass. Nothing touches it.
local function mark(shape)
  return { body = { type = "static", shape = shape, sensor = true, layer = "paint", collides = { "paint" } },
           look = { shape = "body", color = "#3d5a4a" } }
end

Halfway = object "Halfway" (mark { box = { 0.08, 22 } })
Circle = object "Circle" {
  body = { type = "static", shape = { circle = 3 }, sensor = true, layer = "paint", collides = { "paint" } },
  look = { image = "circle.svg", shape = "circle", color = "#3d5a4a", w = 6.1, h = 6.1 },
}
Area = object "Area" (mark { box = { 5, 10 } })
GoalArea = object "GoalArea" (mark { box = { 2, 6 } })

-- A net is behind a goal line, in the colour of the team whose goal it is.
Net = object "Net" {
  body  = { type = "static", shape = { box = { 1.4, 22 } }, sensor = true, layer = "paint", collides = {} },
  state = { tint = str(8) },
  look  = { shape = "body", color = "{tint}" },
}

function Net:onSpawn()
  local x = self:getPosition()
  self.tint = teamColor(x < 0 and "Red" or "Blue")
end

-- migrate: new scripts may have another colour for the team.
Net.migrate = Net.onSpawn
