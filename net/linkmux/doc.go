// Package linkmux runs many rooms on one link, so that one UDP socket is enough for all of
// them. Each room gets a [Room], which is a link.Link of its own, for a host.Host.
//
// A host program:
//
//	shared, err := kcplink.Listen(":7777", kcplink.Options{Protocol: wire.Version, MaxPeers: 4096})
//	// ...
//	mux := linkmux.New(shared, linkmux.Options{})
//	go mux.Run(ctx)
//	room, err := mux.Open("red")
//	// ...
//	h, err := host.New(host.Config{Link: room, ...})
//
// A client names its room with [Join], around any link:
//
//	l, err := kcplink.Dial("192.0.2.1:7777", kcplink.Options{Protocol: wire.Version})
//	// ...
//	c := client.New(client.Config{Link: linkmux.Join(l, "red"), ...})
//
// If clients cannot use Join, Options.Route decides by the first message of a peer instead,
// such as the Hello of package wire with its token. It may open the room that it names.
//
// # Peers without a room
//
// A peer that has connected and not named a room may send one message on Control of at
// most MaxFirst bytes, within WaitTime. Its datagrams are dropped. If it sends more, or on
// Bulk, or names a room that does not exist, it is closed with a reason. At most
// MaxWaiting such peers are kept: if there are more, the one that has waited longest is
// closed.
//
// # Concurrency
//
// A Room belongs to one goroutine, as every link does, and each Room may have another one.
// The Mux itself belongs to the goroutine that calls Poll, or Run, which polls in real
// time; its other methods may be called from any. The shared link is used by one goroutine
// at a time, so the rooms take turns to send.
//
// Room.Shutdown closes the peers of one room, frees its name, and does not affect the other
// rooms. Mux.Shutdown ends all rooms. Call it when the rooms are done, since it also
// discards what they still had to send.
//
// # Clocks
//
// The Mux has a clock of its own, that of Poll. The time that a Room is given is not used:
// its driver may count from another moment.
//
// # Bounds
//
// Events for a room wait until the room polls. If a room does not poll for long, its
// datagrams are dropped, and a peer is closed when more than 8 MB of its messages wait.
//
// # The bytes
//
// Join sends one message on Control: "HCMX", the version 1, and the name of the room. The
// host answers with one message on Control, which has the single byte 1. All that follows is
// the room's.
package linkmux
