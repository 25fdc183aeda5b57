package gametest

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// match is a world with a network: a host and clients on virtual time.
type match struct {
	sim  *simtest.Sim
	tb   *simtest.Failures
	held *held
	left []world.PlayerID
	// fired are the cues of the host so far, without those that were cancelled.
	fired []world.Cue
	last  *world.State // of what was played before it settled; nil: something was played since
}

// joining is how long a player may take to join, and a match to be confirmed.
const joining = 60 * time.Second

// settling is how long players on a line play before the test, because their first inputs may come late.
const settling = time.Second

func openMatch(bundle *bundle.Bundle, hosts world.Script, profile memlink.Profile, held *held,
	players int) (m *match, err error) {
	m = &match{tb: &simtest.Failures{}, held: held}
	err = m.tb.Catch(func() {
		m.sim = simtest.New(
			m.tb,
			simtest.Options{Seed: bundle.Setup.Seed, Profile: profile, Bundle: bundle, Compile: luabind.Compile,
				Controls: func(int) client.Controls { return m },
				Host: func(c *host.Config) {
					c.Verify = false
					c.On.Cue = m.note
					c.Compile = func([]world.Source, world.Setup) (world.Script, error) { return hosts, nil }
				}},
		)
		for i := range players { // one after another, so that client i is player i+1
			if p := m.admit("-"); p != world.PlayerID(i+1) {
				m.tb.Fatalf("player %d has the number %d", i+1, p)
			}
		}
		if profile != memlink.Off() {
			m.sim.Run(settling)
		}
		for m.sim.Host.Now() < 2 {
			m.sim.Run(simtest.PollEvery)
		}
	})
	return m, err
}

// admit has one more player join, and returns the player's number.
func (m *match) admit(answers string) world.PlayerID {
	c := m.sim.Join()
	m.sim.RunUntil(joining, "one more player joins", func() bool { // and is at the present
		return c.Played(m.sim.Now) > 0 || c.Err() != nil
	})
	if c.Err() != nil {
		m.tb.Fatalf("one more player cannot join: %v", c.Err())
	}
	m.enter(c, answers)
	return c.Player()
}

func (m *match) join(answers string) (p world.PlayerID, err error) {
	m.last = nil
	err = m.tb.Catch(func() { p = m.admit(answers) })
	return p, err
}

func (m *match) leave(p world.PlayerID) error {
	m.last = nil
	return m.tb.Catch(func() {
		m.sim.Leave(m.client(p))
		m.left = append(m.left, p)
		m.sim.RunUntil(joining, fmt.Sprintf("player %d leaves", p), func() bool {
			player, here := m.sim.Host.State().PlayerByID(p)
			return !here || player.Left != 0
		})
	})
}

// client returns which of the clients is that of a player, -1 if there is none.
func (m *match) client(p world.PlayerID) int {
	return slices.IndexFunc(m.sim.Clients, func(c *client.Client) bool { return c.Player() == p })
}

// playing returns the clients of those who have not left.
func (m *match) playing() (list []*client.Client) {
	for _, c := range m.sim.Clients {
		if !slices.Contains(m.left, c.Player()) {
			list = append(list, c)
		}
	}
	return list
}

// note notes a change of a cue.
func (m *match) note(e room.CueEvent) {
	was := e.Cue.CueKey
	if e.Kind == room.CueMoved {
		was = e.Was.CueKey
	}
	m.fired = slices.DeleteFunc(m.fired, func(c world.Cue) bool { return c.CueKey == was })
	if e.Kind != room.CueCancelled {
		m.fired = append(m.fired, e.Cue)
	}
}

func (m *match) cues() []world.Cue {
	slices.SortStableFunc(m.fired, func(a, b world.Cue) int { return cmp.Compare(a.Tick, b.Tick) })
	return m.fired
}

// enter answers the entry form of the game for a client, if it has one.
func (m *match) enter(c *client.Client, answers string) {
	name, s := c.Schema().Functions.EntryForm()
	if s == nil || !s.Asks() {
		return
	}
	c.Say(m.sim.Now, "/"+name+" "+answers)
	m.sim.RunUntil(joining, "a player has answered the entry form", func() bool {
		var v room.View
		m.sim.Host.View(&v)
		return slices.ContainsFunc(v.Players, func(p room.ViewPlayer) bool {
			entered, err := p.State.Bool(world.EnteredField)
			return p.ID == c.Player() && err == nil && entered
		})
	})
}

// Input makes a match the controls of its clients.
func (m *match) Input(r world.Reader, slot int) world.Input {
	in, _ := m.held.of(&r.State().Objects[slot])
	return in
}

func (m *match) step(ticks int) error {
	m.last = nil
	return m.tb.Catch(func() {
		for end := m.sim.Host.Now() + world.Tick(ticks); m.sim.Host.Now() < end; {
			m.sim.Run(simtest.PollEvery)
		}
	})
}

func (m *match) spawn(class string, at world.Placement, fields host.Fields) (world.ObjectID, error) {
	id, err := m.sim.Host.Spawn(class, at, fields)
	if err != nil {
		return 0, err
	}
	return id, m.step(1)
}

func (m *match) call(function string, args []world.Value) error {
	list := make([]any, len(args))
	for i, v := range args {
		list[i] = v
	}
	if err := m.sim.Host.Call(function, list...); err != nil {
		return err
	}
	return m.step(1)
}

func (m *match) look(p world.PlayerID) (*world.State, *world.Schema, error) {
	if p == 0 {
		return m.sim.Host.State(), m.sim.Host.Schema(), nil
	}
	at := m.client(p)
	if at < 0 {
		return nil, nil, fmt.Errorf("there is no player %d: t:world { players = %d }", p, p)
	}
	if slices.Contains(m.left, p) {
		return nil, nil, fmt.Errorf("player %d has left", p)
	}
	c := m.sim.Clients[at]
	if c.State() == nil {
		return nil, nil, fmt.Errorf("player %d has not joined: %s", p, c.Status())
	}
	return c.State(), m.sim.Host.Schema(), nil // of the same bundle: objects stay the same to the test
}

func (m *match) confirmed() (*world.State, *world.Schema) {
	if m.last != nil {
		return m.last, m.sim.Host.Schema()
	}
	return m.sim.Host.StateAt(m.sim.Host.Committed()), m.sim.Host.Schema()
}

func (m *match) waitConfirmed() error {
	return m.tb.Catch(func() {
		end := m.sim.Host.Now()
		for _, c := range m.playing() { // who are ahead of it
			end = max(end, c.State().Tick)
		}
		m.sim.RunUntil(joining, "everything played confirmed", func() bool {
			done := m.sim.Host.Committed() >= end
			if s := m.sim.Host.StateAt(end); done && m.last == nil && s != nil {
				m.last = new(world.State) // and not what the players' released inputs make of it
				m.last.CopyFrom(s)
			}
			for _, c := range m.playing() {
				done = done && (c.Confirmed() >= end || c.Desync() != nil)
			}
			return done
		})
	})
}

// desyncs returns the clients whose world differs from the host's.
func (m *match) desyncs() (out []string) {
	for _, c := range m.sim.Clients {
		if d := c.Desync(); d != nil {
			out = append(out, fmt.Sprintf("player %d: %v", c.Player(), d))
		}
	}
	return out
}
