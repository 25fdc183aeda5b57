package side

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// Profile counts the costs of hooks, by class and hook. It does not affect the
// simulation.
type Profile struct {
	watch   func() time.Duration // nil: times are not measured
	classes map[string]*classProfile
}

// NewProfile returns an empty profile. watch measures time; nil: times are not measured.
func NewProfile(watch func() time.Duration) Profile { return Profile{watch: watch} }

// classProfile counts the hooks of a class by hook.
type classProfile [world.HookKinds]hookCount

type hookCount struct {
	calls, reruns int
	instructions  int64
	first         time.Duration // of the first calls, all of which are timed
	timed         time.Duration // of the samples after them
	samples       int
}

// timeEvery is how many calls of a hook there are for each that is timed, because
// reading the clock costs as much as a short hook. The first calls, which are the
// slowest, are all timed.
const timeEvery = 16

// profiled is a Script whose hooks are counted.
type profiled struct {
	world.Script
	of      *Profile
	meter   world.InstructionCounter
	classes []*classProfile // by index in the schema
}

// Wrap returns a script that counts. Classes of the same name in several bundles count
// as one.
func (p *Profile) Wrap(s world.Script) world.Script {
	if p.classes == nil {
		p.classes = map[string]*classProfile{}
	}
	out := &profiled{Script: s, of: p}
	out.meter, _ = s.(world.InstructionCounter)
	for _, c := range s.Schema().Classes {
		if p.classes[c.Name] == nil {
			p.classes[c.Name] = &classProfile{}
		}
		out.classes = append(out.classes, p.classes[c.Name])
	}
	return out
}

// Instructions returns the number of instructions that the last Call took; 0 if the script does not count them.
func (s *profiled) Instructions() int {
	if s.meter == nil {
		return 0
	}
	return s.meter.Instructions()
}

// Call runs a hook and counts its cost.
func (s *profiled) Call(a world.Actor, h world.Hook, slot int, args *world.Args) error {
	c := &s.classes[a.State().Objects[slot].Class][h]
	n := c.calls + c.reruns
	timed := s.of.watch != nil && (n < timeEvery || n%timeEvery == 0)
	var begin time.Duration
	if timed {
		begin = s.of.watch()
	}
	err := s.Script.Call(a, h, slot, args)
	switch {
	case timed && n < timeEvery:
		c.first += s.of.watch() - begin
	case timed:
		c.timed += s.of.watch() - begin
		c.samples++
	}
	if s.meter != nil {
		c.instructions += int64(s.meter.Instructions())
	}
	if a.Calls().Rerun() {
		c.reruns++
	} else {
		c.calls++
	}
	return err
}

// Unwrap returns the script whose hooks are counted.
func (s *profiled) Unwrap() world.Script { return s.Script }

// HasRelevancy and Relevant call the script. They are not counted.
func (s *profiled) HasRelevancy() bool {
	j, ok := s.Script.(world.RelevancyHook)
	return ok && j.HasRelevancy()
}

func (s *profiled) Relevant(r world.Reader, viewer, object int) (bool, error) {
	return s.Script.(world.RelevancyHook).Relevant(r, viewer, object)
}

// HasPrediction and Predicted call the script. They are not counted.
func (s *profiled) HasPrediction() bool {
	j, ok := s.Script.(world.PredictionHook)
	return ok && j.HasPrediction()
}

func (s *profiled) Predicted(r world.Reader, viewer, object int) (bool, error) {
	return s.Script.(world.PredictionHook).Predicted(r, viewer, object)
}

// FilterChat calls the script. It is not counted.
func (s *profiled) FilterChat(r world.Reader, p world.PlayerID, text string) (filtered string, ok bool, err error) {
	if f, has := s.Script.(world.ChatFilter); has {
		return f.FilterChat(r, p, text)
	}
	return text, true, nil
}

// ShowField calls the script. It is not counted.
func (s *profiled) ShowField(c *world.Class, field int, a, b world.Value, part float64) (world.Value, error) {
	f, ok := s.Script.(world.ShowFunctions)
	if !ok {
		return world.Value{}, fmt.Errorf("%s.%s: the script has no functions that show fields", c.Name,
			c.Fields[field].Name)
	}
	return f.ShowField(c, field, a, b, part)
}

// Report returns the profile by the names of classes and hooks; nil for an empty one.
func (p *Profile) Report() map[string]map[string]room.HookProfile {
	var out map[string]map[string]room.HookProfile
	// order: the entries go into another map
	for name, c := range p.classes {
		hooks := map[string]room.HookProfile{}
		for h := range world.HookKinds {
			if n := c[h]; n.calls+n.reruns > 0 {
				hooks[h.String()] = n.report()
			}
		}
		if len(hooks) > 0 {
			if out == nil {
				out = map[string]map[string]room.HookProfile{}
			}
			out[name] = hooks
		}
	}
	return out
}

func (n *hookCount) report() room.HookProfile {
	ms := float64(n.first.Seconds() * 1000)
	if n.samples > 0 {
		ms += float64(n.timed.Seconds() * 1000 / float64(n.samples) * float64(n.calls+n.reruns-timeEvery))
	}
	return room.HookProfile{Calls: n.calls, Reruns: n.reruns, Instructions: n.instructions, MS: stats.Round(ms)}
}
