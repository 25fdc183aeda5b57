package rules

import (
	"go/types"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// facts are the limits of scripts, on which authors of games rely. Defaults of game.toml
// are checked in package scripts, figures of the physics in world/physics.
var facts = []struct {
	says  string // words of the page, in which white space counts as one space
	name  string // of the constant; if several packages have one of that name, any of them
	value int64
}{
	{"may use 100,000 instructions", "HookInstructions", 100_000},
	{"create 1 MiB of tables, strings and functions", "HookMemory", 1 << 20},
	{"one order may use 400,000 instructions", "OrderInstructions", 400_000},
	{"Loading all files may take 2,000,000 instructions", "loadInstructions", 2_000_000},
	{"and 16 MiB. A file", "loadMemory", 16 << 20},
	{"A file has at most 128 KiB", "MaxFileBytes", 128 << 10},
	{"is nested at most 100 deep", "maxNesting", 100},
	{"chains at most 220 operators", "maxTreeDepth", 220},
	{"Calls nest at most 1000 deep", "callDepth", 1000},
	{"of which at most 160 in a `pcall`", "innerDepth", 160},
	{"fields of a class together take at most 512 words", "MaxRow", 512},
	{"at most that many bytes, up to 64", "MaxString", 64},
	{"A game has at most 64 layers", "MaxLayers", 64},
	{"at most 256 items", "maxItems", 256},
	{"may ask for 16 cues per tick", "MaxCues", 16},
	{"makes at most 4,096 calls per tick", "maxCalls", 4096},
	{"After eight failures in a row", "FaultLimit", 8},
	{"may spawn 64 others per tick", "MaxSpawns", 64},
	{"a spawn costs 150 instructions", "spawnCost", 150},
	{"a joint 200", "jointCost", 200},
	{"a number that becomes a text 8", "numberTextCost", 8},
	{"A query costs 100", "queryCost", 100},
	{"5 more (a ray, a circle)", "rayWork", 5},
	{"12 (a box, a polygon)", "touchWork", 12},
	{"`asSeen` 10 for each object", "asSeenWork", 10},
	{"`relevant` may use 10,000 instructions", "RelevantInstructions", 10_000},
	{"may use 10,000 instructions per cue", "ViewInstructions", 10_000},
	{"may use 500 instructions for one value", "ShowInstructions", 500},
	{"at most 1,000 values are shown", "maxShown", 1000},
	{"(of at most 512 bytes)", "MaxValueText", 512},
}

// TestLimitsInPages compares facts with docs/scripting.md and the code.
func TestLimitsInPages(t *testing.T) {
	values := map[string][]string{}
	for _, p := range loadModule(t) {
		for _, name := range p.pkg.Scope().Names() {
			if c, ok := p.pkg.Scope().Lookup(name).(*types.Const); ok {
				values[name] = append(values[name], c.Val().ExactString())
			}
		}
	}
	page := strings.Join(strings.Fields(openRepo(t).read(t, "docs/scripting.md")), " ")
	for _, f := range facts {
		if !strings.Contains(page, f.says) {
			t.Errorf("docs/scripting.md does not say %q any more: take it from the list, or say it", f.says)
		}
		if !slices.Contains(values[f.name], strconv.FormatInt(f.value, 10)) {
			t.Errorf("docs/scripting.md says %q, but constants %s are %v", f.says, f.name, values[f.name])
		}
	}
}
