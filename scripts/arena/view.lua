-- What the arena shows besides its objects. It runs on clients only.
onCue("spark", function(c)
  flash { x = c.x, y = c.y, size = math.min(0.8 + c.impulse / 4, 3), ms = 280, color = c.mine and "#ffd596" or "#9fb8cc" }
end)
