-- A fighter runs along its lane and shoots. A shot hits what its player's screen shows. The other clients predict
-- fighters, and draw runners and drifters from snapshots.
local function fighter(lod)
  return {
    lod      = lod,
    seen     = true,
    input    = { Left = "bool", Right = "bool", Fire = "bool", aim = { "number", min = -math.pi, max = math.pi } },
    controls = { Left = "a", Right = "d", Fire = "mouse:left", aim = "mouse" },
    state    = { shots = 0, hits = 0 },
    objProps = { push = 20, reach = 60 },
    body     = { shape = { circle = 0.5 }, mass = 1, linear_damping = 2, layer = "fighter", collides = { "wall" } },
  }
end

Fighter = object "Fighter" (fighter("predict"))
Runner = object "Runner" (fighter("interpolate"))
Drifter = object "Drifter" (fighter("extrapolate"))

local function shoot(self, aim)
  local x, y = self:getPosition()
  local dx, dy = vec.fromAngle(aim, self.objProps.reach)
  local hit = self:asSeen(function() return raycast(x, y, x + dx, y + dy, "fighter") end)
  self.shots = self.shots + 1
  cue("shot", { x = x, y = y, aim = aim, n = self.shots })
  if hit then
    self.hits = self.hits + 1
    cue("hit", { x = x, y = y })
  end
end

for _, class in ipairs({ Fighter, Runner, Drifter }) do
  class.applyInput = function(self, input)
    local way = (input.Right and 1 or 0) - (input.Left and 1 or 0)
    self:setForce(self.objProps.push * way, 0)
    if input:pressed("Fire") then shoot(self, input.aim) end
  end
end
