-- The same rules as newTwin in twin_test.go.

Ship = object "Ship" {
  input = { Left = "bool", Right = "bool", Accel = "bool", Fire = "bool", Tow = "bool",
            aim = { "number", min = -1, max = 1, step = 0.01 } },
  state = {
    fuel = { "number", default = 100, min = 0, max = 100, step = 0.5 }, bumps = 0, hot = false, name = str(12, "ship"),
    target = ref(), tow = ref(), hits = list("number", 4), slots = list(record { kind = str(4), n = 1 }, 3),
    box = record { x = 0, y = 0 },
  },
  aux = { team = 0 },
  body = { shape = { circle = 0.5 }, linear_damping = 0.5, angular_damping = 2, layer = "ship" },
  seen = true,
}

function Ship:onSpawn()
  self.team = self.owner % 2
  self.name = "ship " .. self.owner
end

function Ship:applyInput(input)
  self:setTorque(3 * ((input.Left and 1 or 0) - (input.Right and 1 or 0)))
  self:setDirectionalForce(self:getDirection() + input.aim, input:held("Accel") / 64 * 20)
  if input.Accel then self.fuel = self.fuel - 0.25 end
  if input.Fire and tickNumber() % 5 == 0 then self:fire() end
  if input.Tow and tickNumber() % 9 == 0 then self:haul() end
  self:applyImpulse(0.1 * input:presses("Fire"), input:released("Tow") and 0.1 or 0)
  if input:pressed("Tow") then
    self.fuel = self.fuel - 0.5
    if not timeLeft("vent") then after(0.2, "vent") elseif timeLeft("vent") > 0.1 then stopTimer("vent") end
  end
end

function Ship:vent()
  self.fuel = self.fuel - 1
  self:applyImpulse(0, 0.1)
  if self.fuel < 90 then error("a timer that fails") end
  if random() < 0.5 then every(0.1, "vent") end
end

function Ship:fire()
  local x, y = self:getPosition()
  local c, s = math.cos(self:getDirection()), math.sin(self:getDirection())
  spawn("Bullet", { x = x + c, y = y + s, angle = self:getDirection(), vx = 14 * c, vy = 14 * s, w = 1, by = self })
  self:applyImpulse(-0.2 * c, -0.2 * s)
  local hit, hx, hy = self:asSeen(function() return raycast(x, y, x + 9 * c, y + 9 * s, "ship") end)
  if hit then
    self.target = hit
    self.box.x, self.box.y = hx, hy
    if #self.hits == 4 then table.remove(self.hits, 1) end
    table.insert(self.hits, random())
    hit:applyImpulse(0.1 * c, 0.1 * s)
  end
end

function Ship:haul()
  if self.tow and self.tow:valid() then
    self.tow:remove()
    self.tow = nil
    return
  end
  local x, y = self:getPosition()
  local crate = nearest("Crate", x, y, 5)
  if crate and random() < 0.7 then
    self.tow = rope(self, crate, { break_force = 90 })
  elseif crate and not crate:getHolder() then
    crate:attach(self, 1, 0.25)
  elseif crate then
    crate:detach()
  else
    self.tow = hinge(self, nil)
  end
end

function Ship:onContact(other, contact)
  self.bumps = self.bumps + contact.speed
  self.hot = contact.impulse > 0.5
  if other.class == nil then return end
end

function Ship:onJointBreak(other, joint)
  self.fuel = self.fuel - 1
  if #self.slots == 3 then self.slots = {} end
  table.insert(self.slots, { kind = "rope", n = #overlapCircle(0, 0, 6) })
  self.slots[1].n = self.slots[1].n + #self.slots
end

function Ship:tick()
  if self.target == nil then self.target = nil end
  if self.target and tickNumber() % 30 == 0 then self.target.box = { x = self.fuel, y = 1 } end
  if self.fuel == 0 then
    spawn("Ship", { owner = self.owner, x = random() * 8 - 4, y = random() * 8 - 4, fuel = 50 })
    self:remove()
  end
end

Bullet = object "Bullet" {
  state = { by = ref() },
  body = { shape = { circle = 0.1 }, bullet = true },
  order = 1,
}

function Bullet:onContact(other)
  if self.by and self.by:valid() and other ~= self.by then
    self.by.bumps = self.by.bumps + 100
    local had = stats(self.by.owner)
    if had then had.wins = had.wins + (1 + had.wins / 64) end
  end
  cue("hit", { who = other.id, loud = true, when = "confirmed" })
  self:remove()
end

function Bullet:onRemove()
  local x, y = self:getPosition()
  if random() < 0.2 then spawn("Crate", { x = x, y = y }) end
end

Crate = object "Crate" {
  body = { shape = { box = { 0.8, 0.8 } }, friction = 0.4, restitution = 0.2, linear_damping = 0.3, angular_damping = 0.5 },
}

Drone = object "Drone" {
  input = { Push = { "bool", repeats = false }, turn = { "number", decay = 0.2 } },
  state = { walked = 0 },
  body = { shape = { circle = 0.4 }, type = "kinematic" },
  order = -1,
}

function Drone:think()
  return { Push = random() < 0.5, turn = random() * 2 - 1 }
end

function Drone:applyInput(input)
  local bumps = self:moveAndSlide(input.Push and 0.05 or -0.05, 0.1 * input.turn)
  self.walked = self.walked + 1 + #bumps
end

Pad = object "Pad" {
  state = { steps = 0 },
  body = { shape = { box = { 3, 3 } }, type = "static", sensor = true },
}

function Pad:onTrigger(other)
  self.steps = self.steps + 1
  other:setVelocity(0, 2)
end
