local nose = require("nose")

-- A ship is what a player steers: a circle of 0.785 kg. Thrust accelerates it by
-- 20 m/s2; damping limits it to 10 m/s, and its rotation to 4 rad/s.
Ship = object "Ship" {
  input    = { TurnLeft = "bool", TurnRight = "bool", Thrust = "bool", Reverse = "bool" },
  controls = {
    TurnLeft  = { "ArrowLeft", "a", "pad:left" },
    TurnRight = { "ArrowRight", "d", "pad:right" },
    Thrust    = { "ArrowUp", "w", "pad:up", "pad:a" },
    Reverse   = { "ArrowDown", "s", "pad:down", "pad:b" },
  },
  state    = { bumps = 0 },   -- how often it was hit hard
  objProps = { torque_power = 2.4, thrust_power = 16, reverse_power = 8, hard = 0.8, win = 10 },
  body     = { type = "dynamic", shape = { circle = 0.5 }, density = 1, friction = 0.3, restitution = 0.4,
               linear_damping = 2, angular_damping = 6 },
  look     = { shape = "triangle", color = "#f90" },
}

-- Forces stay until they are set again, so this sets both in every tick.
function Ship:applyInput(input)
  local props = self.objProps
  local turn = (input.TurnLeft and 1 or 0) - (input.TurnRight and 1 or 0)
  self:setTorque(turn * props.torque_power)
  local push = (input.Thrust and props.thrust_power or 0) - (input.Reverse and props.reverse_power or 0)
  self:setDirectionalForce(self:getDirection(), push)
end

function Ship:onContact(other, contact)
  if contact.impulse <= self.objProps.hard then return end
  self.bumps = self.bumps + 1
  cue("spark", { x = contact.x, y = contact.y, impulse = contact.impulse })
  if other and game.phase == "play" and nose(self, other) then
    if other.class == "Drone" then
      self:ram(1, 0, contact)
    elseif other.class == "Ship" and not nose(other, self) then
      self:ram(2, other.owner, contact)
      other:hurt(0)
    end
  end
end

-- ram counts points for having rammed a drone, or the ship of a player. Who has enough of them ends the round.
function Ship:ram(points, player, contact)
  local mine = stats(self.owner)
  if not mine then return end
  local all = mine.points + points
  mine.rams, mine.points = mine.rams + 1, all
  cue("ram", { x = contact.x, y = contact.y, by = self.owner, of = player, points = points, when = "confirmed" })
  if all >= self.objProps.win then game.ends = now() end
end

-- hurt counts that somebody rammed this ship, and takes points away.
function Ship:hurt(points)
  local mine = stats(self.owner)
  if mine then mine.hurt, mine.points = mine.hurt + 1, math.max(0, mine.points - points) end
end
