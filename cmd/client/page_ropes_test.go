package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	gamepage "github.com/hindcast/hindcast/cmd/client/page"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// TestRopesAreSentWhenTheyChange: which bodies they tie and where. Hinges are not
// sent, and nothing is sent while nothing changes.
func TestRopesAreSentWhenTheyChange(t *testing.T) {
	const script = `
Post = object "Post" { body = { type = "static", shape = { circle = 0.2 } } }
Box = object "Box" { state = { line = ref() }, body = { shape = { box = { 1, 1 } } } }
function onStart()
  local post, box, other = spawn("Post", { y = 5 }), spawn("Box"), spawn("Box", { x = 4 })
  box.line = rope(box, post, { ay = 0.5, length = 6 })
  rope(box, nil, { bx = 3, by = 7 })
  hinge(box, other)
end
function Box:tick() if self.line and tickNumber() == 20 then self.line:remove() self.line = nil end end`
	bundle := bundle.New("ropes", world.Source{Name: "game.lua", Text: script})
	sim := simtest.New(t, simtest.Options{Bundle: bundle, Compile: luabind.Compile})
	var f feed
	var v room.View
	var at cursor
	var sent [][]gamepage.Rope
	for range 40 {
		sim.Run(time.Second / 60)
		sim.Host.View(&v)
		f.publish(&v, nil, false)
		texts, _ := f.news(&at)
		for _, text := range texts {
			var m struct {
				T     string
				Ropes []gamepage.Rope
			}
			if err := json.Unmarshal(text, &m); err != nil {
				t.Fatal(err)
			}
			if m.T == "ropes" {
				sent = append(sent, m.Ropes)
			}
		}
	}
	if len(sent) != 2 || len(sent[0]) != 2 || len(sent[1]) != 1 {
		t.Fatalf("sent %+v", sent)
	}
	var post, box world.ObjectID
	for _, b := range v.Bodies {
		switch {
		case b.Class == "Post":
			post = b.ID
		case b.X < 3:
			box = b.ID
		}
	}
	number := func(id world.ObjectID) uint64 { return uint64(id) & (1<<53 - 1) }
	tied, place := sent[0][0], sent[0][1]
	if tied.B == 0 {
		tied, place = place, tied
	}
	if tied.A != number(box) || tied.B != number(post) || math.Abs(tied.AY-0.5) > 1e-9 || tied.AX != 0 {
		t.Errorf("the rope between bodies: %+v", tied)
	}
	if place.A != number(box) || place.B != 0 || place.BX != 3 || place.BY != 7 || place != sent[1][0] {
		t.Errorf("the rope to a place: %+v, later %+v", place, sent[1])
	}
	var second cursor
	texts, _ := f.news(&second)
	if n := strings.Count(string(join(texts)), `"t":"ropes"`); n != 1 {
		t.Errorf("another browser is sent the ropes %d times", n)
	}
}

func join(texts [][]byte) (all []byte) {
	for _, t := range texts {
		all = append(all, t...)
	}
	return all
}
