package host_test

import (
	"errors"
	"fmt"

	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// flaring is the script of a random match, whose hooks also emit cues.
type flaring struct{ world.Script }

func compileFlaring(files []world.Source, setup world.Setup) (world.Script, error) {
	s, err := stub.CompileWild(files, setup)
	return &flaring{s}, err
}

func (s *flaring) Call(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	state := w.State()
	mark := w.Calls().Mark()
	if h == world.ApplyInput && (uint64(state.Tick)+uint64(state.Objects[slot].ID))%16 == 0 {
		if err := w.Cue("puff", world.CueOthers, world.CuePredicted, 0, nil); err != nil {
			return err
		}
	}
	if err := s.Script.Call(w, h, slot, a); err != nil {
		var failed *world.ScriptError
		if errors.As(err, &failed) && failed.Panic {
			w.Calls().Undo(mark) // with the puff; after another error, what the hook did stays
		}
		return err
	}
	age := state.Tick - state.Objects[slot].Spawned
	switch class := w.Class(slot).Name; {
	case class == "Bullet" && h == world.OnTick && age == 1:
		return w.Cue("launch", world.CueAll, world.CuePredicted, 0, nil)
	case class == "Bullet" && h == world.OnContact:
		return w.Cue("hit", world.CueAll, world.CueConfirmed, 0, nil)
	case (class == "Ship" || class == "Racer") && h == world.OnContact && age%4 == 1:
		return w.Tell(world.PlayerID(1+age%5), "a message of more than one field of a cue: it has more than 64 bytes")
	case class == "Crate" && h == world.OnContact && age > 2:
		return w.Cue("bump", world.CueAll, world.CuePredicted, 0.5, nil)
	case h == world.Simulate && uint64(state.Tick)%16 == 0:
		return w.Cue("step", world.CueAll, world.CuePredicted, 0, nil)
	}
	return nil
}

// chaosCues are the cues of a random match, as the host and the clients have them.
type chaosCues struct {
	host    cueBook
	clients []*cueBook   // of the present run of each client
	steady  []world.Tick // by client: since when it has played without trouble
	same    int          // cues of both, that clients do not find by themselves
}

// cueBook has the cues that were shown and not cancelled.
type cueBook struct {
	who   string
	shown map[world.CueKey]world.Cue
}

func newCueBook(who string) cueBook { return cueBook{who, map[world.CueKey]world.Cue{}} }

// take takes in an event, and returns what is wrong with it.
func (b *cueBook) take(e *room.CueEvent) string {
	key := e.Cue.CueKey
	_, shown := b.shown[key]
	switch e.Kind {
	case room.CueFired:
		if shown {
			return fmt.Sprintf("%s: %s fires twice", b.who, key)
		}
	case room.CueMoved:
		if _, ok := b.shown[e.Was.CueKey]; !ok {
			return fmt.Sprintf("%s: %s moves from %s, which is not shown", b.who, key, e.Was.CueKey)
		}
		delete(b.shown, e.Was.CueKey)
	case room.CueCancelled:
		if !shown {
			return fmt.Sprintf("%s: %s is cancelled, and is not shown", b.who, key)
		}
		delete(b.shown, key)
		return ""
	}
	b.shown[key] = e.Cue
	return ""
}

// watchCues follows the cues of client i.
func (m *chaos) watchCues(i int, cfg *client.Config) {
	book := newCueBook(fmt.Sprintf("client %d", i))
	for len(m.cues.clients) <= i {
		m.cues.clients = append(m.cues.clients, nil)
		m.cues.steady = append(m.cues.steady, 0)
	}
	m.cues.clients[i] = &book
	if m.Sim != nil {
		m.cues.steady[i] = m.Host.Now()
	}
	last, confirmed := world.Tick(0), cfg.Confirmed
	cfg.Confirmed = func(t world.Tick, hash uint64) {
		if t != last+1 { // it has joined, or begins again from a keyframe
			m.cues.steady[i] = max(m.cues.steady[i], t)
		}
		last = t
		confirmed(t, hash)
	}
	cfg.Cues = func(e room.CueEvent) {
		if wrong := book.take(&e); wrong != "" {
			m.t.Errorf("tick %d: %s", m.Host.Now(), wrong)
		}
	}
}

// noteSteady notes which clients are in trouble.
func (m *chaos) noteSteady() {
	for i, c := range m.Clients {
		if !c.Playing() || m.Now < m.away[i] {
			m.cues.steady[i] = m.Host.Now()
		}
	}
}

// ofOwnFrame reports whether a cue is of an independent frame of a player's replicated object. The host
// has run the frame in another tick than the player's client.
func ofOwnFrame(c *world.Cue, player world.PlayerID) bool {
	return c.Name == "step" && c.Source.Replicated && c.Source.Runner == player
}

// checkCues checks that clients have the cues of the host, for ticks in which they were well.
func (m *chaos) checkCues() {
	shown := m.game.Rules.Snapshots.Interpolation
	late := world.Tick(m.game.Setup.TickRate)*3/2 + m.game.Ticks(shown.Most) // cues may come
	if m.culls {                                                             // those of culled objects come when they are shown: between complete ticks, which a cut line has delayed
		late += world.Tick(2 * m.game.Setup.TickRate)
	}
	for i, book := range m.cues.clients {
		player := m.Clients[i].Player()
		if m.left[i] || player == 0 {
			continue
		}
		first, last := m.cues.steady[i]+world.Tick(2*m.game.Setup.TickRate), m.Clients[i].Confirmed()-late
		wrong := 0
		for key, c := range m.cues.host.shown {
			if wrong == 5 {
				break // the others are probably like these
			}
			if key.Tick < first || key.Tick > last || !c.For(player) || ofOwnFrame(&c, player) {
				continue
			}
			if m.ranged && c.Owner != player && !c.FoundBy(player) && book.shown[key].Tick == 0 {
				continue // it may have been out of reach
			}
			if _, ok := book.shown[key]; !ok {
				wrong++
				m.t.Errorf("%s, player %d, well since tick %d, lacks %s of player %d (%+v)", book.who, player, m.cues.steady[i], key, c.Owner, c.Source)
			} else if !c.FoundBy(player) {
				m.cues.same++
			}
		}
		for key, c := range book.shown {
			if _, ok := m.cues.host.shown[key]; !ok && key.Tick >= first && key.Tick <= last && !ofOwnFrame(&c, player) {
				m.t.Errorf("%s, player %d, well since tick %d, shows %s of player %d (%+v), which did not happen", book.who, player, m.cues.steady[i], key, c.Owner, c.Source)
			}
		}
	}
}
