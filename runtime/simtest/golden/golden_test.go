package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFolder(t *testing.T) {
	if got := folder(t); got != "./runtime/simtest/golden" {
		t.Errorf("folder %q", got)
	}
}

func TestWithout(t *testing.T) {
	if got := without([]string{"a", "b", "c"}, []string{"c", "d", "a"}); !slices.Equal(got, []string{"b"}) {
		t.Errorf("without %q", got)
	}
}

// TestRead: an equal file is no difference, another one is, and -update writes it.
func TestRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "golden.txt")
	set := func(to bool) {
		before := *update
		*update = to
		t.Cleanup(func() { *update = before })
	}
	set(true)
	Lines(t, file, []string{"a", "b"})
	if b, err := os.ReadFile(file); err != nil || string(b) != "a\nb\n" {
		t.Fatalf("%q, %v", b, err)
	}
	set(false)
	Lines(t, file, []string{"a", "b"})
	Text(t, file, "a\nb\n")
	if text, differs := read(t, file, "b\na\n"); !differs || text != "a\nb\n" {
		t.Errorf("%q, %v", text, differs)
	}
}

// recorder is a test whose failures are noted instead.
type recorder struct {
	testing.TB
	said strings.Builder
}

func (r *recorder) Errorf(format string, args ...any) { fmt.Fprintf(&r.said, format+"\n", args...) }
func (r *recorder) Error(args ...any)                 { fmt.Fprintln(&r.said, args...) }
func (r *recorder) Logf(format string, args ...any)   { fmt.Fprintf(&r.said, format+"\n", args...) }

// TestFailures: a failure names what differs, and the command that writes the file again.
func TestFailures(t *testing.T) {
	file := filepath.Join(t.TempDir(), "golden.txt")
	if err := os.WriteFile(file, []byte("a\nb\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		fail func(t testing.TB)
		want []string
	}{
		{"names", func(t testing.TB) { Lines(t, file, []string{"a", "c"}) },
			[]string{"golden.txt has, and the code has no longer: b", "golden.txt does not have: c"}},
		{"order", func(t testing.TB) { Lines(t, file, []string{"b", "a"}) }, []string{"their order or number differs"}},
		{"twice", func(t testing.TB) { Lines(t, file, []string{"a", "b", "b"}) }, []string{"their order or number differs"}},
		{"text", func(t testing.TB) { Text(t, file, "a\nx\n") }, []string{"golden.txt:2 differs: it has\nb\nand now it would be\nx\n"}},
		{"shorter", func(t testing.TB) { Text(t, file, "a\nb") }, []string{"golden.txt:3 differs", "no such line"}},
		{"missing", func(t testing.TB) { Lines(t, file+".no", nil) }, []string{"golden.txt.no"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := recorder{TB: t}
			c.fail(&r)
			for _, want := range append(c.want, "go test ./runtime/simtest/golden -run '^"+t.Name()+"$' -update") {
				if !strings.Contains(r.said.String(), want) {
					t.Errorf("no %q in\n%s", want, r.said.String())
				}
			}
		})
	}
}
