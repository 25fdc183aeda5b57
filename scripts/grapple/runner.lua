-- A runner walks, jumps and shoots a hook. A rope pulls it to where the hook sticks.
Runner = object "Runner" {
  input    = { Left = "bool", Right = "bool", Jump = "bool", Fire = "bool",
               aim = { "number", min = -math.pi, max = math.pi, step = 0.001 } },
  controls = { Left = { "ArrowLeft", "a", "pad:left" }, Right = { "ArrowRight", "d", "pad:right" }, Jump = { "ArrowUp", "w", "pad:a" },
               Fire = { "space", "mouse:left", "pad:x", "pad:rt" }, aim = "mouse" },
  state    = { hook = ref(), lanterns = 0 },
  objProps = { walk = 14, swing = 5, jump = 7.5, shot = 40 },
  body     = { shape = { circle = 0.45 }, density = 1.2, friction = 0.4, fixed_rotation = true, linear_damping = 0.4,
               layer = "runner", collides = { "wall", "runner", "lantern" }, sleep = false },
  look     = { shape = "circle", color = "#f90", label = "{lanterns}" },
}

local function stands(self)
  local x, y = self:getPosition()
  return raycast(x, y, x, y - 0.6, "wall") ~= nil
end

function Runner:applyInput(input)
  local props, ground = self.objProps, stands(self)
  local way = (input.Right and 1 or 0) - (input.Left and 1 or 0)
  self:setForce(way * (ground and props.walk or props.swing), 0)
  if input.Jump and ground then
    local vx = self:getVelocity()
    self:setVelocity(vx, props.jump)
  end
  if input:pressed("Fire") then
    self:shoot(input.aim)
  elseif self.hook and not input.Fire then
    self:release()
  end
end

function Runner:shoot(aim)
  self:release()
  local x, y = self:getPosition()
  local vx, vy = vec.fromAngle(aim, self.objProps.shot)
  self.hook = spawn("Hook", { x = x, y = y, vx = vx, vy = vy, owner = self.owner, runner = self })
  cue("shot", { x = x, y = y })
end

-- Removing the hook removes the rope that is tied to it.
function Runner:release()
  if self.hook and self.hook:valid() then self.hook:remove() end
  self.hook = nil
end

function Runner:onRemove()
  self:release()
end
