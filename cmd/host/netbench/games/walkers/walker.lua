-- A walker moves once for each frame of its player, slides along walls, and waves.
Walker = object "Walker" {
  ticking  = "independent",
  lod      = "interpolate",
  input    = { Left = "bool", Right = "bool", Up = "bool", Down = "bool", Wave = "bool" },
  controls = { Left = "a", Right = "d", Up = "w", Down = "s", Wave = "space" },
  state    = { waves = 0 },
  objProps = { speed = 4 },
  body     = { type = "kinematic", shape = { circle = 0.4 }, layer = "walker", collides = { "wall" } },
}

function Walker:simulate(input, dt)
  local way = self.objProps.speed * dt
  self:moveAndSlide(((input.Right and 1 or 0) - (input.Left and 1 or 0)) * way,
                    ((input.Up and 1 or 0) - (input.Down and 1 or 0)) * way)
  if input:pressed("Wave") then
    self.waves = self.waves + 1
    cue("wave", { n = self.waves })
  end
end
