package space

import (
	"errors"
	"fmt"

	"github.com/hindcast/hindcast/world/physics"
)

// ErrID is returned for an id that names no body, joint or Def: it is 0, what it named was
// removed, or it is not of this Space.
var ErrID = errors.New("bad id")

// DefID names a Def of a Space. 0 names none.
type DefID uint32

// Space is a world of rigid bodies. New makes one.
type Space struct {
	now     content
	solver  physics.Solver
	events  Events
	stepped bool // nothing has changed since the last Step
}

// content is all of a Space that Save keeps.
type content struct {
	state     physics.State
	params    physics.Params
	bodies    roster
	lastJoint uint64 // the greatest key that a joint got
	defs      []physics.Def
	meant     [][]physics.FindingKind // by Def
}

// New returns a Space without bodies. It refuses Params that physics.CheckParams finds
// something wrong with.
func New(p physics.Params) (*Space, error) {
	if err := refuse("params", physics.CheckParams(p)); err != nil {
		return nil, err
	}
	return &Space{now: content{params: p}}, nil
}

// Load returns a Space with a copy of a flat state, such as one that was read from a file.
// It refuses what physics.Check finds wrong, except findings of the kinds in meant. The
// DefID of defs[i] is i + 1.
func Load(state *physics.State, defs []physics.Def, p physics.Params, meant ...physics.FindingKind) (*Space, error) {
	if err := refuse("", unmeant(physics.Check(state, defs, p), meant)); err != nil {
		return nil, err
	}
	s := &Space{now: content{params: p}}
	s.now.state.CopyFrom(state)
	s.now.bodies.read(s.now.state.Bodies)
	for i := range state.Joints {
		s.now.lastJoint = max(s.now.lastJoint, state.Joints[i].Key)
	}
	for i := range defs {
		s.now.defs = append(s.now.defs, defs[i])
		s.now.meant = append(s.now.meant, meant)
	}
	return s, nil
}

// AddDef prepares a Def and adds it. It refuses what Def.Prepare refuses and what
// physics.CheckDef finds wrong. Pass physics.Weightless or physics.Untouchable if bodies
// of this Def are meant to have no weight or no contacts.
func (s *Space) AddDef(d physics.Def, meant ...physics.FindingKind) (DefID, error) {
	where := fmt.Sprintf("def %d", len(s.now.defs)+1)
	if s.now.params == (physics.Params{}) {
		return 0, fmt.Errorf("%s: the Space has no Params: make it with New", where)
	}
	if err := d.Prepare(); err != nil {
		return 0, fmt.Errorf("%s: %w", where, err)
	}
	if err := refuse(where, unmeant(physics.CheckDef(&d, s.now.params), meant)); err != nil {
		return 0, err
	}
	s.now.defs = append(s.now.defs, d)
	s.now.meant = append(s.now.meant, append([]physics.FindingKind(nil), meant...))
	return DefID(len(s.now.defs)), nil
}

// SetParams changes the parameters of later steps. It refuses what New refuses, and
// gravity if bodies of a Def have no weight although the Def was not added as
// physics.Weightless. If gravity changes, all bodies wake.
func (s *Space) SetParams(p physics.Params) error {
	if err := refuse("params", physics.CheckParams(p)); err != nil {
		return err
	}
	for i := range s.now.defs {
		found := unmeant(physics.CheckDef(&s.now.defs[i], p), s.now.meant[i])
		if err := refuse(fmt.Sprintf("def %d", i+1), found); err != nil {
			return err
		}
	}
	if p.GravityX != s.now.params.GravityX || p.GravityY != s.now.params.GravityY {
		for slot := range s.now.state.Bodies {
			s.now.state.Bodies[slot].Wake()
		}
	}
	s.now.params = p
	s.stepped = false
	return nil
}

// Step moves all bodies through Params.DT seconds, and makes the Events of the step.
func (s *Space) Step() {
	n := &s.now
	s.solver.Step(&n.state, n.defs, n.params)
	s.events.read(&s.solver, n)
	n.bodies.forgetRemoved()
	s.stepped = true
}

// Hash returns the hash of the State: equal on all machines after the same calls.
func (s *Space) Hash() uint64 { return s.now.state.Hash() }

// Flat returns the data of package physics. The index of a Def is its DefID less 1. The
// State is the Space's own: a body that is put in or taken out by hand has no id. Defs must
// not be changed.
func (s *Space) Flat() (*physics.State, []physics.Def, physics.Params) {
	return &s.now.state, s.now.defs, s.now.params
}

// Record records the last Step in t, so that physics.Solver.StepPart can repeat it in
// part. It is an error to call it when something was added, changed, removed or restored
// since.
func (s *Space) Record(t *physics.Trace) error {
	if !s.stepped {
		return errors.New("record: the Space has changed since the last Step: call Record right after Step")
	}
	s.solver.Record(&s.now.state, t)
	return nil
}

// Must returns v, or panics with err if there is one. It is for worlds that are written
// in code, where an error is a mistake in the program.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// unmeant returns the findings of kinds that are not meant.
func unmeant(found []physics.Finding, meant []physics.FindingKind) (left []physics.Finding) {
	for _, f := range found {
		is := false
		for _, kind := range meant {
			is = is || kind == f.Kind && kind != physics.Ignored
		}
		if !is {
			left = append(left, f)
		}
	}
	return left
}

// refuse makes an error of findings, nil if there are none. If where is given it is
// the place of all.
func refuse(where string, found []physics.Finding) error {
	var all []error
	for _, f := range found {
		if where != "" {
			f.Where = where
		}
		all = append(all, f)
	}
	return errors.Join(all...)
}
