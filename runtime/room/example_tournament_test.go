package room_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/linkmux"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	"go.uber.org/goleak"
)

const rules = `
game { state = { open = false, running = false, lead = 0, winner = 0 }, calls = { start = {} } }
Runner = object "Runner" { state = { pace = 0 }, input = { pace = { "number", min = 0, max = 1 } }, body = { shape = { circle = 0.4 } } }
function Runner:applyInput(input)
  self.pace = math.max(self.pace, input.pace)
  self:setVelocity(game.running and 10 * self.pace or 0, 0)
end
function start() game.open = true end
function tick()
  local ready = 0
  for _, runner in ipairs(objects "Runner") do
    if runner.pace > 0 then ready = ready + 1 end
    game.lead = math.max(game.lead, (runner:getPosition()))
    if game.lead >= 4 and game.winner == 0 then game.winner = runner.owner end
  end
  if game.open and ready == 2 then game.running = true end -- neither waits for its connection
end
`

// A match is a room in which two players race.
type match struct {
	driver *room.Driver
	host   *host.Host
	end    context.CancelFunc
	racers map[world.PlayerID]string
	winner string
	err    error
}

// token lets a player into a match.
func token(match, player string) []byte {
	mac := hmac.New(sha256.New, []byte("a secret key"))
	fmt.Fprintf(mac, "%q %q", match, player)
	return mac.Sum(nil)
}

// newMatch opens the room of a match.
func newMatch(mux *linkmux.Mux, name string) (*match, error) {
	r, err := mux.Open(name)
	if err != nil {
		return nil, err
	}
	m := &match{driver: room.NewDriver(), racers: map[world.PlayerID]string{}}
	m.host, err = host.New(host.Config{
		Link: r, Compile: luabind.Compile, Bundle: bundle.New("race", world.Source{Name: "game.lua", Text: rules}),
		Admit: func(player string, t []byte) error {
			if !hmac.Equal(t, token(name, player)) {
				return errors.New("you do not play in this match")
			}
			return nil
		},
		On: host.Callbacks{Joined: m.joined, Match: progress(name), MatchCommitted: m.scored},
	})
	if err != nil {
		return nil, errors.Join(err, r.Shutdown("there is no match"))
	}
	return m, nil
}

// joined gives a player a runner. When both are there, the race starts with the first input of
// the second.
func (m *match) joined(p world.PlayerID, name string) {
	m.racers[p] = name
	_, err := m.host.Spawn("Runner", world.Placement{Pose: physics.Pose{Y: float64(p)}, Owner: p}, nil)
	if err == nil && len(m.racers) == 2 {
		err = m.host.Call("start")
	}
	m.err = errors.Join(m.err, err)
}

// scored ends the match when a tick is committed in which somebody has won.
func (m *match) scored(_ world.Tick, state world.FieldReader) {
	if winner, _ := state.Number("winner"); winner > 0 {
		m.winner = m.racers[world.PlayerID(winner)]
		m.end()
	}
}

// play runs the match to its end, and closes the room. It returns the name of the winner.
func (m *match) play(ctx context.Context) (winner string, err error) {
	ctx, m.end = context.WithTimeout(ctx, time.Minute)
	defer m.end()
	err = errors.Join(m.driver.Run(ctx, m.host), m.err)
	if err == nil && m.winner == "" {
		err = errors.New("nobody has won")
	}
	return m.winner, err
}

// progress returns a function that shows when the match of a name is under way.
func progress(name string) func(world.Tick, world.FieldReader) {
	shown := false
	return func(_ world.Tick, state world.FieldReader) {
		if lead, _ := state.Number("lead"); lead > 1 && !shown {
			fmt.Println(name, "is under way")
			shown = true
		}
	}
}

// tournament holds matches of two, those of a round at the same time, until one player is left.
// invite tells a player where to play.
func tournament(ctx context.Context, mux *linkmux.Mux, players []string, invite func(player, match string, token []byte)) (champion string, err error) {
	for round := 1; len(players) > 1 && err == nil; round++ {
		winners, failed := make([]string, len(players)/2), make([]error, len(players)/2)
		var matches sync.WaitGroup
		for i := range winners {
			name := fmt.Sprintf("round %d, match %d", round, i+1)
			m, err := newMatch(mux, name)
			if err != nil {
				failed[i] = err
				continue
			}
			matches.Go(func() { winners[i], failed[i] = m.play(ctx) })
			for _, player := range players[2*i : 2*i+2] {
				invite(player, name, token(name, player))
			}
		}
		matches.Wait()
		players, err = winners, errors.Join(failed...)
		fmt.Println("round", round, "won by", players)
	}
	return players[0], err
}

// race is a player's program: it runs at a pace, until the match is over.
func race(ctx context.Context, addr, match, name string, token []byte, pace float64) error {
	socket, err := kcplink.Dial(addr, kcplink.Options{Protocol: wire.Version})
	if err != nil {
		return err
	}
	c := client.New(client.Config{
		Link: linkmux.Join(socket, match), Compile: luabind.Compile, Name: name, Token: token,
		Controls: client.ControlsFunc(func(r world.Reader, slot int) (in world.Input) {
			_ = in.Set(r.Class(slot), "pace", pace)
			return in
		}),
	})
	if err = room.NewDriver().Run(ctx, c); errors.Is(err, client.ErrStopped) {
		return nil // the match is over
	}
	return err
}

// A server holds a tournament: each match is a room of its own, all of them share one UDP socket,
// and nothing is left of them in the end.
func Example_tournament() {
	before := goleak.IgnoreCurrent()
	shared, err := kcplink.Listen("127.0.0.1:0", kcplink.Options{Protocol: wire.Version})
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := linkmux.New(shared, linkmux.Options{})
	ctx, stop := context.WithCancel(context.Background())
	closed := make(chan error)
	go func() { closed <- mux.Run(ctx) }()

	paces := map[string]float64{"ann": 0.7, "bob": 0.3, "cid": 0.4, "dee": 1}
	var racing sync.WaitGroup
	champion, err := tournament(ctx, mux, []string{"ann", "bob", "cid", "dee"}, func(player, match string, token []byte) {
		racing.Go(func() {
			if err := race(ctx, shared.LocalAddr().String(), match, player, token, paces[player]); err != nil {
				fmt.Println(player, err)
			}
		})
	})
	racing.Wait()
	fmt.Println("champion:", champion, err)
	fmt.Println("open rooms:", mux.Stats().Rooms)
	stop()
	fmt.Println("closed:", <-closed)
	fmt.Println("goroutines left behind:", goleak.Find(before))
	// Unordered output:
	// round 1, match 1 is under way
	// round 1, match 2 is under way
	// round 1 won by [ann dee]
	// round 2, match 1 is under way
	// round 2 won by [dee]
	// champion: dee <nil>
	// open rooms: 0
	// closed: <nil>
	// goroutines left behind: <nil>
}
