package simtest_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// An ackLiar is the link of a client that says that it saw everything in its line of fire. If it freezes, it also says
// nearly always that it has not heard of the host for long: it acknowledges what it had at first in each ten seconds.
type ackLiar struct {
	link.Link
	freezes bool
	sent    int
	old     wire.Ack
	says    world.Sight // of each input that presses Fire
}

func (l *ackLiar) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	var m wire.InputPacket
	if wire.KindOf(b) == wire.KindInputPacket && wire.ParseInputPacket(b, &m) == nil {
		if l.sent++; l.freezes && l.sent > 300 && l.sent%600 > 0 {
			m.Ack = l.old
		}
		l.old = m.Ack
		m.Sights = m.Sights[:0]
		for i := range m.Runs {
			for j := range m.Runs[i].Inputs {
				if m.Runs[i].Inputs[j].Buttons != 0 && len(l.says) > 0 {
					m.Sights = append(m.Sights, wire.InputSight{Run: i, Input: j, Sight: l.says})
				}
			}
		}
		b = wire.AppendInputPacket(nil, &m)
	}
	return l.Link.SendDatagram(now, p, b)
}

// upward are the controls of a player who shoots straight up five times a second.
type upward struct{}

func (upward) Input(r world.Reader, _ int) (in world.Input) {
	in.Axes[0] = 1.5707963
	if r.Tick() > 600 && r.Tick()%12 == 0 {
		in.Press(0, 1)
	}
	return in
}

// playAckLiar plays with a liar and runners that stay more than 6 m away from its line of fire.
func playAckLiar(t *testing.T, seen string, freezes bool) (n galleryResult) {
	t.Helper()
	b := galleryBundle("predict", 12, seen)
	b.Files[1].Text = `
function onJoin(player)
  if player == 1 then spawn("Gun", { owner = player, y = -10 })
  else spawn("Runner", { owner = player, x = 13, y = player * 2 }) end
end
`
	liar := &ackLiar{freezes: freezes}
	sim := simtest.New(t, simtest.Options{Seed: 71, Clients: 1, Profile: memlink.LAN(), Bundle: b, Compile: compile,
		Controls: func(i int) client.Controls {
			if i == 0 {
				return upward{}
			}
			return reverses{}
		},
		Client: func(i int, cfg *client.Config) {
			if i == 0 {
				liar.Link, cfg.Link = cfg.Link, liar
			}
		}})
	sim.RunUntil(5*time.Second, "the liar in", func() bool { return sim.Clients[0].Player() != 0 })
	for range 4 {
		sim.Join()
	}
	sim.Run(5 * time.Second)
	s := sim.Host.State()
	for _, slot := range s.ByID {
		if o := &s.Objects[slot]; o.Owner > 1 {
			liar.says = append(liar.says, world.SightPose(o.ID, physics.Pose{Y: s.Body(int(slot)).Y}))
		}
	}
	sim.Run(25 * time.Second)
	n.shots, n.hits, n.bare = gun(t, sim.Host.State(), sim.Host.Schema())
	n.sights = sim.Host.Report(sim.Now).Inputs.Sights
	return n
}

// TestFrozenAcknowledgementsGainLittle: a client that lies about what it has heard may say that it had guessed for long
// only as often as a line has jams.
func TestFrozenAcknowledgementsGainLittle(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, seen string
		freezes    bool
		most       float64 // the share of shots that hit
	}{{"acknowledges", "true", false, 0}, {"freezes", "true", true, 0.15}, {"freezes, with a limit", "{ within = 2 }", true, 0}} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			n := playAckLiar(t, c.seen, c.freezes)
			if t.Logf("%+v", n); float64(n.hits) > c.most*float64(n.shots) || n.shots < 60 || n.sights.Clamped < 60 || n.bare != 0 {
				t.Errorf("%+v", n)
			}
		})
	}
}

// A jammed line delivers nothing to its client in the first part of each period; then it delivers all at once.
type jammed struct {
	link.Link
	jam, period time.Duration
	held        []link.Event
}

func (l *jammed) Poll(now time.Duration, f func(link.Event)) {
	jams := now%l.period < l.jam
	for _, e := range l.held {
		if !jams {
			f(e)
		}
	}
	if !jams {
		l.held = l.held[:0]
	}
	l.Link.Poll(now, func(e link.Event) {
		if jams && e.Kind == link.Datagram {
			e.Data = append([]byte(nil), e.Data...)
			l.held = append(l.held, e)
			return
		}
		f(e)
	})
}

// TestShotsAfterAJam plays with a shooter that hears nothing for 0.6 s again and again, and still sends, and with a
// class whose limit is fixed.
func TestShotsAfterAJam(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what, seen string
		speed      float64
		jam        time.Duration
	}{{"jams", "true", 12, 600 * time.Millisecond}, {"a fixed limit", "{ within = 2 }", 5, 0}} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			line := memlink.Average()
			_, n := playGallery(t, galleryBundle("predict", c.speed, c.seen), line, line, func(cfg *client.Config) {
				cfg.Link = &jammed{Link: cfg.Link, jam: c.jam, period: 4 * time.Second}
			})
			if n.missed() || n.bare > n.shots*3/4 {
				t.Errorf("%+v", n)
			}
		})
	}
}
