package wire_test

import (
	"errors"
	"fmt"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// A message is appended at one end and parsed at the other.
func Example() {
	b := wire.AppendChat(nil, &wire.Chat{Text: "hello"})
	fmt.Println(wire.KindOf(b), len(b), "bytes")

	m, err := wire.ParseChat(b)
	fmt.Println(m.Text, err)

	_, err = wire.ParseChat(b[:4])
	fmt.Println(errors.Is(err, wire.ErrMalformed), err)
	// Output:
	// Chat 8 bytes
	// hello <nil>
	// true malformed message: Chat: text before byte 3: cut off: 5 bytes wanted, 1 left
}

// A host packs as many records into a datagram as fit; the others wait for the next one.
func ExampleHostPacketWriter() {
	buf := make([]byte, 0, wire.MaxDatagram)
	var w wire.HostPacketWriter
	w.Reset(buf, wire.HostPacket{Seq: 1, Tick: 60})
	w.Define(wire.Channel{Number: 1, Object: 1<<63 | 7})
	sent := 0
	for seq := uint32(1); seq <= 1000; seq++ {
		rec := wire.Record{Seq: seq, Channel: 1, Event: world.Event{
			Kind: world.InputEvent, Player: 1, Tick: 50 + world.Tick(seq%10), Input: world.Input{Buttons: seq},
		}}
		if !w.Add(&rec) {
			break
		}
		sent++
	}
	var packet wire.HostPacket
	err := wire.ParseHostPacket(w.Bytes(), &packet)
	fmt.Println(len(packet.Records) == sent, len(w.Bytes()) <= wire.MaxDatagram, err)
	// Output: true true <nil>
}
