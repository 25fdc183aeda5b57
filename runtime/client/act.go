package client

import (
	"fmt"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// What a player does in the room, besides playing.

// Enter lets the player join, if the client is an onlooker (Config.Onlooker).
func (c *Client) Enter(now time.Duration) {
	c.now = now
	if s := &c.end.session; s.Onlooker() && s.Playing() {
		c.cfg.Log.Info("joins", "player", s.Player())
	}
	c.end.session.Enter(now, &c.end.mail)
}

// Say sends a line of chat.
func (c *Client) Say(now time.Duration, text string) {
	if c.end.session.Playing() {
		c.now = now
		_ = c.end.mail.Control(now, link.HostPeer, wire.AppendChat(nil, &wire.Chat{Text: text}))
	}
}

// Revise replaces this player's input of an object for tick t. It returns an error unless the
// newest input of a tick counts in this room (Rules.Newest) and packets still repeat the inputs of
// t (redundancy in [input]). If the earlier input is still a guess, the client simulates with in at
// once; otherwise it does so when the host relays in. The host may drop in, as any input. A button
// of in is down, but it is not a press that scripts count (world.Input.Edges).
func (c *Client) Revise(t world.Tick, object world.ObjectID, in world.Input) error {
	b := c.Bundle()
	if b == nil || !b.Rules.Newest {
		return fmt.Errorf("input for tick %d of %s: the first one counts in this room (again in [input])", t, object)
	}
	inputs, ticks := c.end.sent.of(t), world.Tick(b.Rules.Redundancy)
	i := slices.IndexFunc(inputs, func(o ownInput) bool { return o.object == object })
	if i < 0 || t+ticks <= c.end.sent.newest()+1 {
		return fmt.Errorf(
			"input for tick %d of %s: it is none of those of the last %d ticks (redundancy in [input])", t, object,
			ticks-1)
	}
	own := &inputs[i]
	class, ok := c.classUnder(own.bundle, object)
	if !ok {
		return fmt.Errorf("input for tick %d of %s: %w", t, object, world.ErrRemoved)
	}
	in = world.Conform(class.Inputs, in)
	in.ViewTime, in.Edges = own.input.ViewTime, own.input.Edges
	c.end.sent.revise(t, own, in)
	c.role.revise(object, t, own.input)
	return nil
}

// SetPrediction replaces Config.Prediction. A change of the input delay takes effect within some
// seconds. The error is that of Check, or ErrKind if the client is no Predictor.
func (c *Client) SetPrediction(p Prediction) error {
	if err := p.Check(); err != nil {
		return err
	}
	if !c.role.status().simulates {
		return fmt.Errorf("%w: Prediction needs a predictor, this is a %s client", ErrKind, c.cfg.Kind)
	}
	c.cfg.Prediction = p
	return nil
}

// classUnder returns the class of an object as a bundle declares it.
func (c *Client) classUnder(bundle uint32, id world.ObjectID) (*world.Class, bool) {
	w := c.role.status().world
	slot, ok := w.Find(id)
	script := c.end.library.script(bundle)
	if !ok || script == nil {
		return nil, false
	}
	i, ok := script.Schema().ClassByName(w.Class(slot).Name)
	if !ok {
		return nil, false
	}
	return &script.Schema().Classes[i], true
}
