package host_test

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// play makes random things happen, one after the other, each to a random client or to the host.
func (m *chaos) play() {
	happenings := []func(client int){m.cutLine, m.changeLine, m.join, m.leave, m.switchBundle, m.napClient, m.napHost, m.pause, m.kick}
	m.Run(2 * time.Second)
	for range draws.Pick(10, 16) {
		m.Run(100*time.Millisecond + m.upTo(700))
		m.act(3)
		m.mendLines()
		m.compareInputs()
		client := m.rng.IntN(len(m.Clients))
		happenings[m.rng.IntN(len(happenings))](client)
	}
}

// Run plays for a while, and looks which clients are well.
func (m *chaos) Run(d time.Duration) {
	for end := m.Now + d; m.Now < end; {
		m.Sim.Run(min(end-m.Now, 50*time.Millisecond))
		m.noteSteady()
		m.notePairs()
		if wrong := m.views.check(m.Clients); wrong != "" {
			m.t.Errorf("at tick %d: %s", m.Host.Now(), wrong)
		}
	}
}

// upTo draws a time below a number of milliseconds.
func (m *chaos) upTo(ms int) time.Duration {
	return time.Duration(m.rng.IntN(ms)) * time.Millisecond
}

// leaveAlone reports whether a client is away. Another cut or sleep could then add up to 10 s, after
// which a connection times out. A client that is not away is marked as away for d.
func (m *chaos) leaveAlone(i int, d time.Duration) bool {
	if m.Now < m.away[i] {
		return true
	}
	m.away[i] = m.Now + d
	return false
}

func (m *chaos) cutLine(i int) {
	d := m.upTo(4000)
	if m.leaveAlone(i, d+time.Second) { // the cut ends a little later
		return
	}
	m.Net.Cut(i, true)
	m.cut[i] = m.Now + d
	m.note("line %d cut until %v", i, m.cut[i])
}

func (m *chaos) mendLines() {
	for i, until := range m.cut {
		if until != 0 && m.Now > until {
			m.Net.Cut(i, false)
			m.cut[i] = 0
			m.note("line %d mended", i)
		}
	}
}

func (m *chaos) changeLine(i int) {
	to := lines(m.game.Setup.TickRate)
	k := m.rng.IntN(len(to))
	m.Net.SetProfile(i, to[k], to[k])
	m.note("line %d is now of quality %d", i, k)
}

func (m *chaos) join(int) {
	if len(m.Clients) < maxClients {
		m.Join()
		m.note("client %d joins", len(m.Clients)-1)
	}
}

func (m *chaos) leave(i int) {
	if here := m.here(); m.left[i] || here <= 2 {
		return
	}
	m.Leave(i)
	m.left[i] = true
	m.note("client %d leaves", i)
}

// here returns how many clients have not left.
func (m *chaos) here() (n int) {
	for i := range m.Clients {
		if !m.left[i] {
			n++
		}
	}
	return n
}

func (m *chaos) switchBundle(int) {
	m.bundles++
	next := *m.game
	next.Files = []world.Source{{Name: "rules.lua", Text: fmt.Sprintf("%s %d%s", []string{"first", "other"}[m.bundles%2], m.bundles, m.levels())}}
	stub.GiveRooms(&next.Setup, m.bundles)
	script, err := compileFlaring(next.Files, next.Setup)
	if err != nil {
		m.t.Fatal(err)
	}
	at, _, err := m.Host.Switch(&next, script)
	if err != nil {
		m.t.Errorf("switch: %v", err)
	}
	next.Files = append(next.Files, world.Source{Name: world.ViewFile, Text: "-- edited"}) // while clients ask for the bundle
	if revised, _, err := m.Host.Switch(&next, script); err != nil || revised != at {
		m.t.Errorf("an edited view.lua is in force from tick %d, its bundle from %d: %v", revised, at, err)
	}
	m.note("bundle %q from tick %d on", next.Files[0].Text, at)
}

func (m *chaos) napClient(i int) {
	d := 100*time.Millisecond + m.upTo(4900)
	if m.leaveAlone(i, d) {
		return
	}
	m.SleepClient(i, d)
	m.note("client %d sleeps %v", i, d)
}

func (m *chaos) napHost(int) {
	d := 100*time.Millisecond + m.upTo(1500)
	m.SleepHost(d)
	m.note("the host sleeps %v", d)
}

func (m *chaos) pause(int) {
	d := m.upTo(2000)
	m.note("a pause of %v", d)
	m.Host.Pause(true)
	m.Run(d)
	m.Host.Pause(false)
}

// calmDown ends all cuts, plays on, and waits until every client has recovered.
func (m *chaos) calmDown() {
	for i := range m.Clients {
		m.Net.Cut(i, false)
	}
	m.note("nothing happens any more")
	m.acts.calm = true
	m.Run(3 * time.Second)
	for end := m.Now + 30*time.Second; m.Now < end && (m.behind() != "" || m.acts.present != m.acts.committed); {
		m.Run(250 * time.Millisecond) // a command of a client that slept may have come just now
	}
}
