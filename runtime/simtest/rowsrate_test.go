package simtest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// motes is a game of small objects with a field that says in which tick they are shown, beside wide objects that
// change all their words now and then, or never.
const motes = `
Mote = object "Mote" { lod = "interpolate", state = { at = { "number", show = "step" } }, body = { shape = { circle = 0.2 }, density = 1 } }
function Mote:tick()
  self.at = tickNumber()
  if tickNumber() % 20 == 0 then self:setVelocity(random() * 4 - 2, random() * 4 - 2) end
end
Wide = object "Wide" { lod = "interpolate", state = { a = list({ "number", show = "step" }, 255), b = list({ "number", show = "step" }, 255) }, body = { type = "static", shape = { circle = 0.4 } } }
function Wide:tick()
  if tickNumber() % EVERY ~= 1 then return end
  local a, b, t = {}, {}, tickNumber()
  for i = 1, 255 do a[i], b[i] = t * 40000000000 + i * 65537, t * 40000000000 + (i + 255) * 65537 end
  self.a, self.b = a, b
end
function onStart()
  for i = 1, 40 do spawn("Mote", { x = i - 20, y = (i % 5) * 3 - 6 }) end
  for i = 1, 3 do spawn("Wide", { x = 4 * i, y = 9 }) end
end
`

// rateOfMotes plays motes, and returns how many of their states a client shows. Wide objects change after so many
// ticks; 0: never. changes is how many of these changes it shows.
func rateOfMotes(t *testing.T, line memlink.Profile, every int) (states, changes int) {
	t.Helper()
	b := shooterBundle(strings.ReplaceAll(motes, "EVERY", fmt.Sprint(max(every, 1_000_000*one(every == 0)))))
	b.Rules.Snapshots.Bytes = 250 // not even all small objects have room
	sim := simtest.New(t, simtest.Options{Seed: 31, Clients: 1, Profile: line, Compile: compile, Bundle: b})
	sim.Run(4 * time.Second)
	var v room.View
	shown := map[world.ObjectID]float64{}
	for end := sim.Now + draws.Pick(4*time.Second, 15*time.Second); sim.Now < end; {
		sim.Run(simtest.PollEvery)
		sim.Clients[0].View(&v)
		for i := range v.Bodies {
			b := &v.Bodies[i]
			field, count := "at", &states
			if b.Class == "Wide" {
				field, count = "a[1]", &changes
			}
			if n, err := b.Fields().Number(field); err == nil && n != shown[b.ID] {
				shown[b.ID] = n
				*count++
			}
		}
	}
	sim.Drain()
	sim.AgreeOnHashes()
	return states, changes
}

// TestSmallObjectsKeepTheirRate tests that small objects are sent nearly as often while others change 512 words.
func TestSmallObjectsKeepTheirRate(t *testing.T) {
	onLines(t, "average", func(t *testing.T, line memlink.Profile) {
		alone, none := rateOfMotes(t, line, 0)
		beside, changes := rateOfMotes(t, line, 150)
		t.Logf("%d states of small objects, and %d beside %d changes", alone, beside, changes)
		if none > 3 || changes < 3 || alone < 2000 || float64(beside) < 0.9*float64(alone) {
			t.Errorf("%d states of small objects are shown, and %d beside %d changes (%d in a room without)", alone, beside, changes, none)
		}
	})
}
