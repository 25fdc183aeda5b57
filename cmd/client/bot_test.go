package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// botRoom plays a bot for two players of one process, and has what it logs.
type botRoom struct {
	t    *testing.T
	bots []*botControls
	out  bytes.Buffer
}

func newBotRoom(t *testing.T, source string) *botRoom {
	t.Helper()
	r := &botRoom{t: t}
	lines := newBotLog(slog.New(slog.NewTextHandler(&r.out, &slog.HandlerOptions{ReplaceAttr: withoutTime})))
	for player := 1; player <= 2; player++ {
		bot, err := luabind.NewBot("my.lua", source)
		if err != nil {
			t.Fatal(err)
		}
		r.bots = append(r.bots, &botControls{bot: bot, name: "my.lua", player: player, lines: lines})
	}
	return r
}

func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// play returns what the given players' bots press in three ticks of a Ship with these inputs, and what they log.
func (r *botRoom) play(inputs string, bots ...*botControls) (last world.Input, lines []string) {
	r.t.Helper()
	script, err := luabind.Compile([]world.Source{{Name: "ship.lua",
		Text: "Ship = object \"Ship\" { input = { " + inputs + " } }\nfunction Ship:applyInput(input) end"}},
		world.Setup{TickRate: 60, Seed: 1, Substeps: 1, Width: 50, Height: 50, RepeatInputTicks: 5, GraceTicks: 20,
			Spawns: []world.Spawn{{Class: "Ship", Count: 1}}})
	if err != nil {
		r.t.Fatal(err)
	}
	tl := timeline.New(script, timeline.Options{States: 16})
	r.out.Reset()
	for range 3 {
		tl.Step()
		for _, b := range bots {
			reader := tl.World().Reader()
			objects, err := reader.Objects("Ship", nil)
			if err != nil || len(objects) != 1 {
				r.t.Fatalf("%d ships, %v", len(objects), err)
			}
			slot, _ := reader.Find(objects[0])
			last = b.Input(reader, slot)
		}
	}
	for line := range strings.Lines(r.out.String()) {
		lines = append(lines, regexp.MustCompile(` (object=\w+|tick=1|bot=1)`).ReplaceAllString(strings.TrimSpace(line), ""))
	}
	return last, lines
}

func (r *botRoom) logs(what string, got []string, want ...string) {
	r.t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		r.t.Errorf("%s:\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestBotLogNamesInputsThatAreIgnored: an input that a bot sets and the object does not declare is ignored, and said once
// for the same scripts, however many players there are.
func TestBotLogNamesInputsThatAreIgnored(t *testing.T) {
	t.Parallel()
	r := newBotRoom(t, "-- turns\nfunction bot(me, world) return { Turn = 1, Bosst = true, Accel = true } end")
	const ignored = `level=WARN msg="bot my.lua: my.lua:2: the result sets %s"`
	bosst := fmt.Sprintf(ignored, "Bosst, which is ignored: Ship declares the inputs Boost, Thrust and Turn; did you mean Boost?")
	accel := fmt.Sprintf(ignored, "Accel, which is ignored: Ship declares the inputs Boost, Thrust and Turn")
	in, got := r.play(`Turn = "number", Boost = "bool", Thrust = "bool"`, r.bots...)
	r.logs("the inputs are named otherwise", got, accel, bosst)
	if in.Axes[0] != 1 || in.Buttons != 0 {
		t.Errorf("it presses %+v", in)
	}
	in, got = r.play(`Turn = "number", Accel = "bool", Bosst = "bool"`, r.bots...)
	r.logs("all are declared", got, strings.Replace(over(accel), "WARN", "INFO", 1), strings.Replace(over(bosst), "WARN", "INFO", 1))
	if in.Axes[0] != 1 || in.Buttons != 3 {
		t.Errorf("it presses %+v", in)
	}
}

// over returns the line that says that what another one says is over.
func over(line string) string {
	return strings.TrimSuffix(line, `"`) + `: over, other scripts are in force"`
}

// TestBotLogSaysWhatIsOver: an error of a bot ends with the scripts under which all players have had it, and is logged
// again under others.
func TestBotLogSaysWhatIsOver(t *testing.T) {
	t.Parallel()
	r := newBotRoom(t, "function bot(me, world) return { Boost = true } end")
	const wrong, right = `Boost = "number"`, `Boost = "bool"`
	line := `level=ERROR msg="bot my.lua: my.lua:1: the result sets Boost to a boolean, not a number; Ship declares the inputs: Boost"`
	end := strings.Replace(over(line), "ERROR", "INFO", 1)
	_, got := r.play(wrong, r.bots...)
	r.logs("an input of another type", got, line)
	_, got = r.play(right, r.bots[0])
	r.logs("mended for one player", got)
	_, got = r.play(right, r.bots[1])
	r.logs("mended for both", got, end)
	_, got = r.play(right, r.bots...)
	r.logs("all is well", got)
	_, got = r.play(wrong, r.bots...)
	r.logs("wrong again", got, line)
	r.bots[0].lines.leave(2)
	_, got = r.play(wrong, r.bots[0])
	r.logs("other scripts, the same mistake", got, end, line)
	r.bots[0].lines.leave(1)
	_, got = r.play(right, r.bots[0])
	r.logs("the player who made it has left", got)
}

// TestBotLogKnowsMistakesByTheirText: an error with another number in its text each time is one.
func TestBotLogKnowsMistakesByTheirText(t *testing.T) {
	t.Parallel()
	r := newBotRoom(t, "function bot(me, world)\nif world.tickNumber() == 2 then error('odd 2') end\nerror('tick ' .. world.tickNumber()) end")
	_, got := r.play(`Boost = "bool"`, r.bots...)
	if len(got) != 2 || !strings.Contains(got[0], "my.lua:3: tick 1") || !strings.Contains(got[1], "my.lua:2: odd 2") {
		t.Errorf("it logs\n%s", strings.Join(got, "\n"))
	}
	r.play(`Boost = "number"`, r.bots...)
}
