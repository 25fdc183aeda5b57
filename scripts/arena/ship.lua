-- A ship is what a player steers: a circle of 0.785 kg. Thrust accelerates it by
-- 20 m/s2; damping limits it to 10 m/s, and its rotation to 4 rad/s.
Ship = object "Ship" {
  input    = { Turnleft = "bool", Turnright = "bool", Accel = "bool", Backthrust = "bool" },
  controls = {
    Turnleft   = { "ArrowLeft", "a", "pad:left" },
    Turnright  = { "ArrowRight", "d", "pad:right" },
    Accel      = { "ArrowUp", "w", "pad:up", "pad:a" },
    Backthrust = { "ArrowDown", "s", "pad:down", "pad:b" },
  },
  state    = { bumps = 0 },   -- how often it was hit hard
  objProps = { torque_power = 2.4, thrust_power = 16, backthrust_power = 8, hard = 0.8 },
  body     = { type = "dynamic", shape = { circle = 0.5 }, density = 1, friction = 0.3, restitution = 0.4,
               linear_damping = 2, angular_damping = 6 },
  look     = { shape = "triangle", color = "#f90" },
}

-- Forces stay until they are set again, so this sets both in every tick.
function Ship:applyInput(input)
  local props = self.objProps
  local turn = (input.Turnleft and 1 or 0) - (input.Turnright and 1 or 0)
  self:setTorque(turn * props.torque_power)
  local push = (input.Accel and props.thrust_power or 0) - (input.Backthrust and props.backthrust_power or 0)
  self:setDirectionalForce(self:getDirection(), push)
end

function Ship:onContact(other, contact)
  if contact.impulse > self.objProps.hard then
    self.bumps = self.bumps + 1
    cue("spark", { x = contact.x, y = contact.y, impulse = contact.impulse })
  end
end
