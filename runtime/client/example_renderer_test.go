package client_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

const demolition = `
game { state = { hits = 0 } }
Stone = object "Stone" { body = { shape = { box = { 2, 1 } } } }
Ball = object "Ball" { body = { shape = { circle = 1.2 }, density = 3 } }
function Ball:onContact() game.hits = game.hits + 1 end
function onStart()
  for y = 0, 4 do spawn("Stone", { x = 3, y = y + 0.5 }) end
  rope(spawn("Ball", { x = -8, y = 7 }), nil, { bx = 0, by = 10, length = 8.5 })
end
`

// canvas is a frame made of text: a character is half a metre wide and a metre high.
type canvas [12][48]byte

// at is the middle of a character, in metres.
func at(row, column int) physics.Vec {
	return physics.Vec{X: float64(column)/2 - 12, Y: 11 - float64(row)}
}

// draw draws the room: bodies by the first letter of their class, and ropes.
func (c *canvas) draw(v *room.View) {
	for row := range c {
		for column := range c[row] {
			c[row][column] = ' '
		}
	}
	bodies := map[world.ObjectID]*room.ViewBody{}
	for i := range v.Bodies {
		b := &v.Bodies[i]
		bodies[b.ID] = b
		for _, s := range b.Shapes() {
			c.fill(b, &s)
		}
	}
	for _, line := range v.Lines {
		a, b := physics.Vec{X: line.AX, Y: line.AY}, physics.Vec{X: line.BX, Y: line.BY}
		a = bodies[line.A].ToWorld(a)
		if body := bodies[line.B]; body != nil {
			b = body.ToWorld(b)
		}
		for i := range 40 {
			f := float64(i) / 39
			c.dot(physics.Vec{X: a.X + (b.X-a.X)*f, Y: a.Y + (b.Y-a.Y)*f})
		}
	}
}

// fill draws a circle or a polygon of a body.
func (c *canvas) fill(b *room.ViewBody, s *physics.Shape) {
	for row := range c {
		for column := range c[row] {
			p := b.ToBody(at(row, column))
			inside := s.Kind == physics.Circle && p.X*p.X+p.Y*p.Y <= s.Radius*s.Radius || s.Kind == physics.Polygon
			for i, n := range s.Normals[:s.Count] {
				inside = inside && (p.X-s.Points[i].X)*n.X+(p.Y-s.Points[i].Y)*n.Y <= 0
			}
			if inside {
				c[row][column] = b.Class[0]
			}
		}
	}
}

// dot draws a point of a rope, where nothing else is.
func (c *canvas) dot(p physics.Vec) {
	row, column := int(11.5-p.Y), int(2*p.X+24.5)
	if row >= 0 && row < len(c) && column >= 0 && column < len(c[0]) && c[row][column] == ' ' {
		c[row][column] = '.'
	}
}

func (c *canvas) print() {
	for _, row := range c {
		fmt.Println(strings.TrimRight(string(row[:]), " ") + "|")
	}
}

// A program draws a room itself: what a client shows, in each frame of 20 ms.
func Example_renderer() {
	game := bundle.New("demolition", world.Source{Name: "game.lua", Text: demolition})
	game.Setup.GravityY = -10
	game.Setup.Walls = []world.Wall{{Y: -0.5, W: 24, H: 1}}
	network := memlink.New(1)
	host, err := host.New(host.Config{Bundle: game, Compile: luabind.Compile, Link: network.Host()})
	if err != nil {
		fmt.Println(err)
		return
	}
	client := client.New(client.Config{Link: network.Dial(memlink.LAN(), memlink.LAN()), Compile: luabind.Compile, Name: "onlooker"})
	var view room.View
	var text canvas
	for now := time.Duration(0); now <= 2*time.Second; now += 20 * time.Millisecond {
		host.Poll(now)
		if err := host.Update(now); err != nil {
			fmt.Println(err)
			return
		}
		client.Poll(now)
		client.Update(now)
		client.View(&view)
		text.draw(&view)
		if now%time.Second == 0 && len(view.Bodies) > 0 {
			hits, _ := view.Match.Number("hits")
			fmt.Printf("after %v: %v hits\n", now, hits)
			text.print()
		}
	}
	// Output:
	// after 1s: 0 hits
	// |
	//                        ..|
	//                       ..|
	//                     ...|
	//                    ..|
	//                  ..|
	//                ...|
	//             BBBB             SSSS|
	//             BBBB             SSSS|
	//                              SSSS|
	//                             SSSS|
	// WWWWWWWWWWWWWWWWWWWWWWWWWWWWSSSSWWWWWWWWWWWWWWWW|
	// after 2s: 3 hits
	// |
	//                         .|
	//                         .|
	//                          .|
	//                          .|
	//                          .|
	//                           .|
	//                           .  SSSS|
	//                           .  SSSS|
	//                          BBBBBSSSS|
	//                          BBBB SSSS|
	// WWWWWWWWWWWWWWWWWWWWWWWWWWWWWSSSSWWWWWWWWWWWWWWW|
}
