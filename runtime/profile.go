package runtime

import (
	"time"

	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// HookProfile is what the runs of one hook of a class have cost, those of all
// its objects together. What an onSpawn costs counts for the hook that
// spawned, if one did.
type HookProfile struct {
	Calls        int     `json:"calls"`        // in ticks run for the first time
	Reruns       int     `json:"reruns"`       // in ticks run again
	Instructions int64   `json:"instructions"` // of both; the same on every machine
	MS           float64 `json:"ms"`           // of both, reckoned from every 16th
}

// profile counts what hooks cost, by class and hook. It reaches nothing of the
// simulation.
type profile struct {
	watch   func() time.Duration // nil: time is not taken
	classes map[string]*classProfile
}

// classProfile counts the hooks of a class by hook; calls of the host program are the last one.
type classProfile [world.HostEvent + 1]hookCount

type hookCount struct {
	calls, reruns int
	instructions  int64
	first         time.Duration // of the first calls, all of which are timed
	timed         time.Duration // of the samples after them
	samples       int
}

// timeEvery is how many calls of a hook there are for each that is timed:
// looking at the clock costs as much as a short hook. Of the first ones, which
// are the slowest, each is timed.
const timeEvery = 16

// profiled is a Script whose hooks are counted.
type profiled struct {
	world.Script
	of      *profile
	meter   world.InstructionCounter
	classes []*classProfile // by index in the schema
}

// wrap makes a script count. Classes of the same name in several bundles are
// one.
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

// Call runs a hook and counts.
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

// Unwrap returns the script that is counted.
func (s *profiled) Unwrap() world.Script { return s.Script }

// HasRelevancy and Relevant are the script's own, which does not count.
func (s *profiled) HasRelevancy() bool {
	j, ok := s.Script.(world.RelevancyHook)
	return ok && j.HasRelevancy()
}

func (s *profiled) Relevant(r world.Reader, viewer, object int) (bool, error) {
	return s.Script.(world.RelevancyHook).Relevant(r, viewer, object)
}

// report returns the profile by the names of classes and hooks; nil for an empty one.
func (p *profile) report() map[string]map[string]HookProfile {
	var out map[string]map[string]HookProfile
	// order: they go into another map
	for name, c := range p.classes {
		hooks := map[string]HookProfile{}
		for h := range world.HostEvent + 1 {
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
