package simtest_test

import (
	"fmt"
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
	"github.com/hindcast/hindcast/world"
)

const voting = `
game { state = { votes = 0 }, calls = { vote = { "player", "number", "bool", "string" }, reset = { "number" } } }
function vote(p, n, fast, map)
  game.votes = game.votes + 1
  for _, q in ipairs(players()) do tell(q, p .. " " .. n .. " " .. tostring(fast) .. " " .. map) end
end
function reset(n) game.votes = n end
`

// TestCommands: a line of chat with a slash calls a function in a tick that every client simulates, and is no chat. A
// player whose command is refused learns it, and nobody else does.
func TestCommands(t *testing.T) {
	t.Parallel()
	chat := make([][]string, 2)
	messages := make([][]string, 2)
	m := simtest.New(t, simtest.Options{Seed: 3, Clients: 2, Profile: memlink.Average(), Compile: compile,
		Bundle: bundle.New("voting", world.Source{Name: "game.lua", Text: voting}),
		Client: func(i int, cfg *client.Config) {
			cfg.Verify = true
			cfg.Chat = func(from world.PlayerID, text string) {
				if from != 0 {
					t.Errorf("client %d is shown %q", i, text)
				}
				chat[i] = append(chat[i], text)
			}
			cfg.Cues = func(e room.CueEvent) {
				if text, ok := e.Cue.Message(); ok {
					messages[i] = append(messages[i], text)
				}
			}
		}})
	everybodyPlays(m)
	bad := map[string]string{"/fly": "no such function: /fly; there is only /vote number bool string", "/help": "/vote number bool string", "/reset 3": "no such function", "/": "no such function", "/vote": "a number is missing",
		"/vote NaN true x": "not a number", "/vote 1 maybe x": "not a bool", "/vote 1 true ": "a string is missing"}
	for line, want := range bad {
		chat[0] = nil
		m.Clients[0].Say(m.Now, line)
		m.Run(2 * time.Second)
		if len(chat[0]) != 1 || !strings.Contains(chat[0][0], want) {
			t.Errorf("%q is answered %q, want %q", line, chat[0], want)
		}
	}
	m.Clients[1].Say(m.Now, "/vote  2.5 true  the old bridge ")
	m.Run(4 * time.Second)
	want := []string{fmt.Sprint(m.Clients[1].Player(), " 2.5 true the old bridge")}
	if len(chat[1]) != 0 || !slices.Equal(messages[1], want) || !slices.Equal(messages[0], want) {
		t.Errorf("the other client is shown %q; messages: %q, want %q for both", chat[1], messages, want)
	}
	m.Drain()
	if n := m.AgreeOnHashes(); n < 100 || m.Report(0).Rewinds.Count == 0 {
		t.Errorf("%d ticks compared, %d rewinds", n, m.Report(0).Rewinds.Count)
	}
}

const filtering = voting + `
function filterChat(p, text)
  if text == "hush" then return nil end
  if text == "oops" then error("broken") end
  return text:gsub("darn", "****") .. " (" .. game.votes .. ")"
end
`

// TestFilteredChat tests that filterChat decides on the host what everybody gets of a line of chat, after the program has
// allowed it, and that commands do not come to it.
func TestFilteredChat(t *testing.T) {
	t.Parallel()
	var shown [2][]string
	m := simtest.New(t, simtest.Options{Seed: 3, Clients: 2, Profile: memlink.Average(), Compile: compile,
		Bundle: bundle.New("filtering", world.Source{Name: "game.lua", Text: filtering}),
		Host: func(cfg *host.Config) {
			cfg.On.Chat = func(_ world.PlayerID, text string) bool { return text != "never" }
		},
		Client: func(i int, cfg *client.Config) {
			cfg.Chat = func(from world.PlayerID, text string) { shown[i] = append(shown[i], fmt.Sprint(from, " ", text)) }
		}})
	everybodyPlays(m)
	p := m.Clients[0].Player()
	for _, line := range []string{"darn it", "hush", "/vote 1 true x", "hello", "oops", "never"} {
		m.Clients[0].Say(m.Now, line)
		m.Run(2 * time.Second)
	}
	want := []string{fmt.Sprint(p, " **** it (0)"), fmt.Sprint(p, " hello (1)"), fmt.Sprint(p, " oops")}
	if !slices.Equal(shown[0], want) || !slices.Equal(shown[1], want) {
		t.Errorf("they are shown %q and %q, want %q", shown[0], shown[1], want)
	}
	m.Drain()
	m.AgreeOnHashes()
}
