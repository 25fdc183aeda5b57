package runtime

import "github.com/hindcast/hindcast/world"

// published is what the Frames of a program were told last.
type published struct {
	shown   world.Tick // the present
	changed bool       // it is another since
}

// restore tells that the client has gone back to s.
func (p *published) restore(f Frames, s *world.State) {
	if f != nil {
		p.changed = true
		f.RestoreFrame(s)
	}
}

// finalize tells what the present is, if it is another than when it was told last.
func (p *published) finalize(f Frames, s *world.State) {
	if f == nil || !p.changed && p.shown == s.Tick {
		return
	}
	p.changed, p.shown = false, s.Tick
	f.FinalizeFrame(s)
}
