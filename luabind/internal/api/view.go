package api

// CameraKeys returns the keys of the table that the function of camera returns.
func CameraKeys() []string {
	return []string{"ahead", "ease", "follow", "inside", "weights", "zoom"}
}

// viewAPI describes what view.lua can use besides string, table, math and vec.
func viewAPI() []Section {
	return []Section{{Title: "View: view.lua", Kind: Functions,
		Text: "`view.lua` turns cues into effects, and says what is shown over the game. It runs on clients only " +
			"and cannot reach the simulation. Its functions get a read-only table `c` with the content of the cue, " +
			"`name`, `object` (an id), `mine` (true if the object belongs to this player), `age` (seconds since it " +
			"happened, at the moment that is drawn) and, if the cue says it, `lasts` (seconds). The effects of a " +
			"cue that lasts begin at its age. A cue without a function is shown as a ring at its x, y. If a cue " +
			"moves, its effects are shown again in the right place; if it is cancelled, they are removed. Both " +
			"happen with or without functions for them.\n\nIn a HUD, each widget may have an `id`, a name that it " +
			"keeps from frame to frame: the page then changes it and makes no new one. `at` is a place in the " +
			"window: top (the default; center for a banner), topLeft, topRight, left, center, right, bottom, " +
			"bottomLeft or bottomRight. `on` and `to` are objects that v has, or references to " +
			"such. Sizes and gaps are in CSS pixels if " +
			"nothing else is said. A `color` is #f90, #ff9900, a name of CSS such as orange, or rgb(255, 153, 0).",
		Members: list(
			"onCue(name: string, show: fun(c: table))", "shows the cues with this name",
			"hud(draw: fun(v: table))",
			"shows widgets over the game: draw adds them, some 20 times a second. v has now (seconds), level (its "+
				"name), player, game (the fields of the match), committed.game (as they cannot change any more: "+
				"show scores from here), me (an object, or nil), object(id), first(class), all(class) and players(), a list of "+
				"{ id, name, ping (ms), mine, object } with the fields of player { ... }. An object has id, class, "+
				"owner, x, y, angle and its fields; a reference is the id of its object, or nil",
			"camera(look: fun(v: table): table?)",
			"says where the camera looks: look returns { follow = object or list, weights = list, zoom = metres or "+
				"{ least, most }, ahead = seconds, ease = seconds, inside = \"arena\" }, or nil: the page then "+
				"follows the player's object in a large arena, and shows the whole of a small one",
			"row(what: { id?: string, at?: string, gap?: number }, add: fun())",
			"the widgets that add adds, side by side, with a `gap` between them (8)",
			"column(what: { id?: string, at?: string, gap?: number }, add: fun())",
			"the same, one below the other, with a `gap` (8)",
			"bar(what: { id?: string, at?: string, on?: table, dx?: number, dy?: number, value?: number, most?: "+
				"number, hide?: number, text?: string, color?: string, size?: number })",
			"how much there is of something: `value` (0) of `most` (1), nothing if the value is `hide`, with a "+
				"`text` beside it of a `size` (13); with `on`, at an object, `dx` and `dy` metres away, as wide as "+
				"the object",
			"tag(what: { id?: string, on?: table, text?: string, color?: string, ring?: boolean })",
			"a `text` above an object and, with `ring` = true, a ring around it",
			"arrow(what: { id?: string, to?: table, color?: string, edge?: number })",
			"points to an object outside the window, from a place `edge` (24) within its border",
			"minimap(what: { id?: string, at?: string, size?: number, classes?: table })",
			"the arena, as large as `size` (140; 40 to 400), with the objects of `classes`",
			"lines(what: { id?: string, at?: string, items?: table, most?: number, fade?: number, color?: string, "+
				"size?: number })",
			"the last `most` (8) of a list of texts, `items`, each a line of a `size` (13); with `fade`, lines of "+
				"push are shown for so many seconds",
			"banner(what: { [1]?: string, id?: string, at?: string, sub?: string, color?: string, size?: number "+
				"})", "a large text, the value without a key, of a `size` (44), and a smaller one below it, `sub`",
			"scoreboard(what: { columns: string[], sort?: string, group?: string })",
			"declares the table of players, which Tab shows: columns are name, ping (ms) and fields of player { "+
				"... }; sort = \"goals\", or \"-goals\" for the largest first; group keeps players with the same "+
				"value together",
			"font(name: string)", "declares the font of the HUD: an asset, such as title.woff2",
			"tiles(what: { image: string, keys: string, grid: string[], columns?: number, size?: number, x?: "+
				"number, y?: number })",
			"declares decoration below the objects: each row of `grid` is a string, whose characters are tiles of "+
				"`image`, an asset. The first of `keys` is the first tile of the image, and so on; a dot or a "+
				"space is none. The image has `columns` tiles in a row (as many as keys). A tile is `size` metres "+
				"wide (1); `x`, `y` is the upper left corner (the map is in the middle of the arena)",
			"countdown(seconds: number): string", "how long it is until a time of the match, as in 2:05",
			"keep(what: table): table",
			"declares what view.lua remembers, and returns it: a table that its functions may change, with "+
				"numbers, booleans, texts and tables of them. It is not rewound. When the scripts change, values "+
				"of the same name and type stay",
			"push(list: table, text: string)",
			"adds a line to a list that view.lua keeps, for lines { items = list, fade = 6 }; the list keeps the "+
				"last 64",
			"playerName(player: number): string",
			"the name of a player who is present, otherwise player and the number",
			"teamName(team: string|integer): string",
			"the name of a team of `teams { ... }`, which is given by its name or by its number in the order of "+
				"the names; empty for no team. teamColor(name) gives its color",
			"onCueMoved(name: string, show: fun(c: table))",
			"shows cues that have changed; without it, the function of onCue does",
			"onCueCancelled(name: string, show: fun(c: table))", "shows that a cue never happened",
			"flash(what: { x?: number, y?: number, size?: number, ms?: number, color?: string })",
			"a ring of a `color` (white) around `x`, `y` (metres; 0) that grows to `size` metres (1; 0.05 to 50) and "+
				"fades within `ms` milliseconds (300; 20 to 5000)",
			"burst(what: { x?: number, y?: number, n?: number, size?: number, ms?: number, color?: string "+
				"})", "`n` particles (24; 1 to 200) of a `color` (white) that fly from `x`, `y` "+
				"(metres; 0) up to `size` metres away "+
				"(3; 0.05 to 50) and fade within `ms` milliseconds (600; 20 to 5000)",
			"shake(what: { [1]?: number, ms?: number })",
			"shakes the camera by so many metres, the value without a key (0.3; 0 to 3), for `ms` milliseconds (250; 20 to 5000)",
			"rumble(what: { [1]?: number, ms?: number })",
			"shakes the pad or the phone, 0 to 1, the value without a key (0.5), for `ms` milliseconds (120; 20 to 5000)",
			"instantReplay(what: { seconds?: number, speed?: number, focus?: string|table })",
			"shows the last `seconds` (4; 0.5 to 8) on this page again, as they were drawn, at a `speed` (0.5; 0.1 "+
				"to 2): the camera follows `focus`, an object such as c.object, if it has a body. The game goes on "+
				"meanwhile, and a click ends the replay",
			"sound(what: { file?: string, wave?: string, freq?: number, ms?: number, volume?: number, x?: number, "+
				"y?: number })",
			"a decaying tone of `ms` milliseconds (120; 20 to 5000), which comes from `x`, `y` (metres) if they "+
				"are given, and is quieter from afar (without them it comes from everywhere): "+
				"`wave` is sine (default), triangle, square, sawtooth or "+
				"noise; `freq` is in Hz (440; 20 to 16000; for noise, its brightness); `volume` is 0 to 1 (0.3). "+
				"With `file` (none), the name of an asset, that is played (`volume` 1); until the file has arrived, "+
				"nothing is heard. A cue that moves does not sound again",
			"text(what: { [1]?: string, x?: number, y?: number, text?: string, size?: number, ms?: number, color?: "+
				"string, id?: string, at?: string, blink?: boolean })",
			"in a function for cues: a `text` (empty) of a `color` (white) at `x`, `y` (metres; 0) that rises and "+
				"fades, `size` metres high (0.6), for `ms` milliseconds (1200; 20 to 5000). In the function of hud: a "+
				"text or a number, the value without a key, of a `size` (13) and a `color` (white, a little grey: "+
				"#d3dce4), `at` a place (top), with an `id` (none); with `blink` = true (false) it blinks",
		)}}
}
