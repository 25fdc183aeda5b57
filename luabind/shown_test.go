package luabind_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/world"
)

// TestHUDOfTeams tests what view.lua shows of teams and pings, and bars that are hidden at a value.
func TestHUDOfTeams(t *testing.T) {
	v := loadHUD(t, `
scoreboard { columns = { "name", "ping" }, sort = "-ping" }
hud(function(v)
  text { teamName(1) .. teamName("Red") .. teamName(7) .. teamName(""), id = "won", color = teamColor("Red") }
  bar { id = "none", value = 0.5, hide = 0.5 } bar { value = 0, hide = 0 } bar { hide = 0 } bar { id = "some", value = 1, hide = 0 }
  for _, p in ipairs(v.players()) do text { p.ping, color = teamColor("") } end
end)`)
	f := soccerFrame(t)
	f.Players[0].Ping, f.Players[1].Ping = 20, 140
	f.Schema = &world.Schema{Teams: []world.Option{{Name: "Blue", Color: "#59f"}, {Name: "Red", Color: "#f55"}}}
	h, err := v.HUD(f)
	if err != nil {
		t.Fatal(err)
	}
	got, _ := json.Marshal(h)
	want := `{"widgets":[{"kind":"text","id":"won","text":"BlueRed","color":"#f55"},{"kind":"bar","id":"some","value":1},{"kind":"text","text":"20"},{"kind":"text","text":"140"}],` +
		`"scores":{"columns":["name","ping"],"rows":[{"player":3,"cells":["bob","140"]},{"player":2,"cells":["ada","20"]}]}}`
	if string(got) != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestInstantReplay tests what a cue asks the page to show again.
func TestInstantReplay(t *testing.T) {
	v := loadHUD(t, `
onCue("goal", function(c) instantReplay { seconds = 4, speed = 0.25, focus = c.object } end)
onCue("most", function(c) instantReplay { seconds = 99, speed = 0 } end)
onCue("none", function(c) instantReplay { focus = "the ball" } end)`)
	show := func(name string) (list []luabind.Effect, err error) {
		list, _, err = v.Show(luabind.OnCue, &world.Cue{CueKey: world.CueKey{Name: name, Object: 0x2f}}, luabind.Showing{})
		return list, err
	}
	for name, want := range map[string]luabind.Replay{"goal": {Seconds: 4, Speed: 0.25, Focus: "000000000000002f"}, "most": {Seconds: 8, Speed: 0.1}} {
		list, err := show(name)
		if err != nil || len(list) != 1 || list[0].Kind != "instantReplay" || *list[0].Replay != want {
			t.Errorf("%s: %+v, %v", name, list, err)
		}
	}
	if _, err := show("none"); err == nil || !strings.Contains(err.Error(), "focus must be an object") {
		t.Error(err)
	}
}
