package main

import (
	"strings"
	"time"

	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// entrance is how a player joins: when, and with which answers to what the game asks.
type entrance struct {
	onPage  bool          // the player answers on the page; otherwise nothing is answered
	looks   bool          // the player is an onlooker, until the start screen of the page is closed
	watches bool          // and stays one: a spectator, who is asked nothing
	next    time.Duration // when an answer is sent next, by the driver
}

// enterEvery is how long an entrance waits before it answers again.
const enterEvery = 2 * time.Second

// newEntrance returns the entrance of a player who answers on a page or has none, and who is an onlooker at first,
// or always, or joins at once.
func newEntrance(o options) entrance {
	return entrance{onPage: o.asks(), looks: o.looksOn(), watches: o.watch}
}

// again begins anew with a client whose driver begins at 0. It reports whether the player of this client is an
// onlooker.
func (e *entrance) again() bool {
	e.next = 0
	return e.looks
}

// leaveOut removes from a view what the page does not ask: what another program answers, and whether a spectator wants
// to join.
func (e *entrance) leaveOut(v *room.View) {
	if !e.onPage || e.watches {
		v.Entry = nil
	}
	v.Onlooker = v.Onlooker && !e.watches
}

// serve lets the player join when the page says so, and sends the lines that were typed. It returns the name that
// the answers to the entry form have, "" if there is none.
func (e *entrance) serve(now time.Duration, asked *requests, c *client.Client) (name string) {
	said := asked.Said() // before Plays: the answers to an entry form come after it
	if asked.Plays() && !e.watches {
		e.looks = false
		c.Enter(now)
	}
	for _, text := range said {
		if typed := e.nameIn(c.Schema(), text); typed != "" {
			name = typed
		}
		c.Say(now, text)
	}
	return name
}

// pass answers with nothing for a player who is asked and has no page. It fills v.
func (e *entrance) pass(now time.Duration, c *client.Client, v *room.View) {
	if e.onPage || e.watches || now < e.next || !c.Playing() {
		return
	}
	e.next = now + enterEvery
	if name, form := c.Schema().Functions.EntryForm(); form != nil {
		if c.View(v); v.Entry != nil {
			c.Say(now, "/"+name+" -")
		}
	}
}

// nameIn returns the name that a line of chat has as an answer to the entry form, "" if it has none. schema may be nil.
func (e *entrance) nameIn(schema *world.Schema, line string) (name string) {
	if schema == nil {
		return ""
	}
	enter, form := schema.Functions.EntryForm()
	if answers, ok := strings.CutPrefix(line, "/"+enter+" "); ok && form != nil {
		_, name = form.SplitName(answers)
	}
	return name
}
