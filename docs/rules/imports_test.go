package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
)

// A layer is what the package in a folder may import. Patterns are as in
// within.
type layer struct {
	dir    string
	ours   []string // of this module
	others []string // of other modules
	std    []string // of the standard library; nil: all but what is shut
	shut   []string // of the standard library
}

// exact is what the state of a world may be computed with.
var exact = []string{"errors", "fmt", "slices", "cmp", "strconv", "encoding/binary", "math", "math/bits"}

// outside is what a machine that only takes events and a tick must not reach:
// files, sockets, other goroutines, chance, memory behind Go's back.
var outside = []string{"os/...", "net/...", "syscall", "sync/...", "math/rand/...", "math/cmplx", "crypto/rand",
	"unsafe", "C", "plugin", "runtime/..."}

// layers is the library from the bottom up. A package that is not here is not
// in the design: put it into a package that is, or add it with its reasons.
var layers = []layer{
	{dir: "world/detmath", std: exact},
	{dir: "world/physics", std: exact, ours: []string{"world/detmath"}},
	{dir: "world/physics/space", std: exact, ours: []string{"world/detmath", "world/physics"}}, // only what physics exports
	{dir: "world", std: exact, ours: []string{"world/detmath", "world/physics"}},
	{dir: "world/goscript", std: append([]string{"crypto/sha256", "io", "strings", "runtime"}, exact...), ours: []string{"world", "world/physics"}}, // runtime: where a hook panicked

	{dir: "net/loglimit", shut: outside},
	{dir: "net/link", shut: outside},
	{dir: "net/link/linktest", ours: []string{"net/link"}},                     // what every link is to do, as tests: they look for calls that wait and goroutines that are left
	{dir: "net/wire", shut: outside, ours: []string{"world", "world/physics"}}, // of physics it has poses and velocities, which it quantises
	{dir: "net/clocksync", shut: outside},
	{dir: "net/internal/linkbase", shut: outside, ours: []string{"net/link"}},
	{dir: "net/linkmux", ours: []string{"net/loglimit", "net/link"}},
	{dir: "net/streamlink", ours: []string{"net/loglimit", "net/link", "net/internal/linkbase"}},
	{dir: "net/memlink", shut: outside, ours: []string{"net/link", "net/internal/linkbase"}},
	{dir: "net/kcplink", ours: []string{"net/loglimit", "net/link", "net/internal/linkbase"}, others: []string{"github.com/xtaci/kcp-go/v5"}},

	{dir: "luabind/internal/ident", std: []string{"slices", "strings"}},
	{dir: "luabind/internal/api", std: []string{"maps", "slices", "strings"}, ours: []string{"world", "luabind/internal/ident"}},
	{dir: "luabind/internal/syntax", shut: outside, ours: []string{"world", "luabind/internal/ident", "luabind/internal/api"}, others: []string{"github.com/yuin/gopher-lua/..."}},
	{dir: "luabind/internal/numbers", std: []string{"reflect", "unsafe"}, others: []string{"github.com/yuin/gopher-lua"}}, // see its doc.go
	{dir: "luabind/keyname", std: []string{"slices", "strings", "unicode", "unicode/utf8"}, ours: []string{"luabind/internal/ident"}},
	{dir: "luabind", shut: outside, ours: []string{"world", "world/detmath", "world/physics", "luabind/internal/...", "luabind/keyname"}, others: []string{"github.com/yuin/gopher-lua/..."}},
	{dir: "luabind/lint", shut: outside, ours: []string{"world", "luabind", "luabind/keyname", "luabind/internal/ident", "luabind/internal/api", "luabind/internal/syntax"},
		others: []string{"github.com/yuin/gopher-lua/ast"}},
	{dir: "luabind/programs", std: []string{"slices", "sync"}, ours: []string{"world", "luabind", "runtime/bundle"}}, // goroutines share it
	{dir: "luabind/reference", shut: outside, ours: []string{"world", "luabind/internal/api"}},
	{dir: "runtime/stats", std: []string{"math"}},
	{dir: "runtime/asset", std: []string{"bytes", "crypto/sha256", "encoding/binary", "encoding/hex", "encoding/xml", "errors", "fmt", "hash/crc32", "image/png", "io", "maps", "path", "slices", "strconv", "strings"}},
	{dir: "runtime/bundle", shut: outside, ours: []string{"world", "world/detmath", "world/physics", "net/wire"}},
	{dir: "runtime/timeline", shut: outside, ours: []string{"world"}},
	{dir: "runtime/internal/stub", shut: outside, ours: []string{"world/...", "runtime/bundle", "runtime/timeline"}, others: []string{"pgregory.net/rapid"}}, // games for tests
	{dir: "runtime/internal/relay", shut: outside, ours: []string{"world", "net/wire"}},
	{dir: "runtime/internal/replicate", shut: outside, ours: []string{"world", "world/detmath", "world/physics", "net/wire", "runtime/bundle"}},
	{dir: "runtime/internal/view", shut: outside, ours: []string{"world", "world/physics"}},
	{dir: "runtime/replay", shut: outside, ours: []string{"world", "world/physics", "net/wire", "runtime/bundle", "runtime/timeline"}},
	{dir: "runtime/replay/zstd", shut: outside, ours: []string{"runtime/replay"}, others: []string{"github.com/klauspost/compress/zstd"}}, // apart, so that nothing else of the library needs it
	{dir: "runtime/internal/goroutine", std: []string{"runtime"}},                                                                         // numbers goroutines, for drivers
	{dir: "runtime/room", shut: outside, ours: []string{"world", "world/physics", "net/link", "net/wire", "runtime/replay", "runtime/stats", "runtime/timeline", "runtime/internal/goroutine", "runtime/internal/view"}},
	{dir: "runtime/internal/side", shut: outside, ours: []string{"world", "net/link", "net/wire", "runtime/room", "runtime/stats", "runtime/timeline"}},
	{dir: "runtime/internal/watchdog", shut: outside, ours: []string{"world", "runtime/timeline"}},
	{dir: "runtime/host", shut: outside, ours: []string{"net/loglimit", "world", "world/physics", "net/link", "net/wire", "runtime/asset", "runtime/bundle", "runtime/replay", "runtime/room", "runtime/stats", "runtime/timeline", "runtime/internal/relay", "runtime/internal/replicate", "runtime/internal/side", "runtime/internal/view", "runtime/internal/watchdog"}},
	{dir: "runtime/client", shut: outside, ours: []string{"world", "world/detmath", "world/physics", "net/link", "net/wire", "net/clocksync", "runtime/asset", "runtime/bundle", "runtime/room", "runtime/stats", "runtime/timeline", "runtime/internal/relay", "runtime/internal/replicate", "runtime/internal/side", "runtime/internal/view"}},
	{dir: "runtime/internal/roomtest", shut: outside, ours: []string{"world", "net/...", "runtime/..."}}, // only for tests: rooms with links that lie, stall or are played by hand
	{dir: "runtime/simtest", shut: outside, ours: []string{"world/...", "luabind", "net/...", "runtime/asset", "runtime/bundle", "runtime/client", "runtime/host", "runtime/room", "runtime/stats", "runtime/timeline", "runtime/replay", "scripts"}},
	{dir: "runtime/simtest/draws", others: []string{"pgregory.net/rapid"}}, // only for tests, of all packages: their seeds, from the environment
	{dir: "runtime/simtest/figures"}, // only for tests, of all packages: the figures of docs
	{dir: "runtime/simtest/golden"},  // only for tests, of all packages: the files that they compare with
	{dir: "scripts", ours: []string{"world", "runtime/asset", "runtime/bundle"}, others: []string{"github.com/BurntSushi/toml"}},

	{dir: "cmd/...", ours: []string{"world/...", "luabind", "luabind/lint", "luabind/keyname", "luabind/programs", "luabind/reference", "net/...", "runtime/...", "scripts", "cmd/..."},
		others: []string{"github.com/BurntSushi/toml", "github.com/coder/websocket",
			"github.com/lmittmann/tint", "github.com/prometheus/client_golang/..."}},
	{dir: "docs/rules"},
}

