package runtime

import "github.com/hindcast/hindcast/world"

// published is what the Frames of a program were last called with.
type published struct {
	shown   world.Tick // the present
	changed bool       // it has changed since
}

// restore reports that the client has rewound to s.
func (p *published) restore(f Frames, s *world.State) {
	if f != nil {
		p.changed = true
		f.RestoreFrame(s)
	}
}

// finalize reports the present s, if it changed since the last report.
func (p *published) finalize(f Frames, s *world.State) {
	if f == nil || !p.changed && p.shown == s.Tick {
		return
	}
	p.changed, p.shown = false, s.Tick
	f.FinalizeFrame(s)
}
