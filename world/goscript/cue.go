package goscript

import "github.com/hindcast/hindcast/world"

// Cue is a kind of effect that hooks ask viewers for. The zero To and When are all
// players, at once. Declare it once and give it to Actor.Cue, with fields made by
// CueNumber, CueText and CueBool.
type Cue struct {
	Name string        // of 1 to world.MaxCueText bytes
	To   world.CueTo   // which players get it
	When world.CueWhen // when they get it
	// Lasts is how many seconds the effect lasts, rounded up to ticks, at most world.MaxCueLasts. A
	// client that gets the cue late shows the rest of the effect. 0: not declared.
	Lasts float64
}

// Tell sends a message of at most world.MaxMessage bytes to one player, when the tick cannot change any more: once,
// and to nobody else. It counts as a cue of the acting object.
func Tell(a Actor, p world.PlayerID, text string) {
	if err := a.of.stage().change(cueCost+len(text)/32).Tell(p, text); err != nil {
		fail("%s", err)
	}
}

// CueNumber returns a number that a cue carries.
func CueNumber(name string, v float64) world.CueField {
	return world.CueField{Name: name, Kind: world.Number, Number: v}
}

// CueText returns a text that a cue carries.
func CueText(name, v string) world.CueField {
	return world.CueField{Name: name, Kind: world.String, Text: v}
}

// CueBool returns a truth value that a cue carries.
func CueBool(name string, v bool) world.CueField {
	return world.CueField{Name: name, Kind: world.Bool, Number: float64(bit(v))}
}
