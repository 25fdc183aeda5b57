package scripts_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/scripts"
)

// FuzzGameTOML: any game.toml gives either a bundle that can be sent and read
// again, or problems on lines that it has.
func FuzzGameTOML(f *testing.F) {
	for _, s := range []string{everything, "name = 'a'", "name = 1\n[arena]\nwidth = nan", "[[wall]]\n[[spawn]]", "wall = [{w=1,h=1}]\nname='a'", "[physics]\ngravity = [1, 'a']", "x" + strings.Repeat(".x", 50) + "=1", "name = \"a\"\nseed = 9223372036854775807", "\ufeffname = 'a'\r\n", "a = 1\na = 2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := scripts.Load(folder(text), "g")
		if err == nil {
			back, err := bundle.Parse(g.Bundle.Encode())
			if err != nil || !reflect.DeepEqual(back, g.Bundle) {
				t.Fatalf("%v\n got %+v\nwant %+v", err, back, g.Bundle)
			}
			if _, err := scripts.Files(g.Bundle); err != nil {
				t.Fatal(err)
			}
			return
		}
		joined, ok := err.(interface{ Unwrap() []error })
		if !ok {
			t.Fatalf("not joined: %v", err)
		}
		for _, e := range joined.Unwrap() {
			var p *scripts.Problem
			if !errors.As(e, &p) || p.File != "g/game.toml" || p.Line < 1 || p.Line > 1+strings.Count(text, "\n") || p.Message == "" || strings.Contains(p.Message, "\n") {
				t.Errorf("%q: %#v", text, p)
			}
		}
		if _, again := scripts.Load(folder(text), "g"); again.Error() != err.Error() {
			t.Errorf("first %v\nthen %v", err, again)
		}
	})
}
