package physics

// Params are the rules of a step that hold for all bodies.
type Params struct {
	DT       float64 // seconds, above 0
	GravityX float64 // m/s2
	GravityY float64 // m/s2
	Substeps int     // at least 1; 4 at 60 Hz

	// SleepAfter is how many seconds all bodies of an island must be at rest
	// before it sleeps: 0.5 is common, 0 lets no body sleep.
	SleepAfter float64

	// BounceSpeed is how fast, in m/s, two bodies must close in to bounce: 0
	// means 1.
	BounceSpeed float64

	// HitSpeed is how fast, in m/s, they must close in for Hits to report it. 0: no hits are
	// reported.
	HitSpeed float64

	// MostPairs is how many pairs of shapes a step handles: 0 means MaxPairs.
	MostPairs int
}

// stepRules are Params with their defaults, and values derived from them.
type stepRules struct {
	Params
	h     float64 // seconds of a sub-step
	check bool    // assert invariants
}

// complete fills in the defaults.
func (p Params) complete(check bool) stepRules {
	p.Substeps = max(p.Substeps, 1)
	if !(p.BounceSpeed > 0) {
		p.BounceSpeed = bounceSpeed
	}
	return stepRules{p, p.DT / float64(p.Substeps), check}
}

// steps reports whether there is a step to do.
func (r stepRules) steps() bool { return r.DT > 0 && finite(r.DT) }

// A Fetcher brings bodies of a state up to date when they are read. Keys must always be
// up to date.
type Fetcher interface {
	// Fetch is called with every slot of which StepPart is about to read the body of
	// mid, or with AllBodies.
	Fetch(slot int32)
}

// AllBodies stands for all slots in Fetcher.Fetch.
const AllBodies = -1

// Solver steps states. It holds only scratch memory: the result of a Step depends on its
// arguments alone, and a new Solver gives the same bits. It may step states of different
// worlds in turn, but not at the same time.
type Solver struct {
	// Clamped counts the bodies that the last Step held back at MaxPosition,
	// MaxSpeed or MaxSpin, or whose numbers were not finite.
	Clamped int

	// Crowded says that in the last Step more than Params.MostPairs pairs of shapes could
	// have met, and not all of them were handled.
	Crowded bool

	// Check makes the Solver assert its invariants and panic if one does not hold, for
	// tests and check mode. It costs time and allocates. States are not checked: that is
	// what the function Check is for.
	Check bool

	whole   stepper // of Step
	partial partial // of StepPart
}

// Step moves all bodies through p.DT seconds. Bodies without a Def, or whose Def was not
// prepared, stay as they are. In the steady state it allocates nothing. If p.DT is not
// above 0, Step does nothing.
func (sv *Solver) Step(s *State, defs []Def, p Params) {
	rules := p.complete(sv.Check)
	sv.whole.step(s, defs, &rules)
	sv.Clamped, sv.Crowded = sv.whole.outcome()
}

// Work is how much there was to do in a step, whatever the time that it took.
type Work struct {
	Bodies int // that the step looked at, asleep or awake
	Pairs  int // of shapes that were close enough to be compared, one of them awake
	Solved int // contacts and joints, once for each sub-step
}

// count counts a step whose pairs are found and whose sub-steps are to come.
func (w *Work) count(st *stepper, pairs, substeps int) {
	w.Bodies = len(st.bodies.outlines())
	w.Pairs = pairs
	w.Solved = (len(st.pairs.made()) + len(st.joints.joined)) * substeps
}

// Work returns how much there was to do in the last Step.
func (sv *Solver) Work() Work { return sv.whole.worked() }

// Events returns which bodies began and which ceased to touch in the last Step, each sorted by (lower
// key, higher key). The slices belong to the Solver: the next Step overwrites them.
//
// Two bodies begin to touch when they push each other or overlap. They cease when they are more than 2 cm
// apart, or when one of them was removed, so a body that trembles does not make an event in each step. A
// sensor begins with an overlap and ends 5 mm beyond.
func (sv *Solver) Events() (begins, ends []Event) {
	return sv.whole.happened().begins, sv.whole.happened().ends
}

// Hits returns the hits of the last Step, sorted likewise: contacts, new or not, whose points closed in at
// Params.HitSpeed or faster and pushed.
func (sv *Solver) Hits() []Event { return sv.whole.happened().hits }

// JointEvents returns the joints that ended in the last Step, sorted by key. The
// slice is the Solver's: the next Step overwrites it.
func (sv *Solver) JointEvents() []JointEvent { return sv.whole.happened().broken }

// Record records the last Step, which stepped s, in t. Call it before anything else
// changes s or uses the Solver.
func (sv *Solver) Record(s *State, t *Trace) {
	sv.whole.record(s, t)
	if sv.Check {
		t.check()
	}
}
