-- The effects that the arena shows besides its objects. This runs on clients only.
onCue("spark", function(c)
  local loud = math.min(c.impulse / 8, 1)
  sound { wave = "noise", freq = 500 + 900 * loud, ms = 90, volume = (c.mine and 0.35 or 0.12) * (0.3 + 0.7 * loud) }
  flash { x = c.x, y = c.y, size = math.min(0.8 + c.impulse / 4, 3), ms = 280, color = c.mine and "#ffd596" or "#9fb8cc" }
end)
