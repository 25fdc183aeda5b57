package simtest_test

import (
	"context"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// witness is an object that counts its ticks beside the guests.
const witness = `
Witness = object "Witness" { state = { ticks = 0 } }
function Witness:tick() self.ticks = self.ticks + 1 end
`

const (
	roomFor     = 2000      // objects
	mostHistory = 150 << 20 // bytes that a host may keep, whatever scripts do
)

// hostileGame returns a room in which a script of luabind/testdata/hostile defines the class
// X: two objects that touch from the start, and one for each player.
func hostileGame(name, text string) *bundle.Bundle {
	b := bundle.New("hostile")
	b.Setup.Objects = roomFor
	b.Setup.Spawns = []world.Spawn{{Class: "Witness", Count: 1}, {Class: "X", Count: 2}}
	b.Files = []world.Source{{Name: name, Text: text}, {Name: "witness.lua", Text: witness}}
	if name != "game.lua" {
		b.Files = append(b.Files, world.Source{Name: "game.lua", Text: "function onJoin(player) spawn('X', { owner = player }) end"})
	}
	return b
}

// listener keeps what is logged about failed hooks.
type listener struct{ lines *[]string }

func (l listener) Enabled(context.Context, slog.Level) bool { return true }
func (l listener) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l listener) WithGroup(string) slog.Handler            { return l }

func (l listener) Handle(_ context.Context, r slog.Record) error {
	if r.Level >= slog.LevelError {
		*l.lines = append(*l.lines, r.Message)
	}
	return nil
}

// A meter measures how much of the budget the hooks of a tick use.
type meter struct {
	world.Script
	t testing.TB
}

func (m meter) Call(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	err := m.Script.Call(w, h, slot, a)
	if n := w.Calls().Spent(slot); n > luabind.OrderInstructions {
		m.t.Errorf("tick %d: the hooks of %s used %d instructions", w.State().Tick, w.State().Objects[slot].ID, n)
	}
	return err
}

// TestHostileScriptsOnAHost tests that the room keeps its tick rate whatever a script
// does, that the player stays and agrees with the host, and that the log names the
// error.
func TestHostileScriptsOnAHost(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../luabind/testdata/hostile/*.lua")
	if err != nil || len(files) < 80 {
		t.Fatalf("%d hostile scripts, %v", len(files), err)
	}
	played := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, name := string(data), filepath.Base(file)
		want, _ := strings.CutPrefix(strings.SplitN(text, "\n", 3)[1], "-- expect: ")
		if strings.HasPrefix(name, "game_") {
			name = "game.lua"
		}
		if strings.HasPrefix(want, "refused: ") {
			continue // package luabind tests these
		}
		if played++; !draws.Full() && played%8 != 5 {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			playHostile(t, hostileGame(name, text), want)
		})
	}
}

func playHostile(t *testing.T, b *bundle.Bundle, want string) {
	var errors []string
	sim := simtest.New(t, simtest.Options{Seed: 1, Clients: 1, Profile: memlink.Average(), Bundle: b, Log: listener{&errors},
		Compile: func(files []world.Source, setup world.Setup) (world.Script, error) {
			s, err := compile(files, setup)
			return meter{s, t}, err
		},
		Host: func(c *host.Config) { c.Verify = false }, // scripts that use up their budgets are slow to run again
	})
	sim.RunUntil(10*time.Second, "the player plays", sim.Clients[0].Playing)
	sim.Run(250 * time.Millisecond)
	sim.Drain()
	if n := sim.AgreeOnHashes(); n < 10 {
		t.Errorf("%d ticks compared", n)
	}
	if ticks := witnessed(sim.Host); ticks != float64(sim.Host.Now()) {
		t.Errorf("the witness ran in %v of %d ticks", ticks, sim.Host.Now())
	}
	report := sim.Host.Report(sim.Now)
	if report.HistoryBytes > mostHistory {
		t.Errorf("the host's history takes %d MB", report.HistoryBytes>>20)
	}
	if strings.Contains(b.Files[0].Name, "on_one_spot") && report.Crowded < 10 {
		t.Errorf("%d ticks of %d were crowded: the script shows little", report.Crowded, report.Tick)
	}
	all := strings.Join(errors, "\n")
	switch {
	case sim.Failed() != nil:
		t.Errorf("the host failed: %v", sim.Failed())
	case want == "fine" && all != "":
		t.Errorf("failed:\n%s", all)
	case want != "fine" && !strings.Contains(all, want):
		t.Errorf("%q was to be logged, not\n%s", want, all)
	case strings.Contains(all, "internal") || strings.Contains(all, "0xc0"):
		t.Errorf("logged:\n%s", all)
	}
}

// witnessed returns how many ticks the witness counted.
func witnessed(h *host.Host) float64 {
	s := h.State()
	for _, slot := range s.Run {
		if c := &h.Schema().Classes[s.Objects[slot].Class]; c.Name == "Witness" {
			f, _ := c.Field("ticks")
			return math.Float64frombits(s.Row(int(slot)).Word(f))
		}
	}
	return -1
}
