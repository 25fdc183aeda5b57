package runtime

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// HookProfile has the costs of one hook of a class, for all its objects together. The
// cost of an onSpawn counts for the hook that spawned the object, if a hook did.
type HookProfile struct {
	Calls        int     `json:"calls"`        // calls in ticks that were run for the first time
	Reruns       int     `json:"reruns"`       // calls in ticks that were run again
	Instructions int64   `json:"instructions"` // of both; the same on every machine
	MS           float64 `json:"ms"`           // milliseconds of both, estimated from every 16th call
}

// profile counts the costs of hooks, by class and hook. It does not affect the
// simulation.
type profile struct {
	watch   func() time.Duration // nil: times are not measured
	classes map[string]*classProfile
}

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
	of      *profile
	meter   world.InstructionCounter
	classes []*classProfile // by index in the schema
}

// wrap returns a script that counts. Classes of the same name in several bundles count
// as one.
func (p *profile) wrap(s world.Script) world.Script {
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
		return world.Value{}, fmt.Errorf("%s.%s: the script has no functions that show fields", c.Name, c.Fields[field].Name)
	}
	return f.ShowField(c, field, a, b, part)
}

// report returns the profile by the names of classes and hooks; nil for an empty one.
func (p *profile) report() map[string]map[string]HookProfile {
	var out map[string]map[string]HookProfile
	// order: the entries go into another map
	for name, c := range p.classes {
		hooks := map[string]HookProfile{}
		for h := range world.HookKinds {
			if n := c[h]; n.calls+n.reruns > 0 {
				hooks[h.String()] = n.report()
			}
		}
		if len(hooks) > 0 {
			if out == nil {
				out = map[string]map[string]HookProfile{}
			}
			out[name] = hooks
		}
	}
	return out
}

func (n *hookCount) report() HookProfile {
	ms := float64(n.first.Seconds() * 1000)
	if n.samples > 0 {
		ms += float64(n.timed.Seconds() * 1000 / float64(n.samples) * float64(n.calls+n.reruns-timeEvery))
	}
	return HookProfile{Calls: n.calls, Reruns: n.reruns, Instructions: n.instructions, MS: stats.Round(ms)}
}
