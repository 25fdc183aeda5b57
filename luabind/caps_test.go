package luabind

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// fileOf repeats f(i) until a script file is full, and ends it with end.
func fileOf(begin string, f func(i int) string, end string) string {
	var b strings.Builder
	b.WriteString(begin)
	for i := 0; ; i++ {
		s := f(i)
		if b.Len()+len(s)+len(end) > 64<<10 {
			return b.String() + end
		}
		b.WriteString(s)
	}
}

// letters numbers names of few letters, none of which is a word of Lua.
func letters(i int) string {
	const all = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	s := "q"
	for ; ; i /= len(all) {
		if s += all[i%len(all) : i%len(all)+1]; i < len(all) {
			return s
		}
	}
}

// same returns a function that returns a text.
func same(text string) func(int) string { return func(int) string { return text } }

// numbered returns a function that puts a number or a name into a format.
func numbered(format string) func(int) string {
	return func(i int) string { return fmt.Sprintf(format, 1000+i) }
}

func named(format string) func(int) string {
	return func(i int) string { return fmt.Sprintf(format, letters(i)) }
}

// dear are files that take the compiler, or what reads declarations, as long as files of their size can.
var dear = map[string]func() string{
	"constants": func() string {
		return "x={" + strings.Repeat(" ", 1000) + fileOf("", numbered("%d,"), "")[:40000] + "}"
	},
	"a constant again":     func() string { return fileOf("x={"+fileOf("", numbered("%d,"), "")[:30000]+"}x={", same("6999,"), "}") },
	"tables":               func() string { return fileOf("x={"+fileOf("", numbered("%d,"), "")[:40000]+"}x={", same("{},"), "}") },
	"names":                func() string { return fileOf("", named("object'%s'{}"), "") },
	"fields":               func() string { return fileOf("object'X'{state={", named("%s=0,"), "}}") },
	"sums":                 func() string { return fileOf("local y ", same("y=y"+strings.Repeat("+y", 210)+" "), "") },
	"sums of numbers":      func() string { return fileOf("local y ", same("y=1"+strings.Repeat("+1", 210)+" "), "") },
	"sums with a variable": func() string { return fileOf("local y ", same("y=y"+strings.Repeat("+1", 210)+" "), "") },
	"minus":                func() string { return fileOf("local y ", same("y="+strings.Repeat("- ", 210)+"y "), "") },
	"comparisons":          func() string { return fileOf("local y ", same("y=y"+strings.Repeat("==y", 210)+" "), "") },
	"keys":                 func() string { return fileOf("local y={} ", same("y=y"+strings.Repeat(".y", 210)+" "), "") },
	"variables": func() string {
		return fileOf("local "+fileOf("", named("%s local "), "")[:1000]+"z ", same("gg=gg "), "")
	},
	"variables around": func() string {
		var b strings.Builder
		for i := range 90 {
			b.WriteString("g=function(")
			for j := range 90 {
				b.WriteString(letters(90*i+j) + ",")
			}
			b.WriteString("z) ")
		}
		end := strings.Repeat(" end", 90)
		return fileOf(b.String(), same("gg=gg "), end)
	},
	"closures": func() string {
		names := fileOf("", named("local %s "), "")[:900]
		names = names[:strings.LastIndex(names, "local")]
		uses := strings.ReplaceAll(strings.ReplaceAll(names, "local ", "l("), " ", ")")
		return fileOf("local l ", same("do "+names+"g="+strings.Repeat("function() return ", 80)+"function() "+uses+" end"+strings.Repeat(" end", 80)+" end "), "")
	},
	"statements":        func() string { return fileOf("", same("gg=gg "), "") },
	"undefined":         func() string { return fileOf("", named("x=%s "), "")[:50000] },
	"no such members":   func() string { return fileOf("", named("x=math.%s "), "")[:60000] },
	"frozen":            func() string { return fileOf("function f() ", named("%s=1 "), "end")[:50000] + " end" },
	"names of the API":  func() string { return fileOf("", same("pairs=1 "), "") },
	"no such modules":   func() string { return fileOf("", named("require'%s' "), "") },
	"nothing declared":  func() string { return fileOf("object'X'{state={", named("%s=nil,"), "}}") },
	"loading for long":  func() string { return "for i=1,1e9 do end" },
	"loading of tables": func() string { return "for i=1,1e9 do local x={} end" },
}

// dearBundle returns as many files of a kind as a bundle may have, and one whose code declares a field: the others are
// compiled twice.
func dearBundle(kind string) (files []world.Source) {
	text := dear[kind]()
	for i, left := 0, 511<<10; left >= len(text) && i < 100; i++ {
		files = append(files, world.Source{Name: fmt.Sprintf("f%02d.lua", i), Text: text})
		left -= len(text)
	}
	return append(files, world.Source{Name: "a.lua", Text: "local s={} s['z' .. 'z']=1 object'Late'{state=s}"})
}

// TestDearBundles: bundles within all other limits that took the compiler seconds are refused, with few words. The
// benchmark has their times.
func TestDearBundles(t *testing.T) {
	for kind, want := range map[string]string{
		"constants":        "take too long to compile",
		"a constant again": "take too long to compile",
		"tables":           "take too long to compile",
		"sums of numbers":  "take too long to compile",
		"variables around": "take too long to compile",
		"closures":         "more than 4096 functions",
		"no such modules":  "take too long to compile",
	} {
		_, err := NewProgram(dearBundle(kind), testSetup)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %.300v", kind, err)
		} else if n := len(err.Error()); n > 100_000 {
			t.Errorf("%s: an error of %d bytes", kind, n)
		}
	}
	files := make([]world.Source, 100_000)
	if _, err := NewProgram(files, testSetup); err == nil || len(err.Error()) > 1000 {
		t.Errorf("100,000 files: %.300v", err)
	}
}

