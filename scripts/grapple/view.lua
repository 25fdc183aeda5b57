-- The effects that are shown besides the objects.
onCue("shot", function(c) flash { x = c.x, y = c.y, size = 0.8, ms = 120, color = "#fff" } end)
onCue("stuck", function(c) flash { x = c.x, y = c.y, size = 0.7, ms = 200, color = "#9fb8cc" } end)
onCue("taken", function(c)
  flash { x = c.x, y = c.y, size = 2, ms = 350, color = "#ffe08a" }
  if c.mine then text { x = c.x, y = c.y, text = "+1", size = 0.8, ms = 800, color = "#ffe08a" } end
end)
