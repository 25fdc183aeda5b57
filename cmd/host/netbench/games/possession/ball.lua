-- The ball belongs to the player whose runner has it. A free ball rolls to the nearest runner.
Ball = object "Ball" {
  state    = { safe = 0 },
  objProps = { pull = 3, kick = 14, safe = 200 },
  body     = { shape = { circle = 0.2 }, mass = 0.5, linear_damping = 0.5, restitution = 0.8 },
}

function Ball:tick()
  self.safe = math.max(0, self.safe - 1)
  if self:getHolder() then return end
  local x, y = self:getPosition()
  local near = nearest("Runner", x, y)
  if near then
    local tx, ty = near:getPosition()
    self:setForce(self.objProps.pull * (tx - x), self.objProps.pull * (ty - y))
  end
end

function Ball:take(runner)
  self:attach(runner, 0.9, 0.2)
  self:setOwner(runner.owner)
  self.safe = self.objProps.safe
  cue("taken")
end

function Ball:kick(dx, dy)
  self:detach()
  self:setVelocity(self.objProps.kick * dx, self.objProps.kick * dy)
  cue("kicked")
end
