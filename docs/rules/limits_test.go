package rules

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// A fact is a number of a page that is a constant of the code.
type fact struct {
	page  string
	says  string // words of the page, in which white space counts as one space
	name  string // of the constant; if several packages have one of that name, any of them
	value int64
}

// facts are the limits of scripts, on which authors of games rely. Defaults of game.toml
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
	{"docs/scripting.md", "makes at most 4,096 calls per tick", "maxCalls", 4096},
	{"docs/scripting.md", "After eight failures in a row", "FaultLimit", 8},
	{"docs/scripting.md", "may spawn 64 others per tick", "MaxSpawns", 64},
	{"docs/scripting.md", "`relevant` may use 10,000 instructions", "RelevantInstructions", 10_000},
	{"docs/scripting.md", "may use 10,000 instructions per cue", "ViewInstructions", 10_000},
	{"docs/scripting.md", "may use 500 instructions for one value", "ShowInstructions", 500},
	{"docs/scripting.md", "at most 1,000 values are shown", "maxShown", 1000},
	{"docs/scripting.md", "(of at most 512 bytes)", "MaxValueText", 512},
}

// TestLimitsInPages compares facts with the pages and the code.
func TestLimitsInPages(t *testing.T) {
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
			return v.Kind() != constant.String && v.Kind() != constant.Bool && constant.Compare(v, token.EQL, constant.MakeInt64(f.value))
		}
		switch all := values[f.name]; {
		case len(all) == 0:
			t.Errorf("%s says %q, but there is no constant %s", f.page, f.says, f.name)
		case !slices.ContainsFunc(all, is):
			t.Errorf("%s says %q, but %s is %v", f.page, f.says, f.name, all)
		}
	}
}
