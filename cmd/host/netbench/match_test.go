package netbench

import (
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"

	_ "github.com/hindcast/hindcast/runtime/simtest/draws" // collects garbage less often
)

func line(p memlink.Profile) Line { return Line{Name: p.String(), Profile: p} }

func scene(t *testing.T, name string) Scene {
	t.Helper()
	for _, s := range Scenes() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no scene %s", name)
	return Scene{}
}

// TestScenesAreMeasured: a short match of each scene has what its figures are made of.
func TestScenesAreMeasured(t *testing.T) {
	for _, s := range Scenes() {
		t.Run(s.Name, func(t *testing.T) {
			s.players, s.loose = min(s.players, 8), min(s.loose, 80) // that it is large is not what is looked at
			if s.act != nil {
				s.players, s.predicting = 3, 3
			}
			r, err := Measure(t.Context(), s, line(memlink.Bad()), 3*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			r.Print(&out)
			t.Log(out.String())
			if r.Mismatched > 0 || r.Down["headers"] < 1000 || r.Up["inputs"] < 100 || r.JoinBytes < 1000 {
				t.Errorf("%+v", r)
			}
			if s.predicting > 0 && (r.Compared < 100*s.predicting || r.OwnTicks < 100*s.predicting || r.RemoteError.Max == 0 || s.Name != "net-walkers" && (r.Inputs.LateRewound == 0 || r.Down["log again"] < 10)) {
				t.Errorf("of those who predict: %+v", r)
			}
			if s.act != nil && (r.Cues.Shown == 0 || r.Others.P50 < 100 || r.Answered != r.Presses || len(s.counts.classes) > 0 && r.Presses < 6) {
				t.Errorf("of those who play: %+v", r)
			}
			if s.counts.hits != "" && float64(r.Hits) < 0.98*float64(r.Presses) {
				t.Errorf("%d of %d shots hit what the screen showed", r.Hits, r.Presses)
			}
			if s.carried.class != "" && (r.CarriedJump.Max == 0 || r.CarriedOff.P99 > 0.01) {
				t.Errorf("of what is carried: %+v", r)
			}
			if s.watching > 0 && (r.Stale.P50 < 150 || r.Stale.P50 > 500 || r.PerObject <= 0.1 || r.PerObject > 4) {
				t.Errorf("of those who watch: %+v", r)
			}
		})
	}
}

// TestAnUndisturbedShipIsNeverCorrected, nor shown anywhere else than where it turns out
// to have been, however bad the line is; its keys show in their own tick.
func TestAnUndisturbedShipIsNeverCorrected(t *testing.T) {
	for _, l := range Lines() {
		r, err := Measure(t.Context(), scene(t, "net-lone"), l, 3*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if r.CorrectionsPerMinute != 0 || r.OwnWrong != 0 || r.OwnTicks < 4*150 || r.InputDelay.Max != 0 || r.Mismatched != 0 {
			t.Errorf("%s: %+v", l.Name, r)
		}
	}
}

// TestMeterCountsEveryByte: its parts add up to what the line was given.
func TestMeterCountsEveryByte(t *testing.T) {
	s := scene(t, "net-bump-16")
	m := &match{scene: &s}
	var err error
	if m.bundle, err = s.bundle(); err != nil {
		t.Fatal(err)
	}
	err = m.tb.Catch(func() {
		m.open(memlink.LAN())
		m.sim.RunUntil(joinLimit, "all play", m.allPlay)
		m.play(t.Context(), 2*time.Second)
	})
	if err != nil {
		t.Fatal(err)
	}
	parts := int64(0)
	// order: a sum
	for _, n := range m.meter.down {
		parts += n
	}
	parts -= m.meter.down["headers"]
	report := m.sim.Host.Report(m.sim.Now).Bytes
	if sent := report["datagrams_out"] + report["messages_out"]; sent != parts || m.meter.packets*packetHeaders != m.meter.down["headers"] {
		t.Errorf("the host sent %d bytes, the parts are %v: %d", sent, m.meter.down, parts)
	}
}
