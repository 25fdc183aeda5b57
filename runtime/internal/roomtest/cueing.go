package roomtest

import (
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/world"
)

// cueing is the stub with cues that depend on the world: on positions of ships,
// contacts, and joins.
type cueing struct{ world.Script }

// CompileCueing is a world.Compile of the stub with cues that depend on the world.
func CompileCueing(files []world.Source, setup world.Setup) (world.Script, error) {
	s, err := stub.Compile(files, setup)
	return &cueing{s}, err
}

func (s *cueing) Call(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	if err := s.Script.Call(w, h, slot, a); err != nil {
		return err
	}
	b := w.State().Body(slot)
	at := []world.CueField{{Name: "x", Number: b.X}, {Name: "y", Number: b.Y}}
	switch h {
	case world.OnJoin:
		return w.Cue("hello", world.CueAll, world.CuePredicted, 0, nil)
	case world.OnContact:
		if b.X > 0 {
			return w.Cue("bump", world.CueOthers, world.CuePredicted, 0, at)
		}
		return w.Cue("bump", world.CueAll, world.CuePredicted, 0, at)
	case world.ApplyInput:
		if w.State().Tick%4 != 0 || b.VX < 0.2 {
			return nil
		}
		if w.State().Tick%20 == 0 && b.VY > 0 { // too seldom to count as moved
			if err := w.Cue("puff", world.CueAll, world.CuePredicted, 0, at); err != nil {
				return err
			}
		}
		if err := w.Cue("dust", world.CueOwner, world.CuePredicted, 0, at); err != nil {
			return err
		}
		return w.Cue("flag", world.CueAll, world.CueConfirmed, 0, at)
	}
	return nil
}
