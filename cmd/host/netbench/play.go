package netbench

import (
	"math"

	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// player has the controls of one player in a scene with a game of its own.
type player struct {
	client  func() *client.Client
	seed    uint64
	act     func(p *player, r world.Reader, slot int, in *world.Input)
	view    room.View
	presses int  // of what the scene counts
	idle    bool // presses nothing that the scene counts
}

func newPlayer(client func() *client.Client, seed uint64,
	act func(p *player, r world.Reader, slot int, in *world.Input)) *player {
	return &player{client: client, seed: seed, act: act}
}

// Input implements client.Controls.
func (p *player) Input(r world.Reader, slot int) (in world.Input) {
	p.act(p, r, slot, &in)
	return in
}

// rest makes the player press nothing more that is counted, or go on.
func (p *player) rest(rests bool) { p.idle = rests }

// pressed returns how often the player pressed what the scene counts.
func (p *player) pressed() int { return p.presses }

// press presses a button for one tick.
func (p *player) press(c *world.Class, in *world.Input, button string) {
	if f, ok := world.FindInput(c.Inputs, button); ok && !p.idle {
		in.Press(f.Index, 1)
		p.presses++
	}
}

// every reports whether a time of n ticks begins with tick t, at another tick for each player.
func (p *player) every(t world.Tick, n uint64) bool { return (uint64(t)+7*p.seed)%n == 0 }

// draw returns a number that changes every n ticks.
func (p *player) draw(t world.Tick, n uint64) uint64 {
	x := ((uint64(t)+7*p.seed)/n + p.seed*1_000_003) * 0x9e3779b97f4a7c15
	x ^= x >> 29
	return x * 0xbf58476d1ce4e5b9 >> 20
}

// set sets an input, which the class has.
func set(in *world.Input, c *world.Class, name string, v float64) {
	if err := in.Set(c, name, v); err != nil {
		panic(err) // the game is a part of this package
	}
}

// carry turns to and fro, and passes the ball every four seconds.
func carry(p *player, r world.Reader, slot int, in *world.Input) {
	t, c := r.Tick(), r.Class(slot)
	if c.Name != "Runner" {
		return // the ball
	}
	set(in, c, "turn", math.Sin(float64(t)/40+float64(p.seed))+float64(p.draw(t, 20)%16)/16-0.5)
	if p.every(t, 240) {
		p.press(c, in, "Pass")
	}
}

// swing shoots a hook up for three quarters of each second, to one side and then to the other.
func swing(p *player, r world.Reader, slot int, in *world.Input) {
	t, c := (uint64(r.Tick())+7*p.seed)%120, r.Class(slot)
	if c.Name != "Runner" {
		return // the hook
	}
	side := float64(t/60)*2 - 1
	set(in, c, "aim", math.Pi/2-0.5*side)
	if t%60 < 45 {
		set(in, c, "Fire", 1)
	}
	if side > 0 {
		set(in, c, "Right", 1)
	} else {
		set(in, c, "Left", 1)
	}
}

// snipe turns round twice a second, and shoots three times a second at the centre of a fighter as the
// screen shows it.
func snipe(p *player, r world.Reader, slot int, in *world.Input) {
	t, c := r.Tick(), r.Class(slot)
	set(in, c, []string{"Left", "Right"}[(uint64(t)/30+p.seed)%2], 1)
	if !p.every(t, 20) {
		return
	}
	p.client().View(&p.view)
	var me *room.ViewBody
	var others []*room.ViewBody
	for i := range p.view.Bodies {
		switch b := &p.view.Bodies[i]; b.Owner {
		case 0:
		case p.view.Player:
			me = b
		default:
			others = append(others, b)
		}
	}
	if me == nil || len(others) == 0 {
		return
	}
	at := others[p.draw(t, 20)%uint64(len(others))]
	set(in, c, "aim", math.Atan2(at.Y-me.Y, at.X-me.X))
	p.press(c, in, "Fire")
}

// stroll walks in a direction that changes twice a second, and waves every second.
func stroll(p *player, r world.Reader, slot int, in *world.Input) {
	t, c := r.Tick(), r.Class(slot)
	way := p.draw(t, 30)
	if along := []string{"Left", "Right", ""}[way%3]; along != "" {
		set(in, c, along, 1)
	}
	if up := []string{"Up", "Down", ""}[way/3%3]; up != "" {
		set(in, c, up, 1)
	}
	if p.every(t, 60) {
		p.press(c, in, "Wave")
	}
}
