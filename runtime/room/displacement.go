package room

import (
	"fmt"
	"strings"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// Displacement reports that an object was moved, and why. On a client it is about an object
// of its player.
type Displacement struct {
	Kind   DisplacementKind
	Object world.ObjectID
	Class  string // of the object
	// Distance is in metres. It is measured at the present for a Reprediction, in Tick for
	// a Correction, and for CauseRefused from the owner pose for the beginning of Tick. A
	// Rewinding has none.
	Distance float64
	// Provenance says what caused it, and when.
	Provenance timeline.Provenance
	// Wrong names the wrong parts of the claim that a Correction answers.
	Wrong []string
	// Verdict says why the pose was refused, for CauseRefused.
	Verdict world.Verdict
}

// DisplacementKind says what has moved an object.
type DisplacementKind uint8

const (
	// Reprediction means that inputs of other players became known, or that the host
	// did not use an input of this player.
	Reprediction DisplacementKind = iota
	// Correction means that the host sent its state, because this client computed a
	// different one, or that it refused an owner pose.
	Correction
	// Rewinding means that the host rewound for a late input.
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
	fmt.Fprintf(&b, " in tick %d: %s", m.Provenance.Tick, m.Why())
	for i := range m.Provenance.Through {
		if i == 0 {
			fmt.Fprintf(&b, "; reached %s through ", whom)
		} else {
			b.WriteString(", that one through ")
		}
		b.WriteString(m.Provenance.Through[i].String())
	}
	return b.String()
}

// Why returns the cause, with the line of the script.
func (m *Displacement) Why() string {
	var b strings.Builder
	b.WriteString(m.Cause())
	if m.Provenance.Line != 0 {
		fmt.Fprintf(&b, "; %s:%d", m.Provenance.File, m.Provenance.Line)
		if m.Provenance.Text != "" {
			b.WriteString(" " + m.Provenance.Text)
		}
	}
	return b.String()
}

// Cause returns the first cause.
func (m *Displacement) Cause() string {
	switch m.Provenance.Cause {
	case timeline.CauseInput:
		return fmt.Sprintf("player %d's input for tick %d %s", m.Provenance.Player, m.Provenance.InputTick,
			m.lateness())
	case timeline.CauseUnused:
		what := "input"
		if m.Provenance.Event == world.OwnerPoseEvent {
			what = "pose"
		}
		return fmt.Sprintf("the host did not use your %s for tick %d: it came too late, or not at all", what,
			m.Provenance.InputTick)
	case timeline.CauseSilence:
		return fmt.Sprintf("no input came from player %d after that for tick %d, which is not repeated any more",
			m.Provenance.Player, m.Provenance.InputTick)
	case timeline.CauseEvent:
		return m.happened()
	case timeline.CauseComputed:
		return m.computed()
	case timeline.CauseReplicated:
		return m.replicated()
	case timeline.CauseRefused:
		return fmt.Sprintf("the host refused your pose: %s (class %s)", m.Verdict, m.Class)
	}
	return "the cause is not known"
}

// computed returns the wrong parts of this client's claim, and the input for which the host
// had rewound the object before.
func (m *Displacement) computed() string {
	text := "this client computed another result than the host from the same inputs" + m.wrong()
	if m.Provenance.Player != 0 {
		text += fmt.Sprintf("; the host had rewound for player %d's input for tick %d, which arrived %d ticks late",
			m.Provenance.Player, m.Provenance.InputTick, m.Provenance.LateBy)
	}
	return text
}

// replicated returns what came of an object that this client does not simulate.
func (m *Displacement) replicated() string {
	r := &m.Provenance.Replicated
	switch {
	case m.Kind == Correction && r.Object == 0:
		return "this client receives some objects in snapshots and does not simulate them, so its " +
			"result differed from the host's" + m.wrong()
	case m.Kind == Correction && r.Snapshot == 0:
		return fmt.Sprintf(
			"this client receives %s %s in snapshots and does not simulate it, so its result "+
				"differed from the host's%s",
			r.Class,
			r.Object,
			m.wrong(),
		)
	case m.Kind == Correction && r.Object == m.Object:
		return r.String() // an object of this player, which no claim is about
	case m.Kind == Correction:
		return fmt.Sprintf("%s, so this client's result differed from the host's%s", r, m.wrong())
	}
	return r.String()
}

// wrong lists the wrong parts of a claim.
func (m *Displacement) wrong() string {
	if len(m.Wrong) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s)", strings.Join(m.Wrong, ", "))
}

func (m *Displacement) lateness() string {
	switch {
	case m.Provenance.KnownBy <= m.Provenance.LateBy:
		return fmt.Sprintf("arrived %d ticks late", m.Provenance.LateBy)
	case m.Provenance.LateBy <= 0:
		return fmt.Sprintf("was on time, and reached this client %d ticks after its tick", m.Provenance.KnownBy)
	}
	return fmt.Sprintf("arrived %d ticks late, and reached this client %d ticks after its tick",
		m.Provenance.LateBy, m.Provenance.KnownBy)
}

// happened names an event.
func (m *Displacement) happened() string {
	switch m.Provenance.Event {
	case world.JoinEvent:
		return fmt.Sprintf("player %d joined in tick %d", m.Provenance.Player, m.Provenance.InputTick)
	case world.LeaveEvent:
		return fmt.Sprintf("player %d left in tick %d", m.Provenance.Player, m.Provenance.InputTick)
	case world.BundleEvent:
		return fmt.Sprintf("other scripts took effect in tick %d", m.Provenance.InputTick)
	case world.SpawnEvent:
		return fmt.Sprintf("the host program spawned an object in tick %d", m.Provenance.InputTick)
	case world.OwnerPoseEvent:
		return fmt.Sprintf("player %d sent the pose of an object for tick %d", m.Provenance.Player,
			m.Provenance.InputTick)
	case world.FrameEvent:
		return fmt.Sprintf("frames of player %d were run in tick %d", m.Provenance.Player, m.Provenance.InputTick)
	case world.OwnershipEvent:
		return fmt.Sprintf("an object changed its owner in tick %d", m.Provenance.InputTick)
	case world.SetEvent:
		return fmt.Sprintf("the host program set fields of an object in tick %d", m.Provenance.InputTick)
	case world.RemoveEvent:
		return fmt.Sprintf("the host program removed an object in tick %d", m.Provenance.InputTick)
	case world.CallEvent:
		return fmt.Sprintf("the host program called %s in tick %d", m.Provenance.Called(), m.Provenance.InputTick)
	case world.SuspendEvent:
		return fmt.Sprintf("hooks that were too much work were suspended in tick %d", m.Provenance.InputTick)
	}
	return fmt.Sprintf("something happened in tick %d", m.Provenance.InputTick)
}

// Label returns the cause in a few words, for counting.
func (m *Displacement) Label() string {
	switch {
	case m.Provenance.Cause == timeline.CauseRefused:
		return m.Provenance.Cause.String() + ": " + m.Verdict.Why.String()
	case m.Provenance.Cause == timeline.CauseUnused && m.Provenance.Event == world.OwnerPoseEvent:
		return "unused pose"
	case len(m.Provenance.Through) == 0:
		return m.Provenance.Cause.String()
	}
	return m.Provenance.Cause.String() + " through " + m.Provenance.Through[0].Kind.String()
}
