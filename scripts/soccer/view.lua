-- What is shown over the game, where the camera looks, and what cues look and sound like.
local mine = keep { feed = {}, player = 0, told = 0 } -- told: until when the player is told where to shoot

camera(function(v)
  return { follow = { v.first("Ball"), v.me }, weights = { 2, 1 }, zoom = { 16, 22 }, ahead = 0.25, ease = 0.2, inside = "arena" }
end)

scoreboard { columns = { "name", "goals", "passes", "steals", "ping" }, sort = "-goals", group = "team" }

local function nameOf(player) return player == 0 and "a bot" or playerName(player) end

hud(function(v)
  local g, sure = v.game, v.committed.game
  row({ at = "top", gap = 14, id = "score" }, function()
    text { sure.red, size = 36, color = teamColor("Red") }
    if g.phase == "golden" then
      text { "golden goal", size = 20, color = "#ffd596", blink = true }
    else
      text { countdown(v.now + g.left), size = 24, blink = g.left < 10 }
    end
    text { sure.blue, size = 36, color = teamColor("Blue") }
  end)
  local joined = false
  for _, p in ipairs(v.players()) do
    if p.mine then joined = p.team ~= "" end
    if p.object then tag { on = p.object, text = p.name, color = teamColor(p.team), ring = p.mine } end
  end
  if v.me then bar { on = v.me, dy = -0.9, value = v.me.charge, most = 0.5, hide = 0, color = "#fd6" } end
  if v.me then arrow { to = v.first("Ball"), edge = 24 } end
  if v.me and v.player ~= mine.player then mine.player, mine.told = v.player, v.now + 10 end
  if v.me and v.now < mine.told then
    local red = v.me.team == "Red"
    text { red and "Shoot at the blue goal, on the right" or "Shoot at the red goal, on the left", at = "top", size = 18,
           color = teamColor(red and "Blue" or "Red") }
  end
  minimap { at = "bottomLeft", size = 150, classes = { "Player", "Ball" } }
  lines { at = "topRight", items = mine.feed, most = 4, fade = 8 }
  if sure.phase == "goal" then
    banner { "Goal!", sub = nameOf(sure.by) .. " for " .. sure.team, color = teamColor(sure.team) }
  elseif sure.phase == "over" and sure.team ~= "" then
    banner { sure.team .. " wins " .. math.max(sure.red, sure.blue) .. " : " .. math.min(sure.red, sure.blue), sub = "the next match begins in " .. countdown(sure.ends), color = teamColor(sure.team) }
  elseif g.phase == "kickoff" and v.me == nil and joined then
    banner { "You watch", sub = "all four places are taken; you get the next one that is free" }
  end
end)

onCue("whistle", function() sound { file = "whistle.wav", volume = 0.35 } end)
onCue("golden", function() sound { wave = "square", freq = 1300, ms = 500, volume = 0.2 } end)
onCue("learned", function(c) push(mine.feed, c.better and "the bots play better now" or "the bots play less well now") end)
onCue("kick", function(c)
  flash { x = c.x, y = c.y, size = 0.4 + c.power / 22, ms = 140, color = "#fff" }
  burst { x = c.x, y = c.y, n = 4 + c.power / 2, size = 0.3 + c.power / 16, ms = 260, color = "#d8f0d0" }
  sound { x = c.x, y = c.y, wave = "triangle", freq = 90 + 4 * c.power, ms = 120, volume = 0.15 + c.power / 90 }
  if c.power > 16 then text { x = c.x, y = c.y + 0.7, text = math.floor(c.power * 3.6) .. " km/h", size = 0.45, ms = 700, color = "#fd6" } end
end)
onCue("pass", function(c)
  burst { x = c.x, y = c.y, n = 5, size = 0.7, ms = 220, color = "#bfe3c0" }
  sound { x = c.x, y = c.y, wave = "triangle", freq = 160, ms = 80, volume = 0.15 }
end)
onCue("passed", function(c) text { x = c.x, y = c.y + 0.8, text = c.passes > 0 and "pass " .. c.passes or "pass", size = 0.45, ms = 600, color = "#bfe3c0" } end)
onCue("tackle", function(c)
  flash { x = c.x, y = c.y, size = 1.2, ms = 150, color = "#8899aa" }
  burst { x = c.x, y = c.y, n = 10, size = 1.2, ms = 300, color = "#6a8f5a" }
  sound { x = c.x, y = c.y, wave = "noise", freq = 300, ms = 90, volume = 0.15 }
end)
onCue("steal", function(c)
  flash { x = c.x, y = c.y, size = 1.6, ms = 250, color = "#ffd596" }
  burst { x = c.x, y = c.y, n = 18, size = 2, ms = 420, color = "#ffd596" }
  text { x = c.x, y = c.y + 0.9, text = c.steals > 0 and "steal " .. c.steals or "steal", size = 0.5, ms = 700, color = "#ffd596" }
  sound { x = c.x, y = c.y, wave = "noise", freq = 700, ms = 120, volume = 0.3 }
  if c.mine then rumble { 0.6 } end
end)
onCue("goal", function(c)
  flash { x = c.x, y = c.y, size = 9, ms = 900, color = teamColor(c.team) }
  burst { x = c.x, y = c.y, n = 80, size = 8, ms = 1200, color = teamColor(c.team) }
  shake { 0.5, ms = 400 }
  if c.own then text { x = c.x * 0.8, y = c.y, text = "own goal", size = 1.6, ms = 1500, color = teamColor(c.team) } end
  sound { file = "cheer.wav", volume = 0.8 }
  push(mine.feed, nameOf(c.by) .. (c.own and " scores an own goal" or " scores for " .. c.team))
end)
