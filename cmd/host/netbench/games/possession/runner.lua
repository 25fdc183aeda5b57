-- A runner runs where it looks. It gets the ball when it touches it, or the one who has it.
Runner = object "Runner" {
  input    = { turn = "number", Pass = "bool" },
  controls = { turn = { "ArrowLeft", "-ArrowRight" }, Pass = "space" },
  state    = { rest = 0 },
  objProps = { push = 700, home = 60, turn = 3, wait = 30 },
  body     = { shape = { circle = 0.5 }, mass = 70, linear_damping = 2, angular_damping = 2 },
}

function Runner:applyInput(input)
  local props = self.objProps
  local x, y = self:getPosition()
  local dx, dy = vec.fromAngle(self:getDirection())
  self:setForce(props.push * dx - props.home * x, props.push * dy - props.home * y)
  self:setAngularVelocity(props.turn * input.turn)
  self.rest = math.max(0, self.rest - 1)
  local ball = objects("Ball")[1]
  if ball and ball:getHolder() == self and input:pressed("Pass") then
    self.rest = props.wait
    ball:kick(dx, dy)
  end
end

function Runner:onContact(other)
  local ball = objects("Ball")[1]
  if not other or not ball or self.rest > 0 then return end
  local holder = ball:getHolder()
  if other.class == "Runner" and holder == other and ball.safe == 0 then
    other.rest = self.objProps.wait
    ball:take(self)
  elseif other == ball and not holder then
    ball:take(self)
  end
end
