package main

import (
	"math"
	"sync"

	gamepage "github.com/hindcast/hindcast/cmd/client/page"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/world"
)

// overlays are the parts of a client.Overlay that a browser shows over the game (F3). page/overlays.js draws them.
type overlays uint8

const (
	overlayAtHost overlays = 1 << iota
	overlayBuffer
	overlayContacts
	overlayRewind
)

// overlaysOf returns the overlays with these names.
func overlaysOf(names []string) (o overlays) {
	for _, name := range names {
		o |= map[string]overlays{"host": overlayAtHost, "buffer": overlayBuffer, "contacts": overlayContacts,
			"rewind": overlayRewind}[name]
	}
	return o
}

// overlayBoard is what browsers show over the game. Browsers' goroutines choose, and the game's goroutine asks.
type overlayBoard struct {
	mu     sync.Mutex
	chosen map[*viewer]overlays // but for those who show nothing
	memory client.Overlay       // the game's goroutine only
}

// choose notes which overlays a browser shows.
func (o *overlayBoard) choose(v *viewer, shown overlays) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.chosen == nil {
		o.chosen = map[*viewer]overlays{}
	}
	if o.chosen[v] = shown; shown == 0 {
		delete(o.chosen, v)
	}
}

// asked returns what any browser shows.
func (o *overlayBoard) asked() (all overlays) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, shown := range o.chosen {
		all |= shown
	}
	return all
}

// message returns the overlays of a client; nil: no browser shows any. moment is that of its view.
func (o *overlayBoard) message(c *client.Client, moment float64) []byte {
	asked := o.asked()
	if asked == 0 {
		return nil
	}
	c.Overlay(&o.memory)
	return asked.message(&o.memory, moment)
}

// maxOverlaid is how many entries of each kind are shown.
const maxOverlaid = 512

// pageOverlay is what is drawn over the game for those who look for causes.
type pageOverlay struct {
	T        string         `json:"t"`        // "overlay"
	Complete world.Tick     `json:"complete"` // of the ghosts that the client simulates
	Newest   world.Tick     `json:"newest"`   // of the ghosts that it receives in snapshots
	Moment   float64        `json:"moment"`   // at which interpolated objects are shown, ticks
	AtHost   [][4]float64   `json:"atHost"`   // id (53 bits, as in a label), x, y, angle
	Buffered [][4]float64   `json:"buffered"` // id, x, y, tick
	Contacts [][2]float64   `json:"contacts"` // x, y
	Rewound  overlaidRewind `json:"rewound"`
}

// overlaidRewind is what the last rewind ran again.
type overlaidRewind struct {
	From    world.Tick `json:"from"` // 0: there was none
	To      world.Tick `json:"to"`
	Whole   int        `json:"whole"` // ticks that were run again as a whole
	Objects []uint64   `json:"objects"`
}

// message returns the message about those parts of an Overlay that are asked for. moment is that of the view.
func (o overlays) message(from *client.Overlay, moment float64) []byte {
	m := pageOverlay{
		T:        "overlay",
		Complete: from.Complete,
		Newest:   from.Newest,
		Moment:   moment,
		AtHost:   [][4]float64{},
		Buffered: [][4]float64{},
		Contacts: [][2]float64{},
		Rewound:  overlaidRewind{Objects: []uint64{}},
	}
	if o&overlayAtHost != 0 {
		for _, g := range from.AtHost[:min(maxOverlaid, len(from.AtHost))] {
			m.AtHost = append(m.AtHost,
				[4]float64{overlaid(g.ID), millimetres(g.X), millimetres(g.Y), millimetres(g.Angle)})
		}
	}
	if o&overlayBuffer != 0 {
		for _, b := range from.Buffered[:min(maxOverlaid, len(from.Buffered))] {
			m.Buffered = append(m.Buffered,
				[4]float64{overlaid(b.ID), millimetres(b.X), millimetres(b.Y), float64(b.Tick)})
		}
	}
	if o&overlayContacts != 0 {
		for _, c := range from.Contacts[:min(maxOverlaid, len(from.Contacts))] {
			m.Contacts = append(m.Contacts, [2]float64{millimetres(c.At.X), millimetres(c.At.Y)})
		}
	}
	if o&overlayRewind != 0 {
		r := &from.Rewound
		m.Rewound = overlaidRewind{From: r.From, To: r.To, Whole: r.Whole, Objects: m.Rewound.Objects}
		for _, id := range r.Objects[:min(maxOverlaid, len(r.Objects))] {
			m.Rewound.Objects = append(m.Rewound.Objects, gamepage.Number(id))
		}
	}
	return gamepage.Encode(m)
}

func overlaid(id world.ObjectID) float64 { return float64(gamepage.Number(id)) }

// millimetres rounds to what can be seen.
func millimetres(v float64) float64 { return math.Round(v*1000) / 1000 }
