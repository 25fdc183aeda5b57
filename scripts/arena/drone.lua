local nose = require("nose")

-- A drone steers itself: think returns the same kind of input as a player's keys
-- make, and applyInput handles both in the same way.
Drone = object "Drone" {
  input    = { TurnLeft = "bool", TurnRight = "bool", Thrust = "bool" },
  objProps = { torque_power = 2.4, thrust_power = 9, sight = 9, feeler = 2.5, hard = 0.8 },
  body     = { type = "dynamic", shape = { circle = 0.5 }, density = 1, friction = 0.3, restitution = 0.4,
               linear_damping = 2, angular_damping = 6 },
  look     = { shape = "triangle", color = "#e46" },
}

-- A drone hunts for 2.5 s, then turns aside and leaves everybody alone, 1.5 s in all, so
-- that it comes free of what it presses against. It hunts the nearest ship, if no wall is
-- between them. Otherwise it flies straight on, and turns away from a wall in front of it.
function Drone:think()
  local props = self.objProps
  local x, y = self:getPosition()
  local heading = self:getDirection()
  local phase = tickNumber() % 240
  if phase >= 150 and phase < 180 then
    return { TurnLeft = true }
  end
  local ship = phase < 150 and nearest("Ship", x, y, props.sight)
  if ship then
    local sx, sy = ship:getPosition()
    if not raycast(x, y, sx, sy, "wall") then
      local turn = (vec.angle(sx - x, sy - y) - heading + math.pi) % (2 * math.pi) - math.pi
      return { TurnLeft = turn > 0.15, TurnRight = turn < -0.15, Thrust = math.abs(turn) < 0.8 }
    end
  end
  local fx, fy = vec.fromAngle(heading, props.feeler)
  if raycast(x, y, x + fx, y + fy, "wall") then
    return { TurnLeft = true }
  end
  return { Thrust = true }
end

function Drone:applyInput(input)
  local props = self.objProps
  local turn = (input.TurnLeft and 1 or 0) - (input.TurnRight and 1 or 0)
  self:setTorque(turn * props.torque_power)
  self:setDirectionalForce(self:getDirection(), input.Thrust and props.thrust_power or 0)
end

-- A ship that a drone rams from behind or from the side loses a point.
function Drone:onContact(other, contact)
  if other and other.class == "Ship" and contact.impulse > self.objProps.hard and game.phase == "play"
    and nose(self, other) and not nose(other, self) then
    other:hurt(1)
    cue("sting", { x = contact.x, y = contact.y, of = other.owner, when = "confirmed" })
  end
end
