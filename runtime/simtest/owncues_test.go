package simtest_test

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// ownShot is a shot of an object of the client's player.
type ownShot struct {
	class  string
	object world.ObjectID
	number float64
}

// ownShots has how often each cue of an own shot fired, and how often it was taken back, on one client.
type ownShots struct {
	player func() world.PlayerID
	class  func(world.ObjectID) string
	shots  map[ownShot]*shotEvents
}

type shotEvents struct{ fired, gone int }

func (o *ownShots) of(c *world.Cue) *shotEvents {
	s := ownShot{o.class(c.Object), c.Object, fieldOf(c, "shot")}
	if o.shots[s] == nil {
		o.shots[s] = &shotEvents{}
	}
	return o.shots[s]
}

func (o *ownShots) take(e room.CueEvent) {
	if e.Cue.Owner != o.player() || e.Cue.Name != "muzzle" {
		return
	}
	switch s := o.of(&e.Cue); e.Kind {
	case room.CueFired:
		s.fired++
	case room.CueCancelled:
		s.gone++
	case room.CueMoved:
		if was := o.of(&e.Was); was != s { // one shot becomes another
			was.gone++
			s.fired++
		}
	}
}

// TestOwnCues tests that each shot of a player's own objects, of whichever level, has its cue once on the player's
// screen: an input that reaches the host late must neither repeat a cue nor take it back.
func TestOwnCues(t *testing.T) {
	onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
		var clients []*ownShots
		hostShots := map[ownShot]bool{}
		classes := map[world.ObjectID]string{}
		var sim *simtest.Sim
		class := func(id world.ObjectID) string {
			s := sim.Host.State()
			if slot, ok := s.Find(id); ok {
				classes[id] = sim.Host.Schema().Classes[s.Objects[slot].Class].Name
			}
			return classes[id]
		}
		sim = simtest.New(t, simtest.Options{Seed: 9, Clients: 3, Profile: line,
			Bundle:   shooterBundle("local FAR = 5\n" + flashers),
			Compile:  compile,
			Controls: func(i int) client.Controls { return &volleys{i} },
			Host: func(c *host.Config) {
				c.On.Cue = func(e room.CueEvent) {
					if e.Cue.Name == "muzzle" && e.Kind != room.CueCancelled {
						hostShots[ownShot{class(e.Cue.Object), e.Cue.Object, fieldOf(&e.Cue, "shot")}] = true
					}
				}
			},
			Client: func(i int, c *client.Config) {
				o := &ownShots{class: class, shots: map[ownShot]*shotEvents{}}
				o.player = func() world.PlayerID { return sim.Clients[i].Player() }
				clients = append(clients, o)
				c.Cues = o.take
			}})
		sim.Run(draws.Pick(20*time.Second, 40*time.Second))
		sim.Drain()
		total, wrong := map[string]int{}, 0
		for i, o := range clients {
			for shot, s := range o.shots { // order: each is judged by itself
				total[shot.class]++
				if s.fired == 1 && s.gone == 0 {
					continue
				}
				if wrong++; wrong < 10 {
					t.Errorf("client %d: the cue of shot %v of its %s fired %d times and was taken back %d times; the host has it: %v",
						i, shot.number, shot.class, s.fired, s.gone, hostShots[shot])
				}
			}
		}
		t.Logf("%d wrong; cues of own shots %v", wrong, total)
		for _, name := range []string{"Gunner", "Drone", "Ship"} {
			if total[name] < 50 {
				t.Errorf("only %d shots of objects of class %s", total[name], name)
			}
		}
	})
}
