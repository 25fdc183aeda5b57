package simtest_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// A searched link notes the objects in the sights of the records that its client receives.
type searched struct {
	link.Link
	found map[world.ObjectID]int
}

func (l *searched) Poll(now time.Duration, f func(link.Event)) {
	l.Link.Poll(now, func(e link.Event) {
		var m wire.HostPacket
		if e.Kind == link.Datagram && wire.KindOf(e.Data) == wire.KindHostPacket && wire.ParseHostPacket(e.Data, &m) == nil {
			for i := range m.Records {
				for _, p := range m.Records[i].Event.Sight {
					l.found[p.ID]++
				}
			}
		}
		f(e)
	})
}

// TestSightsDoNotRevealHiddenObjects plays the search with lamps that look around as seen. What their clients have drawn
// of spies goes to the host, which counts it, and to no other client.
func TestSightsDoNotRevealHiddenObjects(t *testing.T) {
	t.Parallel()
	for _, ticking := range []string{"fixed", "independent"} {
		t.Run(ticking, func(t *testing.T) {
			t.Parallel()
			b := bundle.New("search")
			b.Files = []world.Source{{Name: "game.lua", Text: strings.NewReplacer(`state = { turn = 0 },`, `state = { turn = 0, stones = 0, spies = 0 },`,
				`Stone = object "Stone" { range = 6,`, `Stone = object "Stone" { seen = true,`, `hidden = true,`, `hidden = true, seen = true,`,
				`function Lamp:applyInput(input)`, `function Lamp:applyInput(input)
  if input.Go then
    local x, y = self:getPosition()
    for _, at in ipairs(self:asSeen(function() return overlapCircle(x, y, 4) end)) do
      if at.class == "Spy" then self.spies = self.spies + 1 else self.stones = self.stones + 1 end
    end
  end`).Replace(search)}}
			if ticking == "independent" {
				b.Files[0].Text = strings.NewReplacer(`Lamp = object "Lamp" {`, `Lamp = object "Lamp" { ticking = "independent",`, "Lamp:applyInput(input)", "Lamp:simulate(input, dt)").Replace(b.Files[0].Text)
			}
			searches := &searched{found: map[world.ObjectID]int{}}
			sim := simtest.New(t, simtest.Options{Seed: 73, Clients: 2, Profile: memlink.Average(), Bundle: b, Compile: compile,
				Controls: func(i int) client.Controls {
					return client.ControlsFunc(func(r world.Reader, _ int) (in world.Input) {
						if i == 0 && r.Tick()%8 == 0 {
							in.Press(0, 1)
						}
						return in
					})
				},
				Client: func(i int, cfg *client.Config) {
					if i == 1 {
						searches.Link, cfg.Link = cfg.Link, searches
					}
				}})
			sim.Run(15 * time.Second)
			s, schema := sim.Host.State(), sim.Host.Schema()
			revealed, shared := 0, 0
			for _, slot := range s.ByID {
				o := &s.Objects[slot]
				if n := searches.found[o.ID]; schema.Classes[o.Class].Name == "Spy" {
					revealed += n
				} else {
					shared += n
				}
			}
			if revealed != 0 || shared < 50 {
				t.Errorf("the other client got %d poses of spies, and %d of others", revealed, shared)
			}
			stones, spies := countedBy(t, s, schema, "stones"), countedBy(t, s, schema, "spies")
			if sights := sim.Host.Report(sim.Now).Inputs.Sights; stones < 50 || spies < 20 || sights.Accepted < 100 {
				t.Errorf("lamps saw %d stones and %d spies, %+v", stones, spies, sights)
			}
			inAgreement(t, sim)
		})
	}
}

// countedBy returns the sum of a field over all lamps.
func countedBy(t *testing.T, s *world.State, schema *world.Schema, field string) (sum int) {
	t.Helper()
	i, _ := schema.ClassByName("Lamp")
	f, ok := schema.Classes[i].Field(field)
	if !ok {
		t.Fatal(field)
	}
	for _, slot := range s.Run {
		if int(s.Objects[slot].Class) == i {
			sum += int(math.Float64frombits(s.Row(int(slot)).Word(f)))
		}
	}
	return sum
}
