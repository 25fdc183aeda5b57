package host_test

import (
	"time"

	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// mostDrawn is how many more matches complete plays.
const mostDrawn = 8

// chaosPairs are the pairs of traits of the objects of a host, and of its clients.
type chaosPairs struct{ host, clients stub.Pairings }

func newChaosPairs() chaosPairs { return chaosPairs{stub.Pairings{}, stub.Pairings{}} }

func (p chaosPairs) add(match chaosPairs) {
	stub.AddPairings(p.host, match.host)
	stub.AddPairings(p.clients, match.clients)
}

// missing lists the pairs that did not occur. A host culls nothing. In a plain run, its few matches need not show
// those of a host.
func (p chaosPairs) missing() (out []string) {
	for _, pair := range stub.MissingPairings(p.host, "culled") {
		if !draws.Full() {
			break
		}
		out = append(out, pair+" on the host")
	}
	return append(out, stub.MissingPairings(p.clients)...)
}

// complete plays more matches until no pair is missing.
func complete(p chaosPairs, play func(more uint64) *chaos) (missing []string) {
	for more := uint64(1); more <= mostDrawn && len(p.missing()) > 0; more++ {
		p.add(play(more).pairs)
	}
	return p.missing()
}

// reload is the last bundle switch of a state.
type reload struct {
	bundle uint32
	at     world.Tick
}

// noteLevel counts the changes of the level in force.
func (m *chaos) noteLevel() {
	s, schema := m.Host.State(), m.Host.Schema()
	if s == nil {
		return
	}
	if slot, ok := s.Find(world.MatchID); ok {
		if name := world.LevelIn(schema, s.Row(slot)).Name; name != m.level {
			m.level, m.changes = name, m.changes+1
		}
	}
}

// notePairs notes the traits of the objects of the host and of all clients.
func (m *chaos) notePairs() {
	m.noteLevel()
	if s := m.Host.State(); s != nil {
		m.notePairsOf(m.pairs.host, 0, s, m.Host.Schema())
	}
	for i, c := range m.Clients {
		if s := c.State(); c.Playing() && s != nil {
			m.notePairsOf(m.pairs.clients, i+1, s, c.Schema())
		}
	}
}

// notePairsOf notes those of the state of a client, counted from 1, or of the host.
func (m *chaos) notePairsOf(p stub.Pairings, of int, s *world.State, schema *world.Schema) {
	for len(m.reloads) <= of {
		m.reloads = append(m.reloads, reload{})
	}
	if last := &m.reloads[of]; last.bundle != s.Bundle {
		*last = reload{s.Bundle, s.Tick}
	}
	stub.NotePairings(p, s, schema, m.reloads[of].at, m.game.Ticks(time.Second))
}
