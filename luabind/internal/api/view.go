package api

// viewAPI describes what view.lua can use besides string, table, math and vec.
func viewAPI() []Section {
	return []Section{{Title: "View: view.lua", Kind: Functions,
		Text: "`view.lua` runs on clients only and touches nothing of the simulation: it makes effects of cues. Its functions get a read-only table `c` of what the cue says, with `name`, `object` (an id) and `mine` (the object is this player's). A cue without a function here is shown as a ring at its x, y. What it showed of a cue that moves is shown anew in the right place, and of one that is cancelled taken away, whether there are functions for that or not.",
		Members: list(
			"onCue(name: string, show: fun(c: table))", "shows cues of a name",
			"onCueMoved(name: string, show: fun(c: table))", "shows those that turned out otherwise; without it, the function of onCue does",
			"onCueCancelled(name: string, show: fun(c: table))", "shows that one never happened",
			"flash(what: { x?: number, y?: number, size?: number, ms?: number, color?: string })", "a ring that grows to size metres and fades",
			"sound(what: { wave?: string, freq?: number, ms?: number, volume?: number })", "a tone that dies away: wave is sine (as a rule), triangle, square, sawtooth or noise; freq in Hz, of noise how bright it is; volume 0 to 1. A cue that moves is not heard again",
			"text(what: { x?: number, y?: number, text?: string, size?: number, ms?: number, color?: string })", "words that rise and fade, size metres high",
		)}}
}
