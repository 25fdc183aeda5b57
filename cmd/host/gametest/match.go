package gametest

import (
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
	last *world.State // of what was played before it settled; nil: something was played since
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
					c.Compile = func([]world.Source, world.Setup) (world.Script, error) { return hosts, nil }
				}},
		)
		for i := range players { // one after another, so that client i is player i+1
			c := m.sim.Join()
			m.sim.RunUntil(joining, fmt.Sprintf("player %d joins", i+1), func() bool { // and is at the present
				return c.Played(m.sim.Now) > 0 || c.Err() != nil
			})
			if c.Err() != nil || c.Player() != world.PlayerID(i+1) {
				m.tb.Fatalf("player %d cannot join: %v", i+1, c.Err())
			}
			m.enter(c)
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

// enter answers the entry form of the game for a client, if it has one, with nothing.
func (m *match) enter(c *client.Client) {
	name, s := c.Schema().Functions.EntryForm()
	if s == nil || !s.Asks() {
		return
	}
	c.Say(m.sim.Now, "/"+name+" -")
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
	if int(p) > len(m.sim.Clients) {
		return nil, nil, fmt.Errorf("there is no player %d: t:world { players = %d }", p, p)
	}
	c := m.sim.Clients[p-1]
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
		for _, c := range m.sim.Clients { // which are ahead of it
			end = max(end, c.State().Tick)
		}
		m.sim.RunUntil(joining, "everything played confirmed", func() bool {
			done := m.sim.Host.Committed() >= end
			if s := m.sim.Host.StateAt(end); done && m.last == nil && s != nil {
				m.last = new(world.State) // and not what the players' released inputs make of it
				m.last.CopyFrom(s)
			}
			for _, c := range m.sim.Clients {
				done = done && (c.Confirmed() >= end || c.Desync() != nil)
			}
			return done
		})
	})
}

// desyncs returns the clients whose world differs from the host's.
func (m *match) desyncs() (out []string) {
	for i, c := range m.sim.Clients {
		if d := c.Desync(); d != nil {
			out = append(out, fmt.Sprintf("player %d: %v", i+1, d))
		}
	}
	return out
}
