-- A post is the wall beside a goal. It moves when the goals grow.
Post = object "Post" {
  state = { side = 1 }, -- 1: above the goal, -1: below it
  body  = { type = "kinematic", shape = { box = { 0.6, 8 } }, friction = 0, restitution = 0.6 },
  look  = { shape = "body", color = "#567" },
}

function Post:open(half)
  local x = self:getPosition()
  self:setPosition(x, self.side * (half + 4))
end
