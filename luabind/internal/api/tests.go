package api

// testAPI describes what test files can use besides the functions that look at
// the world.
func testAPI() []Section {
	return []Section{
		{Title: "Test files", Kind: Functions,
			Text: "`host test` runs the `*_test.lua` files of a game. A test reads its world with objects, " +
				"nearest, raycast, players and the like, and with the methods of objects; it makes changes only " +
				"through `w`.",
			Members: list("test(name: string, run: fun(t: Test))", "declares a test")},
		{
			Title: "A test",
			Of:    "Test",
			Kind:  Methods,
			Text:  "A failed check is reported with its line, and the test goes on; fail, error and assert end it.",
			Members: list(
				"world(options?: { seed?: integer, players?: integer, net?: string, empty?: boolean }) -> w: "+
					"TestWorld",
				"creates the world of the test with that many players. net puts a simulated connection between "+
					"host and clients: lan, average, bad, awful, burst, or delay=80ms,jitter=20ms,loss=5%. empty "+
					"leaves out the level's walls and objects",
				"eq(got: any, want: any, message?: any)", "checks that both are equal; tables, and lists and records of state, are compared by content",
				"near(got: number, want: number, within: number, message?: any)",
				"checks that both differ by at most within",
				"ok(v: any, message?: any)", "checks that v is neither nil nor false",
				"fail(...: any)", "ends the test",
				"log(...: any)", "a line that is shown if the test fails, or with -v",
			)},
		{Title: "A test's world", Of: "TestWorld", Kind: Methods,
			Text: "Players are numbered from 1. After each call the test sees the host's present.",
			Members: list(
				"step(ticks?: integer)", "plays that many ticks of the host",
				"input(player: integer, inputs: table, object?: Object)",
				"sets the input of the player's objects from now on: `{ Accel = true }`; with object, of that one only",
				"spawn(class: string, args?: table) -> spawned: Object",
				"a new object; args may hold x, y, angle, vx, vy, w, owner and fields, as those of `spawn`. It "+
					"takes a tick",
				"call(name: string, ...: any)",
				"calls a function that `game { calls = ... }` declares, as the program that runs the host does. It "+
					"takes a tick",
				"join(answers?: table) -> player: integer",
				"one more player joins, and answers this to the entry form: `{ team = \"Red\" }`. It takes a tick, and "+
					"with net until the player is there",
				"leave(player: integer)",
				"a player leaves. It takes a tick; onLeave is called after the grace time of game.toml",
				"cues(name?: string) -> list: table[]",
				"the cues of this name so far, the oldest first: what they carry, `name`, `object` and `age`, in "+
					"seconds. With net, those that are confirmed come when they are",
				"told(player: integer) -> list: string[]", "what tell has told the player so far",
				"seenBy(player: integer, look: fun(): any) -> results: any",
				"runs look on the world as that player's client predicts it",
				"confirmed(look: fun(): any) -> results: any", "runs look on the newest committed state of the host",
				"settle()", "releases all inputs and waits until everything that was played is confirmed: "+
					"confirmed then looks at its last tick",
				"errors() -> list: string[]", "the errors of the game's hooks so far; they then do not fail the test",
			)},
	}
}