// TestMessagesAreFew: a file with thousands of mistakes gets a hundred messages.
func TestMessagesAreFew(t *testing.T) {
	for _, kind := range []string{"undefined", "no such modules", "names of the API", "nothing declared", "frozen"} {
		_, err := NewProgram(bundle("a.lua", dear[kind]()), testSetup)
		if err == nil {
			t.Errorf("%s: compiles", kind)
			continue
		}
		if n := len(scriptErrors(t, err)); n > 300 {
			t.Errorf("%s: %d messages", kind, n)
		}
	}
}

// TestClassesAreBounded: each class is compared with the others, and with those that it extends.
func TestClassesAreBounded(t *testing.T) {
	_, err := NewProgram(bundle("a.lua", "for i=1,501 do object('C' .. i){} end"), testSetup)
	if err == nil || !strings.Contains(err.Error(), "a game has at most 500 classes") {
		t.Errorf("501 classes: %v", err)
	}
	chain := func(n int) error {
		_, err := NewProgram(bundle("a.lua", fmt.Sprintf("local c = object'C'{} for i=1,%d do c = object('C' .. i){ extends = c } end", n)), testSetup)
		return err
	}
	if err := chain(32); err != nil {
		t.Errorf("a class that extends 32: %v", err)
	}
	if err := chain(33); err == nil || !strings.Contains(err.Error(), "at most 32") {
		t.Errorf("a class that extends 33: %v", err)
	}
}

// soccerFiles returns the scripts of the largest game of the repository.
func soccerFiles(t *testing.T) (files []world.Source) {
	t.Helper()
	names, err := filepath.Glob("../scripts/soccer/*.lua")
	if err != nil || len(names) < 3 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, world.Source{Name: filepath.Base(name), Text: string(text)})
	}
	return files
}

// TestOrdinaryBundlesAreFarFromTheLimit: the largest game of the repository, as often as a bundle has room for it,
// does not take too long to compile.
func TestOrdinaryBundlesAreFarFromTheLimit(t *testing.T) {
	var files []world.Source
	size := 0
	for i := 0; ; i++ {
		for _, f := range soccerFiles(t) {
			if size += len(f.Text); size > 500<<10 {
				_, err := NewProgram(files, testSetup)
				if err == nil || strings.Contains(err.Error(), "take too long") || !strings.Contains(err.Error(), "twice") {
					t.Errorf("%d files: %.300v", len(files), err)
				}
				return
			}
			files = append(files, world.Source{Name: fmt.Sprintf("copy%d_%s", i, f.Name), Text: f.Text})
		}
	}
}

// BenchmarkDearBundles compiles them: none takes 0.5 s.
func BenchmarkDearBundles(b *testing.B) {
	for kind := range dear {
		files := dearBundle(kind)
		b.Run(kind, func(b *testing.B) {
			for b.Loop() {
				_, _ = NewProgram(files, testSetup) // most are refused
			}
		})
	}
}

// dearDeclarations are a few lines that describe more than memory holds, or took seconds to read, with the beginning of
// the error.
var dearDeclarations = map[string]struct{ text, want string }{
	"a record in itself": {"local p = {} local r = record(p) p.a = r object'C'{ state = { a = r } }",
		"C.state.a: records are within each other, or in themselves, more than 16 deep"},
	"records of records": {"local r = record{a=1,b=2} for i=1,12 do r = record{a=r,b=r,c=r,d=r} end object'C'{ state = { x = r } }",
		"C: the classes up to this one have more than 65536 fields and inputs"},
	"lists": {"local l = list('number', 250) for i=1,499 do object('C' .. i){ state = { a = l, b = l } } end",
		"C130: the classes up to this one have more than 65536 fields and inputs"},
	"lists of lists": {"local r = list(record{a=1,b=2,c=3,d=4,e=5}, 256) local q = record{a=r,b=r,c=r,d=r} for i=1,499 do object('C' .. i){ state = { a = list(q, 256), b = q } } end",
		"C1.state.a.a: a list cannot hold lists"},
	"fields that are taken over": {"local s = {} for i=1,400 do s['a' .. i] = i end local c = object'C'{ state = s } for i=1,499 do object('C' .. i){ extends = c } end",
		"more than 65536 fields and inputs"},
	"inputs": {"local s = {} for i=1,3000 do s['a' .. i] = 'bool' end for i=1,499 do object('C' .. i){ input = s } end",
		"C1 declares 3000 bools and 0 numbers as input: at most 32 and 8"},
	"methods that are taken over": {"local f = function() end local c = object'C'{} for i=1,2000 do c['m' .. i] = f end for i=1,499 do object('C' .. i){ extends = c } end",
		"more than 20000 methods and constants"},
	"unknown keys": {"local s = {} for i=1,3000 do s['a' .. i] = 0 end for i=1,499 do object('C' .. i){ look = s, body = s, controls = s, moves = s } end",
		"C1: unknown key"},
}

// TestDearDeclarations: they are refused with few messages. The benchmark has their times.
func TestDearDeclarations(t *testing.T) {
	for what, c := range dearDeclarations {
		_, err := NewProgram(bundle("a.lua", c.text), testSetup)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.300v", what, err)
			continue
		}
		if n := len(scriptErrors(t, err)); n > 100 {
			t.Errorf("%s: %d messages", what, n)
		}
	}
}

// BenchmarkDearDeclarations reads them: none takes 0.2 s.
func BenchmarkDearDeclarations(b *testing.B) {
	for what, c := range dearDeclarations {
		b.Run(what, func(b *testing.B) {
			for b.Loop() {
				_, _ = NewProgram(bundle("a.lua", c.text), testSetup) // they are refused
			}
		})
	}
}
