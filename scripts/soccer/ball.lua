-- The ball is free, or a footballer has it.
Ball = object "Ball" {
  state = { kicker = ref(), passer = ref() }, -- who had it last, and who passed it
  order = 1,
  body  = { shape = { circle = 0.22 }, mass = 0.45, friction = 0, restitution = 0.7, linear_damping = 0.55,
            angular_damping = 2, bullet = true, sleep = false },
  look  = { image = "ball.svg", shape = "circle", color = "#f4f4f4", w = 0.5 }, -- the circle until the image is there
}

-- take gives the ball to a footballer, and to the player who plays it.
function Ball:take(by)
  local from = self.passer
  if from and from ~= by and from.team == by.team then
    local mine = stats(from.owner)
    if mine then mine.passes = mine.passes + 1 end
    local x, y = by:getPosition()
    cue("passed", { x = x, y = y, passes = mine and mine.passes or 0 })
  end
  self.kicker, self.passer = by, nil
  self:attach(by, 0.72, 0)
  self:setOwner(by.owner)
end

function Ball:fly(angle, speed)
  self:detach()
  self:setVelocity(vec.fromAngle(angle, speed))
end

-- A ball that is squeezed out between two footballers is not faster than the hardest kick.
function Ball:tick()
  local vx, vy = self:getVelocity()
  local speed = vec.length(vx, vy)
  if speed > 24 then self:setVelocity(vx * 24 / speed, vy * 24 / speed) end
end

function Ball:lineUp()
  self:detach()
  self:setPosition(0, 0)
  self:setVelocity(0, 0)
  self:setOwner(0)
  self.kicker, self.passer = nil, nil
end