// testPackages are those that only tests may import.
var testPackages = []string{"net/link/linktest", "runtime/internal/roomtest", "runtime/internal/stub", "runtime/simtest/draws", "runtime/simtest/figures", "runtime/simtest/golden"}

// Tests may import all of the library, and these.
var testModules = []string{"pgregory.net/rapid", "go.uber.org/goleak", "github.com/rogpeppe/go-internal/...", "golang.org/x/tools/...",
	"github.com/yuin/gopher-lua/parse", "github.com/coder/websocket"}

// ownsClock says that a file may use goroutines, the clock and the rest of
// outside: a driver.
func ownsClock(file string) bool {
	return path.Dir(file) == "runtime/room" && strings.HasPrefix(path.Base(file), "driver") && !strings.HasSuffix(file, "_test.go")
}

// layerOf finds the layer of a file.
func layerOf(file string) (layer, bool) {
	i := slices.IndexFunc(layers, func(l layer) bool { return within(path.Dir(file), l.dir) })
	if i < 0 {
		return layer{}, false
	}
	return layers[i], true
}

// refuse says why a file may not import a package; "" if it may.
func refuse(file, pkg string) string {
	l, known := layerOf(file)
	test := strings.HasSuffix(file, "_test.go")
	_, ours := strings.CutPrefix(pkg, modulePath+"/")
	first, _, _ := strings.Cut(pkg, "/")
	switch {
	case !known && !test:
		return fmt.Sprintf("package %s is not in the design; the layers are in docs/rules/imports_test.go", path.Dir(file))
	case ours && !test && within(strings.TrimPrefix(pkg, modulePath+"/"), testPackages...) && !within(path.Dir(file), testPackages...):
		return "only tests may import " + strings.TrimPrefix(pkg, modulePath+"/")
	case ours:
		dir := strings.TrimPrefix(pkg, modulePath+"/")
		return l.refuse(dir, "ours", l.ours, test && (!within(dir, "cmd/...", "docs/...") || within(dir, l.dir)))
	case strings.Contains(first, "."):
		return l.refuse(pkg, "other modules", l.others, test && within(pkg, testModules...))
	default:
		return l.refuseStd(file, pkg, test)
	}
}

