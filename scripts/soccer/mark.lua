-- What is painted on the grass. Nothing touches it.
local function mark(shape)
  return { body = { type = "static", shape = shape, sensor = true, layer = "paint", collides = { "paint" } },
           look = { shape = "body", color = "#3d5a4a" } }
end

Halfway = object "Halfway" (mark { box = { 0.08, 22 } })
Circle = object "Circle" (mark { circle = 3 })
Area = object "Area" (mark { box = { 5, 10 } })
GoalArea = object "GoalArea" (mark { box = { 2, 6 } })
