package simtest_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
)

// senders tell the player after them, whom they see touched, and how often, in a text that takes several fields of
// a cue.
const senders = `
game { state = { touches = 0 } }
Ship = object "Ship" { LEVEL input = { Left = "bool" }, state = { n = 0 }, body = { shape = { circle = 1 } } }
function Ship:applyInput(input) self:setForce(input.Left and -30 or 30, 0) end
function Ship:onContact(other)
  if not other or other.class ~= "Ship" then return end
  self.n = self.n + 1
  tell(self.owner % 4 + 1, self.owner .. " touches for the " .. self.n .. "th time: " .. ("é"):rep(60))
end
function onJoin(player) spawn("Ship", { owner = player, x = player * 2.5 }) end
`

// swayer turns round again and again, each at other times.
type swayer int

func (p swayer) Input(r world.Reader, _ int) (in world.Input) {
	if (int(r.Tick())/(37+5*int(p)))%2 == 0 {
		in.Press(0, 1)
	}
	return in
}

// TestMessagesReachTheirPlayers: each message of a match reaches its player once and whole, and nobody else, while rewinds
// change who touches whom.
func TestMessagesReachTheirPlayers(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"predict", "interpolate"} {
		for name, line := range map[string]memlink.Profile{"average": memlink.Average(), "bad": memlink.Bad(), "awful": memlink.Awful()} {
			if !draws.Full() && name != map[string]string{"predict": "bad", "interpolate": "awful"}[level] {
				continue
			}
			t.Run(level+"/"+name, func(t *testing.T) {
				t.Parallel()
				messages := make([][]string, 4)
				var truth [5][]string
				from, to := world.Tick(math.MaxUint32), world.Tick(math.MaxUint32) // others are not compared: not everybody was in the room
				note := func(e *room.CueEvent, list *[]string) {
					text, ok := e.Cue.Message()
					if !ok || e.Kind != room.CueFired {
						t.Errorf("%v %v", e.Kind, e.Cue)
					}
					if e.Cue.Tick >= from && e.Cue.Tick < to {
						*list = append(*list, fmt.Sprint(e.Cue.Tick, " ", text))
					}
				}
				b := bundle.New("senders", world.Source{Name: "game.lua", Text: strings.Replace(senders, "LEVEL", fmt.Sprintf("lod = %q,", level), 1)})
				b.Setup.Walls = []world.Wall{{X: -4, W: 1, H: 20}, {X: 12, W: 1, H: 20}}
				m := simtest.New(t, simtest.Options{Seed: 5, Clients: 4, Profile: line, Bundle: b, Compile: compile,
					Controls: func(i int) client.Controls { return swayer(i) },
					Host:     func(cfg *host.Config) { cfg.On.Cue = func(e room.CueEvent) { note(&e, &truth[e.Cue.Owner]) } },
					Client: func(i int, cfg *client.Config) {
						if i == 3 {
							cfg.Kind = client.Spectator
						}
						cfg.Verify = i < 3
						cfg.Cues = func(e room.CueEvent) { note(&e, &messages[i]) }
					}})
				everybodyPlays(m)
				from = m.Host.Now() + 120
				m.Run(draws.Pick(13*time.Second, 20*time.Second))
				to = m.Host.Now()
				m.Run(6 * time.Second)
				if r := m.Host.Report(m.Now); r.Rewinds.Count < 20 {
					t.Errorf("%d rewinds", r.Rewinds.Count)
				}
				several := 0
				for i, c := range m.Clients {
					want := truth[c.Player()]
					slices.Sort(want) // cues of replicated objects may overtake each other
					slices.Sort(messages[i])
					if len(want) > 4 {
						several++
					}
					if !slices.Equal(messages[i], want) {
						t.Errorf("player %d got %d messages, want %d:\n%q\n%q", c.Player(), len(messages[i]), len(want), messages[i], want)
					}
				}
				if several < 3 {
					t.Errorf("%d players get more than 4 messages", several)
				}
			})
		}
	}
}
