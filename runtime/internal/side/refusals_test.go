package side_test

import (
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/internal/side"
)

// TestRefusals: each mistake has a line. What is not among the next ones is mended, unless it may be hidden by a new one. A
// mistake is the same in another line, and if it follows from something else.
func TestRefusals(t *testing.T) {
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, nil))
	var r side.Refusals
	for i, c := range []struct{ mistakes, mended []string }{
		{[]string{"my game/a.lua:1: no x", "my game/b.lua:2: no y"}, nil},
		{[]string{"my game/b.lua:3: no y"}, []string{"my game/a.lua:1: no x: mended"}},
		{[]string{"c.lua is gone, and so: my game/b.lua:3: no y", "game.toml has no place"}, nil},
		{[]string{"my game/b.lua:4: no y"}, nil},
		{[]string{"my game/b.lua:4: syntax"}, []string{"my game/b.lua:4: no y: mended, or hidden by another mistake"}},
		{nil, []string{"my game/b.lua:4: syntax: mended"}},
		{[]string{"my game/b.lua:4: no z"}, nil},
	} {
		log.Reset()
		r.Log(logger, c.mistakes)
		var mended, refused []string
		for line := range strings.Lines(log.String()) {
			_, line, _ = strings.Cut(line, "msg=")
			line = strings.Trim(strings.TrimSpace(line), `"`)
			if m, is := strings.CutPrefix(line, "saved files are not in force, the old ones stay: "); is {
				refused = append(refused, m)
			} else {
				mended = append(mended, line)
			}
		}
		if !slices.Equal(mended, c.mended) || !slices.Equal(refused, c.mistakes) {
			t.Errorf("step %d logs:\n%s", i, log.String())
		}
	}
}
