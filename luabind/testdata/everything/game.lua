game { state = { shots = 0, ticks = 0 } }
function onStart() for i = 1, 4 do spawn("Mix", { x = i * 2 - 5, y = i % 2, text = "m" .. i }) end end
function tick() game.ticks = game.ticks + game.shots end
