package simtest_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/simtest/figures"
)

// rewritten replaces texts in the script of the gallery.
func rewritten(b *bundle.Bundle, oldnew ...string) *bundle.Bundle {
	b.Files[0].Text = strings.NewReplacer(oldnew...).Replace(b.Files[0].Text)
	return b
}

// cooling is a gun that shoots every 12 ticks while Fire is down: no button goes down in the inputs in which it
// shoots.
func cooling(b *bundle.Bundle) *bundle.Bundle {
	return rewritten(b, "bare = 0 }", "bare = 0, cool = 0 }", `if input:presses("Fire") == 0 then return end`, `self.cool = self.cool - 1
  if not input.Fire or self.cool > 0 then return end
  self.cool = 12`)
}

// independent makes the gun tick independently; shoots is when it shoots.
func independent(b *bundle.Bundle, shoots string) *bundle.Bundle {
	return rewritten(b, `Gun = object "Gun" {`, `Gun = object "Gun" { ticking = "independent",`, "Gun:applyInput(input)", "Gun:simulate(input, dt)",
		"bare = 0 }", "bare = 0, cool = 0 }", `if input:presses("Fire") == 0 then return end`, shoots)
}

// coolsByDT is when a gun shoots whose cooldown is a time, and beams is when a beam does: in each frame.
const (
	coolsByDT = `self.cool = self.cool - dt
  if not input.Fire or self.cool > 0 then return end
  self.cool = 0.2`
	beams = `if not input.Fire then return end`
)

// inAgreement fails a test whose clients were confirmed with other hashes than the host's, or made datagrams that no
// link takes.
func inAgreement(t *testing.T, sim *simtest.Sim) {
	t.Helper()
	for i := range sim.Clients {
		if r := sim.Report(i); r.Confirmed.Mismatched != 0 || r.Cut.Datagrams != 0 {
			t.Errorf("client %d: %+v, %+v, %v", i, r.Confirmed, r.Cut, sim.Clients[i].Err())
		}
	}
}

// A lineRow is a row of docs/benchmarks.md with a cell for each line.
type lineRow struct {
	mu    sync.Mutex
	cells map[string]*[4]string // by row
}

// newLineRow returns a row that is checked, or written, when the test ends.
func newLineRow(t *testing.T) *lineRow {
	r := &lineRow{cells: map[string]*[4]string{}}
	t.Cleanup(func() {
		for what, cells := range r.cells {
			if draws.Full() && !slices.Contains(cells[:], "") {
				figures.Row(t, "benchmarks.md", what, cells[:]...)
			}
		}
	})
	return r
}

// note notes the hits on a line.
func (r *lineRow) note(what string, line memlink.Profile, n *galleryResult) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cells[what] == nil {
		r.cells[what] = new([4]string)
	}
	for i, name := range []string{"off", "average", "bad", "awful"} {
		if p, err := memlink.ParseProfile(name); err == nil && p == line {
			r.cells[what][i] = fmt.Sprintf("%.0f %% (%.0f %%)", 100*float64(n.hits)/float64(n.shots), 100*float64(n.bare)/float64(n.shots))
		}
	}
}

// TestHeldFireHitsWhatIsDrawn plays with a gun that fires while a button is down, with input delays.
func TestHeldFireHitsWhatIsDrawn(t *testing.T) {
	row := newLineRow(t)
	onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
		for _, delay := range draws.Pick([]int{6}, []int{0, 1, 6, 30}) {
			sim, n := playShooter(t, &snipes{from: 240, holds: true}, cooling(galleryBundle("predict", 12, "true")), line, line, func(cfg *client.Config) { cfg.Prediction.InputDelay = delay })
			if n.missed() || line.Delay > 0 && delay <= 6 && n.bare > n.shots*7/8 {
				t.Errorf("input delay %d: %+v", delay, n)
			}
			row.note(fmt.Sprintf("held fire: an input delay of %d ticks", delay), line, &n)
			inAgreement(t, sim)
		}
	})
}

// TestHeldFireInIndependentFrames plays with guns that are simulated in several frames per tick, of which each can
// be the one that shoots, and with one that shoots in all of them.
func TestHeldFireInIndependentFrames(t *testing.T) {
	row := newLineRow(t)
	onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
		for _, c := range []struct{ what, shoots string }{{"in frames of 7 ms", coolsByDT}, {"a beam in frames of 7 ms", beams}} {
			b := independent(galleryBundle("predict", 12, "true"), c.shoots)
			sim, n := playShooter(t, &snipes{from: 240, holds: true}, b, line, line, func(cfg *client.Config) { cfg.FrameEvery = 7 * time.Millisecond })
			if n.missed() || line.Delay > 0 && n.bare > n.shots*7/8 {
				t.Errorf("%s: %+v", c.what, n)
			}
			row.note("held fire: "+c.what, line, &n)
			inAgreement(t, sim)
		}
	})
}

// TestASpectatorsHeldFire plays with a spectator, which runs no hooks: it cannot know in which input the gun shoots.
func TestASpectatorsHeldFire(t *testing.T) {
	row := newLineRow(t)
	onLines(t, "bad", func(t *testing.T, line memlink.Profile) {
		for _, lod := range draws.Pick([]string{"predict", "extrapolate"}, []string{"predict", "extrapolate", "interpolate"}) {
			sim, n := playShooter(t, &snipes{from: 240, holds: true}, cooling(galleryBundle(lod, 12, "true")), line, line, func(cfg *client.Config) { cfg.Kind = client.Spectator })
			if n.missed() || line.Delay > 0 && n.bare > n.shots*7/8 {
				t.Errorf("%s: %+v", lod, n)
			}
			row.note("held fire: a spectator's, "+lod, line, &n)
			inAgreement(t, sim)
		}
	})
}

// passing is a game in which two posts pass a ball every 20 ticks. The ball is drawn to move at a few m/s, and so is
// mostly drawn where it never was. The gun shoots at the ball.
const passing = `
Post = object "Post" { body = { type = "static", shape = { circle = 0.3 }, layer = "post" } }
Ball = object "Ball" { seen = true, lod = "LOD", state = { at = ref() }, body = { shape = { circle = 0.5 }, layer = "runner", collides = { "wall" } } }
function Ball:tick()
  if tickNumber() % 20 ~= 1 then return end
  local posts = objects("Post")
  local to = posts[1]
  if self.at == to then to = posts[2] end
  self:attach(to, 0, 1)
  self.at = to
end
function onStart()
  spawn("Post", { x = -1.4, y = 4 })
  spawn("Post", { x = 1.4, y = 4 })
  spawn("Ball", { x = 0, y = 4 })
end
function onJoin(player)
  if player == 1 then spawn("Gun", { owner = player, y = -10 }) end
end
`

// TestShotsAtACarriedObject shoots at a ball that is passed, and that nobody owns.
func TestShotsAtACarriedObject(t *testing.T) {
	t.Parallel()
	for _, kind := range []client.Kind{client.Predictor, client.Spectator} {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			b := galleryBundle("interpolate", 12, "true")
			b.Files[1].Text = strings.Replace(passing, "LOD", "interpolate", 1)
			_, n := playShooter(t, &snipes{from: 240, class: "Ball"}, b, memlink.Average(), memlink.Average(), func(cfg *client.Config) { cfg.Kind = kind })
			if n.missed() || n.bare > n.shots*9/10 {
				t.Errorf("%+v", n)
			}
		})
	}
}
