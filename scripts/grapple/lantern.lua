-- A lantern hangs in the air until a runner takes it; then it hangs elsewhere.
Lantern = object "Lantern" {
  body = { type = "static", shape = { circle = 0.5 }, sensor = true, layer = "lantern", collides = { "runner" } },
  look = { shape = "circle", color = "#ffe08a" },
}

function Lantern:onTrigger(other)
  if other.class ~= "Runner" then return end
  local x, y = self:getPosition()
  other.lanterns = other.lanterns + 1
  cue("taken", { x = x, y = y })
  self:setPosition((random() - 0.5) * 28, (random() - 0.5) * 14)
end
