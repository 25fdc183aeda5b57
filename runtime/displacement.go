package runtime

import (
	"fmt"
	"strings"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// Displacement reports that an object was moved, and why. On a client it answers the question
// "why was I corrected?" about an object of its player.
type Displacement struct {
	Kind   DisplacementKind
	Object world.ObjectID
	Class  string
	// Distance is in metres: of a Reprediction at the present, of a Correction in Tick, of
	// CauseRefused from the pose that the owner gave for the beginning of Tick. A Rewinding
	// has none.
	Distance float64
	timeline.Provenance
	// Wrong names what was wrong in the claim that a Correction answers.
	Wrong []string
	// Verdict says why the pose was refused, of CauseRefused.
	Verdict world.Verdict
}

// DisplacementKind is what has moved an object.
type DisplacementKind uint8

const (
	// Reprediction: inputs of others became known, or that an own input was not used.
	Reprediction DisplacementKind = iota
	// Correction: the host sent its state, because this client computed another one; or
	// it refused the pose that the owner gave.
	Correction
	// Rewinding: the host rewound for a late input.
	Rewinding
)

// String returns the kind in a word.
func (k DisplacementKind) String() string {
	return [...]string{"repredicted", "corrected", "rewound"}[k]
}

// String returns the report as a sentence.
func (m *Displacement) String() string {
	var b strings.Builder
	b.WriteString(m.Kind.String())
	whom := "you"
	if m.Kind == Rewinding {
		whom = "it"
	} else {
		fmt.Fprintf(&b, " %.2f m", m.Distance)
	}
	fmt.Fprintf(&b, " in tick %d: %s", m.Tick, m.why())
	for i := range m.Through {
		if i == 0 {
			fmt.Fprintf(&b, "; reached %s through ", whom)
		} else {
			b.WriteString(", that one through ")
		}
		b.WriteString(m.Through[i].String())
	}
	return b.String()
}

// why returns the cause, with the line of the script.
func (m *Displacement) why() string {
	var b strings.Builder
	b.WriteString(m.cause())
	if m.Line != 0 {
		fmt.Fprintf(&b, "; %s:%d", m.File, m.Line)
		if m.Text != "" {
			b.WriteString(" " + m.Text)
		}
	}
	return b.String()
}

// cause returns what it began with.
func (m *Displacement) cause() string {
	switch m.Cause {
	case timeline.CauseInput:
		return fmt.Sprintf("player %d's input for tick %d %s", m.Player, m.InputTick, m.lateness())
	case timeline.CauseUnused:
		what := "input"
		if m.Event == world.OwnerPoseEvent {
			what = "move"
		}
		return fmt.Sprintf("the host did not use your %s for tick %d: it came too late, or not at all", what, m.InputTick)
	case timeline.CauseSilence:
		return fmt.Sprintf("no input came from player %d after that for tick %d, which is not repeated any more", m.Player, m.InputTick)
	case timeline.CauseEvent:
		return m.happened()
	case timeline.CauseComputed:
		return m.computed()
	case timeline.CauseReplicated:
		if m.Kind == Correction {
			return "this client is told of some objects and does not simulate them, so that it had it otherwise than the host" + m.wrong()
		}
		return fmt.Sprintf("the host told, as of tick %d, of objects that this client does not simulate, or of what they did", m.InputTick)
	case timeline.CauseRefused:
		return fmt.Sprintf("the host refused your move: %s (class %s)", m.Verdict, m.Class)
	}
	return "the cause is not known"
}

// computed says what was wrong in the claim of this client, and for which input the host had
// rewound the object before.
func (m *Displacement) computed() string {
	text := "this client computed otherwise than the host, from the same inputs" + m.wrong()
	if m.Player != 0 {
		text += fmt.Sprintf("; the host had gone back for player %d's input for tick %d, which arrived %d ticks late", m.Player, m.InputTick, m.LateBy)
	}
	return text
}

// wrong lists what was wrong in a claim.
func (m *Displacement) wrong() string {
	if len(m.Wrong) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s)", strings.Join(m.Wrong, ", "))
}

func (m *Displacement) lateness() string {
	switch {
	case m.KnownBy <= m.LateBy:
		return fmt.Sprintf("arrived %d ticks late", m.LateBy)
	case m.LateBy <= 0:
		return fmt.Sprintf("was in time, and known here %d ticks after it was played", m.KnownBy)
	}
	return fmt.Sprintf("arrived %d ticks late, and was known here %d ticks after it was played", m.LateBy, m.KnownBy)
}

// happened names an event.
func (m *Displacement) happened() string {
	switch m.Event {
	case world.JoinEvent:
		return fmt.Sprintf("player %d joined in tick %d", m.Player, m.InputTick)
	case world.LeaveEvent:
		return fmt.Sprintf("player %d left in tick %d", m.Player, m.InputTick)
	case world.BundleEvent:
		return fmt.Sprintf("other scripts came in force in tick %d", m.InputTick)
	case world.SpawnEvent:
		return fmt.Sprintf("the host program spawned an object in tick %d", m.InputTick)
	case world.OwnerPoseEvent:
		return fmt.Sprintf("player %d said for tick %d where his object is", m.Player, m.InputTick)
	case world.FrameEvent:
		return fmt.Sprintf("frames of player %d were run in tick %d", m.Player, m.InputTick)
	case world.OwnershipEvent:
		return fmt.Sprintf("an object changed hands in tick %d", m.InputTick)
	}
	return fmt.Sprintf("something happened in tick %d", m.InputTick)
}

// label returns the cause in a few words, for counting.
func (m *Displacement) label() string {
	switch {
	case m.Cause == timeline.CauseRefused:
		return m.Cause.String() + ": " + m.Verdict.Why.String()
	case m.Cause == timeline.CauseUnused && m.Event == world.OwnerPoseEvent:
		return "unused move"
	case len(m.Through) == 0:
		return m.Cause.String()
	}
	return m.Cause.String() + " through " + m.Through[0].Kind.String()
}
