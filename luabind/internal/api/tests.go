package api

// testAPI describes what test files can use besides the functions that look at
// the world.
func testAPI() []Section {
	return []Section{
		{Title: "Test files", Kind: Functions,
			Text:    "`host test` runs the `*_test.lua` files of a game. A test looks at its world with objects, nearest, raycast, players and the like, and with the objects' methods; it changes nothing but through `w`.",
			Members: list("test(name: string, run: fun(t: Test))", "declares a test")},
		{Title: "A test", Of: "Test", Kind: Methods, Text: "What has failed is told with its line; the test goes on, but for fail, error and assert.",
			Members: list(
				"world(options?: { seed?: integer, players?: integer, net?: string, empty?: boolean }) -> w: TestWorld", "makes the world of the test, with so many players who have joined. net puts a network between host and clients: lan, average, bad, awful, burst, or delay=80ms,jitter=20ms,loss=5%. empty leaves out the level's walls and objects",
				"eq(got: any, want: any, message?: any)", "equal; tables by what they hold",
				"near(got: number, want: number, within: number, message?: any)", "",
				"ok(v: any, message?: any)", "true, or anything but nil and false",
				"fail(...: any)", "ends the test",
				"log(...: any)", "a line for who reads the failure, or -v",
			)},
		{Title: "A test's world", Of: "TestWorld", Kind: Methods, Text: "Players are numbered from 1. After each call the test sees the host's present.",
			Members: list(
				"step(ticks?: integer)", "plays so many ticks of the host",
				"input(player: integer, inputs: table, object?: Object)", "what the player's objects are to do from now on: `{ Accel = true }`; with an object, that one only",
				"spawn(class: string, args?: table) -> spawned: Object", "a new object; args may hold x, y, angle, vx, vy, w, owner. It takes a tick",
				"seenBy(player: integer, look: fun(): any) -> results: any", "runs look on the world as that player's client predicts it",
				"confirmed(look: fun(): any) -> results: any", "runs look on the newest state of the host that cannot change any more",
				"settle()", "lets go of all inputs, and waits until everything played is confirmed, for host and clients",
				"errors() -> list: string[]", "what the game's hooks did wrong up to now; it then does not fail the test",
			)},
	}
}
