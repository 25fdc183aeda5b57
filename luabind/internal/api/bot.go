package api

// botAPI describes what bots can use besides the functions that look at the
// world.
func botAPI() []Section {
	return []Section{
		{Title: "A bot's world", Of: "BotWorld", Kind: Functions,
			Text: "`client -bot FILE.lua` asks `bot(me, world)` each tick for the inputs of the object me. world holds objects, nearest, raycast, players, now, random, arena and the like, and:",
			Members: list(
				"steer(turn: number, push: number, x: number, y: number) -> inputs?: table", "the inputs that steer me, by what their names say. What turns and is pushed takes turn (-1 to 1, counter-clockwise) and push (-1 to 1); what is moved right, left, up and down, or aimed, takes the direction x, y. nil: the names say nothing",
				"anything() -> inputs: table", "all inputs at random, each held for 10 to 40 ticks",
			)},
	}
}
