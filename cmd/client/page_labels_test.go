package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// tanks returns a room with a tank that fills and a post.
func tanks(t *testing.T) *simtest.Sim {
	t.Helper()
	const script = `
Tank = object "Tank" {
  state = { level = { "number", min = 0, max = 200, default = 50 } },
  look = { label = "{level} l", bar = "level" }, body = { type = "static", shape = { circle = 1 } },
}
function Tank:tick() if tickNumber() % 10 == 0 then self.level = self.level + 1 end end
Post = object "Post" { look = { label = "a post" }, body = { type = "static", shape = { circle = 1 } } }
function onStart() spawn("Tank") spawn("Post", { x = 5 }) end`
	bundle := bundle.New("tanks", world.Source{Name: "game.lua", Text: script})
	return simtest.New(t, simtest.Options{Bundle: bundle, Compile: luabind.Compile})
}

// TestLabelsAndBarsFollowFields: labels that show fields are sent when
// they change, and bars with every frame.
func TestLabelsAndBarsFollowFields(t *testing.T) {
	sim := tanks(t)
	var f feed
	var v room.View
	var at cursor
	var shown frameReader
	sent := 0
	for step := range 40 {
		sim.Run(time.Second / 60)
		sim.Host.View(&v)
		if len(v.Bodies) != 2 {
			continue
		}
		f.publish(&v, nil, false)
		texts, frame := f.news(&at)
		shown.read(t, frame)
		tank := slices.IndexFunc(v.Bodies, func(b room.ViewBody) bool { return b.Class == "Tank" })
		level, _ := v.Bodies[tank].Fields().Number("level")
		if bar := shown.byID(v.Bodies[tank].ID).bar; bar != float32(level/200) {
			t.Fatalf("step %d: the bar is at %v, level %v", step, bar, level)
		}
		if bar := shown.byID(v.Bodies[1-tank].ID).bar; bar >= 0 {
			t.Fatalf("a post has a bar: %v", bar)
		}
		for _, text := range texts {
			switch s := string(text); {
			case strings.Contains(s, `"t":"labels"`):
				sent++
				want := fmt.Sprintf(`{"t":"labels","labels":[{"id":%d,"text":"%v l"}]}`, uint64(v.Bodies[tank].ID)&(1<<53-1), level)
				if s != want {
					t.Fatalf("step %d: %s, want %s", step, s, want)
				}
			case strings.Contains(s, `"t":"kinds"`):
				if !strings.Contains(s, `"label":"a post"`) || strings.Contains(s, "{level}") {
					t.Errorf("kinds: %s", s)
				}
			}
		}
	}
	if sent < 3 || sent > 5 {
		t.Errorf("labels were sent %d times in 40 ticks, in which they changed four times", sent)
	}
	var second cursor
	if texts, _ := f.news(&second); !strings.Contains(string(texts[len(texts)-1]), `"t":"labels"`) {
		t.Errorf("another browser is sent %s", texts)
	}
}