func (l layer) refuse(pkg, kind string, allowed []string, inTest bool) string {
	if within(pkg, allowed...) || inTest {
		return ""
	}
	return fmt.Sprintf("%s may not import %s; of %s it may import %s", l.dir, pkg, kind, list(allowed))
}

func (l layer) refuseStd(file, pkg string, test bool) string {
	switch {
	case test || ownsClock(file):
		return ""
	case l.std != nil && !slices.Contains(l.std, pkg):
		return fmt.Sprintf("%s may not import %s; of the standard library it may import %s", l.dir, pkg, list(l.std))
	case within(pkg, l.shut...) && pkg != "net/netip": // addresses are values
		return fmt.Sprintf("%s may not import %s: it takes events and a tick and returns an output; "+
			"hand in what it needs (a clock, a seed, a Link)", l.dir, pkg)
	}
	return ""
}

func list(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// TestImports reads the imports of every Go file, for every system.
func TestImports(t *testing.T) {
	r := openRepo(t)
	var found []finding
	for _, file := range r.goFiles() {
		fset, f := r.parse(t, file)
		for _, spec := range f.Imports {
			pkg := strings.Trim(spec.Path.Value, `"`)
			if why := refuse(file, pkg); why != "" {
				found = append(found, at(fset.Position(spec.Pos()), "%s", why))
			}
		}
	}
	report(t, found)
}

// TestLayersExist: each layer has a package, so that a wish is not taken for
// the design.
func TestLayersExist(t *testing.T) {
	files := openRepo(t).goFiles()
	for _, l := range layers {
		if !slices.ContainsFunc(files, func(f string) bool { return within(path.Dir(f), l.dir) }) {
			t.Errorf("no package in %s: take its line out of layers", l.dir)
		}
	}
}

func TestRefuse(t *testing.T) {
	for _, c := range []struct {
		file, pkg, why string // why: part of the reason; "": allowed
	}{
		{"world/detmath/trig.go", modulePath + "/world", "detmath may not import world"},
		{"world/state.go", "sort", "of the standard library"},
		{"world/state.go", modulePath + "/luabind", "world may not import luabind"},
		{"world/physics/body.go", modulePath + "/world", "physics may not import world"},
		{"world/state_test.go", modulePath + "/cmd/host/cli", "may not import cmd/host/cli"},
		{"runtime/timeline/runner.go", modulePath + "/net/wire", "runtime/timeline may not import net/wire"},
		{"net/link/linktest/run.go", "sync", ""},
		{"runtime/host/host.go", modulePath + "/net/kcplink", "runtime/host may not import net/kcplink"},
		{"runtime/host/host.go", modulePath + "/luabind", "runtime/host may not import luabind"},
		{"runtime/host/host.go", modulePath + "/runtime/client", "runtime/host may not import runtime/client"},
		{"runtime/client/client.go", modulePath + "/runtime/host", "runtime/client may not import runtime/host"},
		{"runtime/room/view.go", modulePath + "/runtime/host", "runtime/room may not import runtime/host"},
		{"runtime/host/host.go", "sync/atomic", "hand in what it needs"},
		{"runtime/room/driver.go", "sync", ""},
		{"runtime/simtest/sim.go", modulePath + "/runtime/simtest/draws", "only tests may import"},
		{"cmd/host/main.go", "github.com/xtaci/kcp-go/v5", "of other modules"},
		{"util/util.go", "fmt", "not in the design"},
	} {
		why := refuse(c.file, c.pkg)
		if (why == "") != (c.why == "") || !strings.Contains(why, c.why) {
			t.Errorf("%s importing %s: got %q, want %q", c.file, c.pkg, why, c.why)
		}
	}
}
