package main

import (
	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/memlink"
)

// line simulates a bad network between one player and the host, which may change while they play. Only
// the driving goroutine touches it while a client runs.
type line struct {
	profile  memlink.Profile
	seed     uint64
	up, down *memlink.Shaper // of the present link; nil: before the first one
}

// options returns the options of a new link over the line. A line that is perfect and stays so costs nothing.
func (l *line) options(o kcplink.Options, stays bool) kcplink.Options {
	if l.profile == (memlink.Profile{}) && stays {
		return o
	}
	l.up, l.down = memlink.NewShaper(l.profile, l.seed), memlink.NewShaper(l.profile, l.seed+7919)
	o.Up, o.Down = l.up, l.down
	return o
}

// name returns what the line is, as for -net.
func (l *line) name() string { return l.profile.String() }

// LineShape is the line in numbers, for sliders.
type LineShape struct {
	Delay  float64 `json:"delay"`  // ms
	Jitter float64 `json:"jitter"` // ms
	Loss   float64 `json:"loss"`   // %
	Rest   string  `json:"rest"`   // what else it does, as for -net
}

// shape returns the line in numbers.
func (l *line) shape() LineShape {
	rest := l.profile
	rest.Delay, rest.Jitter, rest.Loss = 0, 0, 0
	s := LineShape{
		Delay:  float64(l.profile.Delay) / 1e6,
		Jitter: float64(l.profile.Jitter) / 1e6,
		Loss:   100 * l.profile.Loss,
	}
	if rest != (memlink.Profile{}) {
		s.Rest = rest.String()
	}
	return s
}

// describe notes the line for the page.
func (l *line) describe(s *pageSettings) { s.Line, s.LineShape = l.name(), l.shape() }

// change makes it another line, by a name as for -net. Packets on their way arrive as before.
func (l *line) change(name string) error {
	profile, err := memlink.ParseProfile(name)
	if err != nil {
		return err
	}
	l.profile = profile
	if l.up != nil {
		l.up.SetProfile(profile)
		l.down.SetProfile(profile)
	}
	return nil
}
