-- A hook is what a runner shoots. It flies straight, sticks to the first wall that
-- it hits, and pulls its runner towards it by a rope.
Hook = object "Hook" {
  state    = { runner = ref(), rope = ref(), length = 0, stuck = false },
  objProps = { reach = 18, least = 1.5, reel = 4 },
  body     = { shape = { circle = 0.15 }, density = 0.2, bullet = true, gravity_scale = 0, fixed_rotation = true,
               layer = "hook", collides = { "wall" } },
  look     = { shape = "circle", color = "#ddd" },
}

local function away(self)
  local x, y = self:getPosition()
  local rx, ry = self.runner:getPosition()
  return vec.distance(x, y, rx, ry)
end

function Hook:tick()
  local props = self.objProps
  if not (self.runner and self.runner:valid()) then
    self:remove()
  elseif not self.stuck then
    if away(self) > props.reach then self:remove() end
  elseif self.rope and self.rope:valid() and self.length > props.least then
    self.length = math.max(self.length - props.reel / 60, props.least)
    self.rope:setLength(self.length)
  end
end

function Hook:onContact(other)
  if self.stuck or not (self.runner and self.runner:valid()) then return end
  self.stuck = true
  self.length = away(self)
  weld(self, other)
  self.rope = rope(self.runner, self, { length = self.length, collide = true })
  local x, y = self:getPosition()
  cue("stuck", { x = x, y = y })
end
