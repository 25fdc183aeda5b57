package goscript

// What the functions that hooks call may cost: 1 for reading or changing an object,
// 100 for a query, a spawn, a joint or a cue, and 1 for each object that a query
// finds. It is the same on every machine. What a hook computes by itself is not
// counted.
const (
	// HookBudget is the limit of one hook, with the OnSpawn hooks that run within it.
	HookBudget = 100_000
	// OrderBudget is the limit of all hooks of one object in one order of a tick.
	OrderBudget = 4 * HookBudget
	// RelevantBudget is the limit of Relevant and Predicted for one answer.
	RelevantBudget = 10_000
)

// Costs of calls that look further than at one object.
const (
	queryCost = 100
	spawnCost = 100
	cueCost   = 100
	printCost = 100
	moveCost  = 1000
)

// budget counts down the instructions of a hook.
type budget struct {
	left int64
	at   place // where it was used up
}

func (b *budget) begin(left int64) { *b = budget{left: left} }

// used returns the used part of the budget that begin set.
func (b *budget) used(of int64) int64 { return of - max(b.left, 0) }

// spent reports whether the hook has used more than it may, and where. A hook that
// recovers from the failure cannot hide it.
func (b *budget) spent() (spent bool, at place) { return b.left < 0, b.at }

// charge pays for the work that a function is about to do.
func (b *budget) charge(n int) {
	if b.left -= int64(n); b.left < 0 {
		b.at = caller()
		panic(spentBudget)
	}
}

const spentBudget = failure("the hook used up its budget of calls; is there a loop that does not end?")
