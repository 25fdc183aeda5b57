-- What the arena shows besides its objects: the HUD, and what cues look and sound like. This runs on clients only.
local mine = keep { feed = {}, player = 0, told = 0 } -- told: until when the player is told what to do

scoreboard { columns = { "name", "points", "rams", "hurt", "wins", "ping" }, sort = "-points" }

local OWN, OTHER, DRONE = "#ffb454", "#9fb8cc", "#ff6a80"

local function nameOf(player) return player == 0 and "a drone" or playerName(player) end

hud(function(v)
  local sure, own, best = v.committed.game, nil, nil
  for _, p in ipairs(v.players()) do
    if p.mine then own = p end
    if not best or p.points > best.points then best = p end
    if p.object then tag { on = p.object, text = p.name, color = p.mine and OWN or OTHER, ring = p.mine } end
  end
  row({ at = "top", gap = 14, id = "score" }, function()
    if own then text { own.points, size = 36, color = OWN } end
    if sure.phase == "play" then text { countdown(sure.ends), size = 24, blink = sure.ends - v.now < 10 } end
    if best and best ~= own then text { best.name .. " " .. best.points, size = 18, color = OTHER } end
  end)
  if v.me and v.player ~= mine.player then mine.player, mine.told = v.player, v.now + 10 end
  if v.me and v.now < mine.told then
    text { "Ram the red drones with your nose", id = "hint", size = 18, color = DRONE }
  end
  if v.me then arrow { to = v.first("Drone"), color = DRONE } end
  lines { at = "topRight", items = mine.feed, most = 4, fade = 8 }
  if sure.phase == "over" then
    local won = sure.winner ~= 0 and nameOf(sure.winner) .. " wins" or "Nobody wins"
    banner { won, sub = "the next round begins in " .. countdown(sure.ends), color = OWN }
  end
end)

onCue("spark", function(c)
  local loud = math.min(c.impulse / 8, 1)
  sound { wave = "noise", freq = 500 + 900 * loud, ms = 90, volume = (c.mine and 0.35 or 0.12) * (0.3 + 0.7 * loud) }
  local color = c.mine and "#ffd596" or OTHER
  flash { x = c.x, y = c.y, size = math.min(0.8 + c.impulse / 4, 3), ms = 280, color = color }
end)
onCue("ram", function(c)
  burst { x = c.x, y = c.y, n = 24, size = 2.5, ms = 450, color = c.mine and OWN or OTHER }
  text { x = c.x, y = c.y + 0.8, text = "+" .. c.points, size = 0.9, ms = 900, color = c.mine and OWN or OTHER }
  local freq = c.points == 2 and 880 or 660
  sound { x = c.x, y = c.y, wave = "triangle", freq = freq, ms = 160, volume = c.mine and 0.4 or 0.15 }
  if c.mine then
    shake { 0.2, ms = 180 }
    rumble { 0.6 }
  end
  push(mine.feed, nameOf(c.by) .. " rams " .. nameOf(c.of))
end)
onCue("sting", function(c)
  burst { x = c.x, y = c.y, n = 16, size = 2, ms = 400, color = DRONE }
  text { x = c.x, y = c.y + 0.8, text = "-1", size = 0.9, ms = 900, color = DRONE }
  sound { x = c.x, y = c.y, wave = "sawtooth", freq = 150, ms = 200, volume = 0.2 }
  push(mine.feed, "a drone rams " .. nameOf(c.of))
end)
onCue("over", function() sound { wave = "square", freq = 520, ms = 700, volume = 0.15 } end)
onCue("begin", function() sound { wave = "square", freq = 1040, ms = 300, volume = 0.15 } end)
