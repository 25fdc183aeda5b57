package rules

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/bundle"
)

// A fact is a number of a page that is a constant of the code.
type fact struct {
	page  string
	says  string // words of the page, in which white space counts as one space
	name  string // of the constant; if several packages have one of that name, any of them
	value any    // an int, a float64 or a time.Duration
}

// facts are the numbers of the pages that are constants. Defaults of game.toml
// are checked in package scripts, figures of the physics in world/physics.
var facts = []fact{
	{"docs/scripting.md", "may use 100,000 instructions", "HookInstructions", 100_000},
	{"docs/scripting.md", "create 1 MiB of tables and strings", "HookMemory", 1 << 20},
	{"docs/scripting.md", "one order may use 400,000 instructions", "OrderInstructions", 400_000},
	{"docs/scripting.md", "Loading all files may take 2,000,000 instructions", "loadInstructions", 2_000_000},
	{"docs/scripting.md", "and 16 MiB. A file", "loadMemory", 16 << 20},
	{"docs/scripting.md", "A file has at most 64 KiB", "MaxFileBytes", 64 << 10},
	{"docs/scripting.md", "is nested at most 100 deep", "maxNesting", 100},
	{"docs/scripting.md", "chains at most 220 operators", "maxTreeDepth", 220},
	{"docs/scripting.md", "Calls nest at most 160 deep", "callDepth", 160},
	{"docs/scripting.md", "fields of a class together take at most 512 words", "MaxRow", 512},
	{"docs/scripting.md", "at most that many bytes, up to 64", "MaxString", 64},
	{"docs/scripting.md", "A game has at most 64 layers", "MaxLayers", 64},
	{"docs/scripting.md", "at most 256 items", "maxItems", 256},
	{"docs/scripting.md", "may ask for 16 cues per tick", "MaxCues", 16},
	{"docs/scripting.md", "A cue costs 100 instructions", "cueCost", 100},
	{"docs/scripting.md", "up to 15 ticks earlier or later", "cueNear", 15},
	{"docs/scripting.md", "every 15 ticks", "answerHold", 15},
	{"docs/scripting.md", "makes at most 4,096 calls per tick", "maxCalls", 4096},
	{"docs/scripting.md", "only when it is a tenth further away", "leaveFactor", 1.1},
	{"docs/scripting.md", "more than 32 revisions", "mostRevised", 32},
	{"docs/scripting.md", "After eight failures in a row", "FaultLimit", 8},
	{"docs/scripting.md", "for how many 64ths of the tick", "PressParts", 64},
	{"docs/scripting.md", "per second, 4 to 128", "MinSnapshotRate", 4},
	{"docs/scripting.md", "per second, 4 to 128", "MaxSnapshotRate", 128},
	{"docs/scripting.md", "most bytes in one, 100 to 1100", "MinSnapshotBytes", 100},
	{"docs/scripting.md", "most bytes in one, 100 to 1100", "MaxSnapshotBytes", 1100},
	{"docs/scripting.md", "plus at most a quarter of a second that was saved up", "frameCredit", 4},
	{"docs/architecture.md", "holds at most a quarter of a second", "frameCredit", 4},
	{"docs/architecture.md", "has not run after 2 s is given up", "frameWait", 2},
	{"docs/architecture.md", "for at most 16 ticks", "MaxInputs", 16},
	{"docs/architecture.md", "100 ms at first", "firstDelay", 100 * time.Millisecond},
	{"docs/architecture.md", "up to 600 ms", "mostDelay", 600 * time.Millisecond},
	{"docs/architecture.md", "goes on at its velocity for at most 500 ms", "mostExtrapolation", 500 * time.Millisecond},
	{"docs/architecture.md", "An object that is moved by more than 3 m", "decaySnap", 3.0},
	{"docs/architecture.md", "after 0.2 s half of it is left", "decayRate", 9.0},
	{"docs/architecture.md", "at most 4,096 times per tick", "maxCalls", 4096},
	{"docs/architecture.md", "after ten seconds without debt", "calmTime", 10 * time.Second},
	{"docs/architecture.md", "exceeds one second's share", "overdraft", time.Second},
	{"docs/architecture.md", "the last twelve reports", "shortAfter", 12},
	{"docs/architecture.md", "nothing becomes complete for 3 s", "stuckTime", 3 * time.Second},
	{"docs/architecture.md", "acknowledges nothing for 15 s", "ackLimit", 15 * time.Second},
	{"docs/architecture.md", "After 8 failures in a row", "FaultLimit", 8},
	{"docs/architecture.md", "16,384 objects", "MaxObjects", 16384},
	{"docs/architecture.md", "128 players", "MaxPlayers", 128},
	{"docs/architecture.md", "steers at most 64 objects", "MaxRuns", 64},
	{"docs/architecture.md", "the state of every fourth tick", "keepEvery", 4},
	{"docs/architecture.md", "in 64ths of a tick", "ViewParts", 64},
	{"docs/scripting.md", "may spawn 64 others per tick", "MaxSpawns", 64},
	{"docs/architecture.md", "spawn 64 others per tick", "MaxSpawns", 64},
	{"docs/architecture.md", "and 64 per contact", "ContactBytes", 64},
	{"docs/scripting.md", "`relevant` may use 10,000 instructions", "RelevantInstructions", 10_000},
	{"docs/scripting.md", "may use 10,000 instructions per cue", "ViewInstructions", 10_000},
	{"docs/scripting.md", "may use 500 instructions for one value", "ShowInstructions", 500},
	{"docs/scripting.md", "at most 1,000 values are shown", "maxShown", 1000},
	{"docs/scripting.md", "(of at most 512 bytes)", "MaxValueText", 512},
	{"net/wire/PROTOCOL.md", "at most 20 Chats at once", "mostChats", 20},
	{"net/wire/PROTOCOL.md", "one more each 500 ms", "chatEvery", 500 * time.Millisecond},
	{"net/wire/PROTOCOL.md", "at most 16 other messages", "mostRequests", 16},
	{"net/wire/PROTOCOL.md", "and one more each second", "requestEvery", time.Second},
	{"net/wire/PROTOCOL.md", "the first 12 every 25 ms", "firstPings", 12},
	{"net/wire/PROTOCOL.md", "the first 12 every 25 ms", "pingFirst", 25 * time.Millisecond},
	{"docs/glossary.md", "100 ms at first", "firstDelay", 100 * time.Millisecond},
	{"docs/glossary.md", "at its velocity for 500 ms", "mostExtrapolation", 500 * time.Millisecond},
	{"docs/physics.md", "at least eight times its own mass", "heavyRatio", 8.0},
	{"docs/physics.md", "They are visited six times", "burdenVisits", 6},
	{"docs/physics.md", "half as far again as it aims", "burdenHaste", 1.5},
	{"docs/physics.md", "that is 65,536", "MaxPairs", 65536},
	{"docs/physics.md", "within 3.1 radians", "MaxHingeLimit", 3.1},
	{"docs/replay.md", "Every two seconds a block has a keyframe", "keyframeSeconds", 2},
}

