package client_test

import (
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/simtest"
)

// TestOverlay tests that a predictor's ghosts are where the host had the bodies, that its contacts are between bodies
// of its view, and that rewinds say what they ran again. A spectator's ghosts are its newest samples.
func TestOverlay(t *testing.T) {
	t.Parallel()
	for _, kind := range []client.Kind{client.Predictor, client.Spectator} {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			o := roomtest.Options(1, 3, memlink.Average())
			o.Client = func(i int, c *client.Config) {
				if i == 0 {
					c.Kind, c.Verify = kind, false
				}
			}
			sim := simtest.New(t, o)
			var over client.Overlay
			rewound, touched, compared := false, false, 0
			for range 60 {
				sim.Run(100 * time.Millisecond)
				sim.Clients[0].Overlay(&over)
				rewound = rewound || over.Rewound.From > 0 && over.Rewound.To >= over.Rewound.From && (len(over.Rewound.Objects) > 0 || over.Rewound.Whole > 0)
				touched = touched || len(over.Contacts) > 0
				compared += checkAtHost(t, sim, &over, map[client.Kind]float64{client.Predictor: 1e-9, client.Spectator: 0.2}[kind])
			}
			predicts := kind == client.Predictor
			if compared < 50 || rewound != predicts || touched != predicts || (len(over.Buffered) > 0) == predicts {
				t.Errorf("%d ghosts compared, %d samples, a rewind: %v, contacts: %v", compared, len(over.Buffered), rewound, touched)
			}
		})
	}
}

// checkAtHost compares ghosts with the states that the host keeps, and returns how many it compared. A snapshot can be of a
// state that a late input changes.
func checkAtHost(t *testing.T, sim *simtest.Sim, over *client.Overlay, most float64) (compared int) {
	t.Helper()
	for _, g := range over.AtHost {
		s := sim.Host.StateAt(g.Tick)
		if s == nil {
			continue
		}
		slot, ok := s.Find(g.ID)
		if !ok {
			t.Errorf("%s is a ghost, and the host did not have it in tick %d", g.ID, g.Tick)
			continue
		}
		compared++
		if b := s.Body(slot); math.Hypot(b.X-g.X, b.Y-g.Y) > most {
			t.Errorf("the ghost of %s is at %.2f %.2f, the host had it at %.2f %.2f in tick %d", g.ID, g.X, g.Y, b.X, b.Y, g.Tick)
		}
	}
	return compared
}

// TestOverlayEnds tests that rewinds note what they run again until nobody has asked for an overlay for a second.
func TestOverlayEnds(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(1, 3, memlink.Average())
	o.Client = func(_ int, c *client.Config) { c.Verify = false }
	sim := simtest.New(t, o)
	sim.Run(2 * time.Second)
	var over client.Overlay
	noted := func() bool {
		sim.Clients[0].Overlay(&over)
		return len(over.Rewound.Objects) > 0 || over.Rewound.Whole > 0
	}
	noted()
	for range 3 {
		sim.Run(800 * time.Millisecond)
		if from := over.Rewound.From; !noted() || over.Rewound.From == from {
			t.Errorf("while overlays are asked for: %+v", over.Rewound)
		}
	}
	from := over.Rewound.From
	sim.Run(3 * time.Second)
	if noted() || over.Rewound.From <= from+60 {
		t.Errorf("after three seconds without an overlay: %+v", over.Rewound)
	}
}
