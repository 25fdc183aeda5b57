-- Cars, tow ropes, a bridge that breaks, mills that somebody else turns, balls
-- that are carried, walkers, and a pile that sleeps.
Tyre = object "Tyre" { body = { shape = { circle = 0.4 }, friction = 0.9, density = 1 } }
Crate = object "Crate" { state = { lost = 0 }, body = { shape = { box = { 0.8, 0.8 } }, density = 0.4, friction = 0.6 } }
Ball = object "Ball" { state = { lost = 0 }, body = { shape = { circle = 0.25 }, density = 0.3, restitution = 0.5 } }
Plank = object "Plank" { state = { breaks = 0 }, body = { shape = { box = { 1.2, 0.2 } }, density = 0.5 } }
Mill = object "Mill" { body = { shape = { box = { 3, 0.3 } }, density = 0.5, sleep = false } }
Wind = object "Wind" { state = { axle = ref(), gusts = 0 } }
Walker = object "Walker" {
  state = { vy = 0, way = 1, bumps = 0 },
  body = { type = "kinematic", shape = { box = { 0.5, 1 } }, fixed_rotation = true },
}
Car = object "Car" {
  input = { Left = "bool", Right = "bool", Tow = "bool", Grab = "bool" },
  state = { front = ref(), back = ref(), line = ref(), ball = ref(), heat = 0 },
  body = { shape = { box = { 2, 0.6 } }, density = 1, friction = 0.4 },
}

function Car:onSpawn(args)
  local x, y = self:getPosition()
  for i, dx in ipairs({ -0.8, 0.8 }) do
    local tyre = spawn("Tyre", { x = x + dx, y = y - 0.6 })
    local axle = wheel(self, tyre, { max_torque = 0, hertz = 5, min = -0.2, max = 0.2 })
    if i == 1 then self.back = axle else self.front = axle end
  end
end

function Car:applyInput(input)
  local speed = (input.Left and 15 or 0) - (input.Right and 15 or 0)
  for _, axle in ipairs({ self.front, self.back }) do
    if axle:valid() then axle:setMotor(speed, speed == 0 and 0 or 30) end
  end
  self:tow(input.Tow)
  if input.Grab and tickNumber() % 10 == 0 then self:grab() end
end

function Car:tow(on)
  local line = self.line
  if line == nil then self.line = nil end
  if line and on then line:setLength(1.5 + (tickNumber() % 60) / 30) end
  if line and not on then line:remove() self.line = nil end
  if on and not line then
    local x, y = self:getPosition()
    local crate = nearest("Crate", x, y, 6)
    if crate then self.line = rope(self, crate, { ax = -1, break_force = 40, length = 3 }) end
  end
end

function Car:grab()
  local x, y = self:getPosition()
  local ball = nearest("Ball", x, y, 8)
  if not ball then return end
  local holder = ball:getHolder()
  if holder == self then ball:detach() elseif not holder then ball:attach(self, 0, 0.7) self.ball = ball end
end

function Car:onJointBreak(other, joint)
  self.heat = self.heat + 1 + (joint and 0.5 or 0) + (other and other:valid() and 0.25 or 0)
end

function Crate:onContact(other, c)
  if c.speed > 7 and other.class == "Car" then self:remove() end
end
function Crate:onJointBreak() self.lost = self.lost + 1 end
function Ball:onJointBreak(other, joint) self.lost = self.lost + 1 + (joint and 10 or 0) end
function Plank:onJointBreak(other, joint)
  self.breaks = self.breaks + 1 + (other and 0.5 or 0)
  if joint.bodyA ~= self then joint = nil end
end

function Wind:tick()
  self.gusts = self.gusts + 1
  if self.axle and self.axle:valid() then self.axle:setMotor(math.floor(self.gusts / 40) % 3 - 1, 20) end
end

function Walker:tick()
  self.vy = self.vy - 10 / 60
  local met = self:moveAndSlide(self.way * 2 / 60, self.vy / 60)
  for _, hit in ipairs(met) do
    if hit.ny > 0.7 then self.vy = 0 end
    if hit.nx * self.way < -0.7 then self.way = -self.way self.bumps = self.bumps + 1 end
  end
end
