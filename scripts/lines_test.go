package scripts

import (
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

func TestLocate(t *testing.T) {
	text := `# x = 1
a = 1; b = "# \" = ["
`
	text = strings.Replace(text, ";", "\n", 1) + `'c d' = [1, # ]
  [2, "]"], { e = 1,
  f.g = 2 }]
h = """
i = 1 \""" ""\
"""""
[ j . "k" ]
l = 2024-01-01 10:00:00
[[m]]
n = '''
'' o = 1'''''
[[m.p]]
[m.p.q]
r = {}
[[m]]
[[m.p]]
s = 1`
	if _, err := toml.Decode(text, &map[string]any{}); err != nil {
		t.Fatal(err)
	}
	got := locate(text)
	want := lines{"a": 2, "b": 3, `"c d"`: 4, `"c d"[1]`: 4, `"c d"[2]`: 5, `"c d"[2][1]`: 5, `"c d"[2][2]`: 5, `"c d"[3]`: 5, `"c d"[3].e`: 5,
		`"c d"[3].f`: 6, `"c d"[3].f.g`: 6, "h": 7, "j": 10, "j.k": 10, "j.k.l": 11, "m": 12, "m[1]": 12, "m[1].n": 13, "m[1].p": 15, "m[1].p[1]": 15,
		"m[1].p[1].q": 16, "m[1].p[1].q.r": 17, "m[2]": 18, "m[2].p": 19, "m[2].p[1]": 19, "m[2].p[1].s": 20}
	for p, l := range want {
		if got[p] != l {
			t.Errorf("%s: line %d, want %d", p, got[p], l)
		}
	}
	for p, l := range got {
		if want[p] == 0 {
			t.Errorf("%s (line %d) is not a key", p, l)
		}
	}
}

func TestNearest(t *testing.T) {
	words := []string{"tick_rate", "seed", "x", "y", "max_rewind"}
	for in, want := range map[string]string{"tickrate": "tick_rate", "sede": "seed", "z": "x", "maxRewind": "max_rewind", "TICK-RATE": "tick_rate", "nothing": "", "": "x", strings.Repeat("x", 100): ""} {
		if got := nearest(in, words); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// FuzzLocate: every key of every text that the TOML library takes has a line.
func FuzzLocate(f *testing.F) {
	for _, s := range []string{"a = 1", "a.b = [1, {c = '}'}]\n[[d]]\n[d.e]\nf = \"\"\"\n\"\"\"", "'' = 1", "\"\\u0041\" = {}", "a = [[[1],\n# ]\n[2]]]", "\"a.b\".c = 1\n[x.'y']\n", "[a]\n[a.b]\n[[a.c]]\r\nd=1\r\n",
		"a = '''x''''", "a = \"\"\"x\\\n  y\"\"\"\"\"", "x = 1979-05-27 07:32:00 # c", "a={b=1,\nc=2,}", "[", "a = [", "a = {", "=", "]", "\"", "'''", "a = \"\\"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		found := locate(text) // ends, whatever the text
		values, ok := parse(text, func(int, string, ...any) {})
		text = strings.TrimPrefix(text, "\ufeff")
		if !ok || strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
			return
		}
		found = locate(text)
		last := 1 + strings.Count(text, "\n")
		everyKey("", values, 1, func(path string) {
			if l := found[path]; l < 1 || l > last {
				t.Errorf("%q: %s on line %d", text, path, l)
			}
		})
	})
}

// everyKey names the keys and elements of a value, as deep as locate notes them.
func everyKey(at string, v any, deep int, f func(path string)) {
	if deep > maxKeyDepth {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		for k, v := range v {
			f(join2(at, k))
			everyKey(join2(at, k), v, deep+1, f)
		}
	case []any:
		for i, v := range v {
			f(element(at, i+1))
			everyKey(element(at, i+1), v, deep+1, f)
		}
	case []map[string]any:
		for i, v := range v {
			f(element(at, i+1))
			everyKey(element(at, i+1), v, deep+1, f)
		}
	}
}