// TestNumbersInPages compares facts with the pages and the code.
func TestNumbersInPages(t *testing.T) {
	r := openRepo(t)
	values := map[string][]constant.Value{}
	for _, p := range loadModule(t) {
		for _, name := range p.pkg.Scope().Names() {
			if c, ok := p.pkg.Scope().Lookup(name).(*types.Const); ok {
				values[name] = append(values[name], c.Val())
			}
		}
	}
	pages := map[string]string{}
	for _, p := range r.readPages(t) {
		pages[p.file] = strings.Join(strings.Fields(strings.Join(p.lines, " ")), " ")
	}
	for _, f := range facts {
		if !strings.Contains(pages[f.page], f.says) {
			t.Errorf("%s does not say %q any more: take it from the list, or say it", f.page, f.says)
		}
		is := func(v constant.Value) bool {
			return v.Kind() != constant.String && v.Kind() != constant.Bool && constant.Compare(v, token.EQL, valueOf(f.value))
		}
		switch all := values[f.name]; {
		case len(all) == 0:
			t.Errorf("%s says %q, but there is no constant %s", f.page, f.says, f.name)
		case !slices.ContainsFunc(all, is):
			t.Errorf("%s says %q, but %s is %v", f.page, f.says, f.name, all)
		}
	}
}

// TestDefaultsInPages compares the pages with the rules of a game that says
// nothing. The game.toml of docs/scripting.md is checked in package scripts.
func TestDefaultsInPages(t *testing.T) {
	rules, setup := bundle.DefaultRules(), bundle.DefaultSetup()
	for _, c := range []struct {
		page, says string
		is, want   time.Duration
	}{
		{"README.md", "up to 400 ms back", rules.MaxRewind, 400 * time.Millisecond},
		{"docs/architecture.md", "the history is 26 ticks", time.Duration(setup.TickRate)*rules.MaxRewind + 2*time.Second, 26 * time.Second},
		{"docs/architecture.md", "20 times a second unless", time.Duration(rules.Snapshots.Rate), 20},
	} {
		i := slices.IndexFunc(openRepo(t).readPages(t), func(p page) bool {
			return p.file == c.page && strings.Contains(strings.Join(strings.Fields(strings.Join(p.lines, " ")), " "), c.says)
		})
		if i < 0 || c.is != c.want {
			t.Errorf("%s says %q, or did: the rules have %v", c.page, c.says, c.is)
		}
	}
}

func valueOf(v any) constant.Value {
	switch v := v.(type) {
	case int:
		return constant.MakeInt64(int64(v))
	case time.Duration:
		return constant.MakeInt64(int64(v))
	case float64:
		return constant.ToFloat(constant.MakeFromLiteral(fmt.Sprint(v), token.FLOAT, 0))
	}
	return constant.MakeUnknown()
}

var rxTestName = regexp.MustCompile(`(?:^|[^.\w])((?:Test|Fuzz|Benchmark|Example)[A-Z]\w+)`)

// TestTestsInPages: tests that a page names are there. A page may shorten a name.
func TestTestsInPages(t *testing.T) {
	r := openRepo(t)
	var all []string
	// order: they are searched
	for _, names := range r.testNames(t) {
		all = append(all, names...)
	}
	var found []finding
	for _, p := range r.readPages(t) {
		for i, line := range p.lines {
			for _, m := range rxTestName.FindAllStringSubmatch(line, -1) {
				name := m[1]
				if !slices.ContainsFunc(all, func(test string) bool { return strings.HasPrefix(test, name) }) {
					found = append(found, p.say(i, "there is no test %s", name))
				}
			}
		}
	}
	report(t, found)
}
