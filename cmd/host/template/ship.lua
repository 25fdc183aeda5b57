-- A ship is what a player steers.
Ship = object "Ship" {
  input    = { Left = "bool", Right = "bool", Accel = "bool" },
  controls = { Left = { "ArrowLeft", "a" }, Right = { "ArrowRight", "d" }, Accel = { "ArrowUp", "w" } },
  state    = { bumps = 0 },
  objProps = { torque = 2.4, thrust = 16 },
  body     = { shape = { circle = 0.5 }, density = 1, restitution = 0.4, linear_damping = 2, angular_damping = 6 },
  look     = { shape = "triangle", color = "#f90", label = "{bumps}" },
}

-- Called in each tick, with the player's input for that tick.
function Ship:applyInput(input)
  local props = self.objProps
  local turn = (input.Left and 1 or 0) - (input.Right and 1 or 0)
  self:setTorque(turn * props.torque)
  self:setDirectionalForce(self:getDirection(), input.Accel and props.thrust or 0)
end

function Ship:onContact(other)
  self.bumps = self.bumps + 1
end
