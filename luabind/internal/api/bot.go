package api

// botAPI describes what bots can use besides the functions that look at the
// world.
func botAPI() []Section {
	return []Section{
		{Title: "A bot's world", Of: "BotWorld", Kind: Functions,
			Text: "`client -bot FILE.lua` calls `bot(me, world)` each tick for the inputs of the object me. world has objects, nearest, raycast, players, now, random, arena and the like, and:",
			Members: list(
				"steer(turn: number, push: number, x: number, y: number) -> inputs?: table", "the inputs that steer me, derived from their names. Inputs that turn or push get turn (-1 to 1, counter-clockwise) and push (-1 to 1); inputs that move right, left, up and down, or aim, get the direction x, y. nil if the names say nothing",
				"anything() -> inputs: table", "random inputs, each held for 10 to 40 ticks",
			)},
	}
}
