package luabind

import (
	"os"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind/internal/api"
)

// TestScriptingPageExamples: all Lua examples of the page load: classes, tests and views.
func TestScriptingPageExamples(t *testing.T) {
	page, err := os.ReadFile("../docs/scripting.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```lua\n")[1:]
	if len(blocks) < 3 {
		t.Fatalf("%d blocks of Lua", len(blocks))
	}
	for _, b := range blocks {
		code, _, _ := strings.Cut(b, "```")
		switch {
		case strings.HasPrefix(code, "test("):
			_, err = NewTests("page_test.lua", code)
		case strings.HasPrefix(code, "onCue("), strings.HasPrefix(code, "camera("), strings.HasPrefix(code, "local mine = keep"):
			_, err = NewView(bundle(api.ViewFile, code), testSetup, nil)
		case strings.HasPrefix(code, "function relevant("), strings.HasPrefix(code, "function predicted("), strings.HasPrefix(code, "function filterChat("), strings.HasPrefix(code, "teams {"), strings.HasPrefix(code, "game {"), strings.HasPrefix(code, "player {"):
			_, err = NewProgram(bundle(api.GameFile, code), testSetup)
		default:
			_, err = NewProgram(bundle("page.lua", code), testSetup)
		}
		if err != nil {
			t.Errorf("%v\n%s", err, code)
		}
	}
}

// manual are the functions and values of Lua 5.1, as its manual lists them in section 5, and those that lua5.1 has
// besides.
const manual = `_G _VERSION assert collectgarbage dofile error getfenv getmetatable ipairs load loadfile loadstring
module next pairs pcall print rawequal rawget rawset require select setfenv setmetatable tonumber tostring type unpack
xpcall newproxy gcinfo coroutine.create coroutine.resume coroutine.running coroutine.status coroutine.wrap
coroutine.yield package.cpath package.loaded package.loadlib package.path package.preload package.seeall string.byte
string.char string.dump string.find string.format string.gmatch string.gsub string.len string.lower string.match
string.rep string.reverse string.sub string.upper string.gfind table.concat table.insert table.maxn table.remove
table.sort table.foreach table.foreachi table.getn table.setn math.abs math.acos math.asin math.atan math.atan2
math.ceil math.cos math.cosh math.deg math.exp math.floor math.fmod math.frexp math.huge math.ldexp math.log math.log10
math.max math.min math.modf math.mod math.pi math.pow math.rad math.random math.randomseed math.sin math.sinh math.sqrt
math.tan math.tanh io.close io.flush io.input io.lines io.open io.output io.popen io.read io.tmpfile io.type io.write
os.clock os.date os.difftime os.execute os.exit os.getenv os.remove os.rename os.setlocale os.time os.tmpname
debug.debug debug.getfenv debug.gethook debug.getinfo debug.getlocal debug.getmetatable debug.getregistry
debug.getupvalue debug.setfenv debug.sethook debug.setlocal debug.setmetatable debug.setupvalue debug.traceback arg`

// TestLeftOut: what Lua 5.1 has and scripts do not is in the list of docs/scripting.md, by itself or with its table, and
// nothing else is.
func TestLeftOut(t *testing.T) {
	page, err := os.ReadFile("../docs/scripting.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "\n- io, os, ")
	list, _, found := strings.Cut("io, os, "+rest, "do not exist")
	if !found {
		t.Fatal("docs/scripting.md has no list of what does not exist")
	}
	listed := map[string]bool{}
	for _, name := range strings.Fields(strings.NewReplacer(",", " ", " and ", " ").Replace(list)) {
		listed[name] = true
	}
	left := map[string]bool{"goto": true} // which is not in the manual: programs have it from later versions
	for _, name := range strings.Fields(manual) {
		base, _, _ := strings.Cut(name, ".")
		_, err := NewProgram(bundle("a.lua", "X = object 'X' {}\nfunction X:tick() print("+name+") end"), testSetup)
		switch missing := err != nil && strings.Contains(err.Error(), "not"); {
		case missing && !listed[name] && !listed[base]:
			t.Errorf("%s: %v, and docs/scripting.md does not say so", name, err)
		case missing && strings.HasSuffix(err.Error(), "lists what scripts can use"), missing && strings.Contains(err.Error(), "; did you mean "), missing && !strings.Contains(err.Error(), "; "):
			t.Errorf("%s: %v does not say what to use in its place", name, err)
		case !missing && (listed[name] || listed[base]):
			t.Errorf("%s exists, and docs/scripting.md says that it does not", name)
		case missing:
			left[name], left[base] = true, true
		}
	}
	for name := range listed {
		if !left[name] {
			t.Errorf("docs/scripting.md lists %s, which Lua 5.1 does not have", name)
		}
	}
}
