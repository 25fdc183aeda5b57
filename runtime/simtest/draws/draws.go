package draws

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

const (
	fullVariable      = "HINDCAST_TEST_FULL"
	seedVariable      = "HINDCAST_TEST_SEED"
	uncheckedVariable = "HINDCAST_TEST_UNCHECKED"
)

// collectAt is the GOGC of tests. With the default of 100, a fifth of the CPU time of
// simulated matches goes to the garbage collector.
const collectAt = 800

// collectAbove is the size of the heap, in bytes, above which the collector runs however
// little is new: garbage that waits must not add up to more than a machine has.
const collectAbove = 512 << 20

func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(collectAbove)
	}
}

// fixed is the seed of rapid in a plain run; 0 would mean a random one.
const fixed = 1

// mostTimes bounds Until, as a multiple of the number of cases.
const mostTimes = 10

// Full reports whether tests are to run in full.
func Full() bool { return os.Getenv(fullVariable) != "" }

// Checked reports whether tests of golden hashes that take long under an emulator are to
// assert invariants as well.
func Checked() bool { return os.Getenv(uncheckedVariable) == "" }

// Pick returns full if tests are to run in full, otherwise plain.
func Pick[T any](plain, full T) T {
	if Full() {
		return full
	}
	return plain
}

// fresh reads the variable once: all tests of a process draw from one seed.
var fresh = sync.OnceValues(func() (seed uint64, ok bool) {
	switch value := os.Getenv(seedVariable); value {
	case "":
		return 0, false
	case "fresh":
		seed = 1000 + uint64(rand.Uint32()) // beyond the fixed seeds of any test
		fmt.Fprintf(os.Stderr, "%s=%d repeats this run\n", seedVariable, seed)
		return seed, true
	default:
		seed, err := strconv.ParseUint(value, 10, 64)
		if err != nil || seed == 0 {
			panic(fmt.Sprintf("%s=%q: say fresh, or a number above 0", seedVariable, value))
		}
		return seed, true
	}
})

// Seeds returns the seeds that a test with a generator of its own runs with: 1 to
// n and, if fresh draws are wanted, a few more.
func Seeds(n int) (seeds []uint64) {
	for seed := range n {
		seeds = append(seeds, uint64(seed)+1)
	}
	if seed, ok := fresh(); ok {
		for i := range max(n/4, 1) {
			seeds = append(seeds, seed+uint64(i))
		}
	}
	return seeds
}

// Check calls rapid.Check with a fixed seed. If fresh draws are wanted, it draws a quarter of the cases
// from the fixed seed, and then all of them from a fresh one. It is safe in parallel tests.
func Check(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	CheckN(t, flags().checks, property)
}

// CheckN is Check of n cases. -short divides n by five, as rapid does.
func CheckN(t *testing.T, n int, property func(*rapid.T)) {
	t.Helper()
	eachSeed(t, n, func(seed uint64, n int) { check(t, seed, n, property) })
}

// Simulated notes how many ticks and rewinds a test has simulated without package
// simtest, as attributes of the test. .ci/run and .ci/deep print the sum over all tests. Package
// simtest does the same for each match.
func Simulated(t *testing.T, ticks, rewinds int) {
	t.Attr("ticks", strconv.Itoa(ticks))
	t.Attr("rewinds", strconv.Itoa(rewinds))
}

// Until is CheckN, with the default number of cases if n is 0. While missing returns a
// text that says what the cases have not shown yet, Until draws more cases, up to ten
// times as many. Then it fails the test with that text.
func Until(t *testing.T, n int, missing func() string, property func(*rapid.T)) {
	t.Helper()
	if n == 0 {
		n = flags().checks
	}
	eachSeed(t, n, func(seed uint64, n int) { check(t, seed, n*mostTimes, enough(Short(n), missing, property)) })
	if what := missing(); what != "" {
		t.Errorf("%d cases did not show what the test is about: %s", Short(n*mostTimes), what)
	}
}

// Short returns how many of n cases are drawn: with -short a fifth.
func Short(n int) int {
	if testing.Short() {
		return n / 5
	}
	return n
}

// enough returns a property that skips the cases after n, once nothing is missing. A
// case that failed is never skipped, so that rapid can shrink it.
func enough(n int, missing func() string, property func(*rapid.T)) func(*rapid.T) {
	cases, failed := 0, false
	return func(t *rapid.T) {
		if !failed && cases >= n && missing() == "" {
			return
		}
		cases++
		defer func() {
			r := recover()
			failed = failed || t.Failed() || r != nil && !skipped(r)
			if r != nil {
				panic(r)
			}
		}()
		property(t)
	}
}

// skipped reports whether a panic of a case is rapid's way to skip it.
func skipped(r any) bool { return fmt.Sprintf("%T", r) == "rapid.invalidData" }

// repeated is the part of the cases that the fixed seed draws if a fresh one follows, as a divisor:
// the fixed ones are the same in every run.
const repeated = 4

// eachSeed calls f with the fixed seed or, if fresh draws are wanted, with a part of the cases for the
// fixed seed and all of them for the fresh one.
func eachSeed(t *testing.T, n int, f func(seed uint64, n int)) {
	t.Helper()
	seed, ok := fresh()
	if !ok {
		f(flags().seed, n)
		return
	}
	f(flags().seed, max(n/repeated, 1))
	t.Logf("%s=%d", seedVariable, seed)
	f(seed, n)
}

// rapidFlags guards the flags of rapid, which has no other settings.
var rapidFlags sync.Mutex

func check(t *testing.T, seed uint64, n int, property func(*rapid.T)) {
	t.Helper()
	rapidFlags.Lock()
	unlock := sync.OnceFunc(rapidFlags.Unlock)
	defer unlock()
	setFlag("rapid.seed", strconv.FormatUint(seed, 10))
	setFlag("rapid.checks", strconv.Itoa(n))
	rapid.Check(t, func(t *rapid.T) {
		unlock() // rapid has read the flags
		property(t)
	})
}

func setFlag(name, value string) {
	if err := flag.Set(name, value); err != nil {
		panic(err)
	}
}

// defaults are the flags of rapid on the command line.
type defaults struct {
	seed   uint64
	checks int
}

// flags reads the command line before check changes the flags.
var flags = sync.OnceValue(func() defaults {
	d := defaults{seed: flag.Lookup("rapid.seed").Value.(flag.Getter).Get().(uint64),
		checks: flag.Lookup("rapid.checks").Value.(flag.Getter).Get().(int)}
	if d.seed == 0 {
		d.seed = fixed
	}
	return d
})
