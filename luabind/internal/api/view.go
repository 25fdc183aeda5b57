package api

// viewAPI describes what view.lua can use besides string, table, math and vec.
func viewAPI() []Section {
	return []Section{{Title: "View: view.lua", Kind: Functions,
		Text: "`view.lua` turns cues into effects. It runs on clients only and cannot reach the simulation. Its functions get a read-only table `c` with the content of the cue, `name`, `object` (an id), `mine` (true if the object belongs to this player), `age` (seconds since it happened, at the moment that is drawn) and, if the cue says it, `lasts` (seconds). The effects of a cue that lasts begin at its age. A cue without a function is shown as a ring at its x, y. If a cue moves, its effects are shown again in the right place; if it is cancelled, they are removed. Both happen with or without functions for them.",
		Members: list(
			"onCue(name: string, show: fun(c: table))", "shows the cues with this name",
			"onCueMoved(name: string, show: fun(c: table))", "shows cues that have changed; without it, the function of onCue does",
			"onCueCancelled(name: string, show: fun(c: table))", "shows that a cue never happened",
			"flash(what: { x?: number, y?: number, size?: number, ms?: number, color?: string })", "a ring that grows to size metres and fades",
			"sound(what: { wave?: string, freq?: number, ms?: number, volume?: number })", "a decaying tone: wave is sine (default), triangle, square, sawtooth or noise; freq is in Hz (for noise, its brightness); volume is 0 to 1. A cue that moves does not sound again",
			"text(what: { x?: number, y?: number, text?: string, size?: number, ms?: number, color?: string })", "text that rises and fades, size metres high",
		)}}
}
