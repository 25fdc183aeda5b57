package runtime

import "github.com/hindcast/hindcast/world"

// published is the state with which the Frames of a program were last called.
type published struct {
	frames  Frames     // may be nil
	shown   world.Tick // the present
	changed bool       // the present has changed since
}

// restore reports that the client has rewound to s.
func (p *published) restore(s *world.State) {
	if p.frames != nil {
		p.changed = true
		p.frames.RestoreFrame(s)
	}
}

// finalize reports the present s, if it changed since the last report.
func (p *published) finalize(s *world.State) {
	if p.frames == nil || !p.changed && p.shown == s.Tick {
		return
	}
	p.changed, p.shown = false, s.Tick
	p.frames.FinalizeFrame(s)
}
