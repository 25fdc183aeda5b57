package wire

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/figures"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// fightFrame returns a packet of a host with 64 players: records in the order in which the inputs
// arrived, some ticks early or late, each with other keys.
func fightFrame() HostPacket {
	m := HostPacket{Seq: 40000, Tick: 36000, Inputs: InputAck{Newest: 36002, Mask: 0xffff}}
	for i := range 64 {
		channel := uint16(1 + i*37%64)
		in := world.Input{Buttons: uint32(1 + i%31)}
		m.Records = append(m.Records, inputRecord(uint32(3e6+i), channel, world.Tick(35997+i%7), in))
	}
	return m
}

// heldFrame returns the packet of a client whose player has held the same keys for long.
func heldFrame() InputPacket {
	in := world.Input{Buttons: 5}
	run := InputRun{Object: ship, Bundle: 3, First: 36000}
	for range MaxInputs {
		run.Inputs = append(run.Inputs, in)
	}
	return InputPacket{Seq: 40000, Ack: Ack{Newest: 39990, Mask: ^uint64(0)}, Runs: []InputRun{run}}
}

// aimFrame returns the packet of a client whose player moves a mouse all the time.
func aimFrame() InputPacket {
	m := heldFrame()
	for i := range m.Runs[0].Inputs {
		m.Runs[0].Inputs[i].Axes[0] = steps(float64(1000+37*i), 0.001)
	}
	m.Claim = &Claim{Object: ship, Tick: 36015, KnownSeq: 3e6, X: 1, Y: 2}
	return m
}

// shownFrame is aimFrame of a client whose screen shows the past, with a view time that
// changes a little each time.
func shownFrame() InputPacket {
	m := aimFrame()
	for i := range m.Runs[0].Inputs {
		m.Runs[0].Inputs[i].ViewTime = world.ViewTime{Back: uint16(900 + i*7%16), All: true}
	}
	return m
}

// sightAt returns the sight of three objects that move at 5 m/s, after some ticks.
func sightAt(tick int) (s world.Sight) {
	for i := range 3 {
		id := world.ObjectID(0x9e3779b97f4a7c15)>>1 + world.ObjectID(i)<<60 | 1<<63
		s = append(s, world.SightPose(id, physics.Pose{X: float64(7*i) + float64(tick)/12, Y: 12 - float64(3*i), Angle: float64(i)}))
	}
	return s
}

// Messages have the sizes that PROTOCOL.md names.
func TestSizes(t *testing.T) {
	fight, idle := fightFrame(), HostPacket{Seq: 40000, Tick: 36000}
	marked := HostPacket{Seq: 40000, Tick: 36000, Records: []Record{{Seq: 3e6, Committed: true, Event: world.Event{Tick: 35970}}}}
	one, two := fight, fight
	one.Records, two.Records = fight.Records[:10], fight.Records[:11]
	others := fightFrame() // its channels have other numbers than the players
	for i := range others.Records {
		others.Records[i].Event.Player = world.PlayerID(1 + i*53%127)
	}
	twice := fightFrame() // as on a line with losses
	for i, rec := range fight.Records {
		rec.Seq, rec.Event.Tick = rec.Seq-64, rec.Event.Tick-1
		rec.Event.Input.Buttons ^= uint32(i) & 1
		twice.Records = append(twice.Records, rec)
	}
	held, aim, shown, claim := heldFrame(), aimFrame(), shownFrame(), heldFrame()
	claim.Claim = aim.Claim
	saw, sawAll, sighted := heldFrame(), heldFrame(), fight
	saw.Sights = []InputSight{{Input: 7, Sight: sightAt(7)}}
	for i := range MaxInputs {
		sawAll.Sights = append(sawAll.Sights, InputSight{Input: i, Sight: sightAt(i)})
	}
	sighted.Records = slices.Clone(two.Records)
	sighted.Records[10].Event.Sight = sightAt(7)
	cases := []struct {
		what       string
		size, want int
	}{
		{"HostPacket, nothing new", len(AppendHostPacket(nil, &idle)), 9},
		{"HostPacket, a commit mark", len(AppendHostPacket(nil, &marked)), 24},
		{"HostPacket, 64 inputs", len(AppendHostPacket(nil, &fight)), 209},
		{"HostPacket, 64 inputs, players named", len(AppendHostPacket(nil, &others)), 272},
		{"HostPacket, 64 inputs twice", len(AppendHostPacket(nil, &twice)), 372},
		{"an input record", len(AppendHostPacket(nil, &two)) - len(AppendHostPacket(nil, &one)), 3},
		{"InputPacket, 16 equal inputs", len(AppendInputPacket(nil, &held)), 25},
		{"InputPacket, 16 equal inputs and a claim", len(AppendInputPacket(nil, &claim)), 55},
		{"InputPacket, 16 aims and a claim", len(AppendInputPacket(nil, &aim)), 130},
		{"InputPacket, 16 equal inputs, one with a sight of 3 objects", len(AppendInputPacket(nil, &saw)), 74},
		{"InputPacket, 16 equal inputs, each with a sight of 3 objects", len(AppendInputPacket(nil, &sawAll)), 298},
		{"an input record with a sight of 3 objects", len(AppendHostPacket(nil, &sighted)) - len(AppendHostPacket(nil, &one)), 49},
		{"InputPacket, 16 aims, each at another moment, and a claim", len(AppendInputPacket(nil, &shown)), 163},
	}
	for _, c := range cases {
		if c.size != c.want {
			t.Errorf("%s: %d bytes, not %d", c.what, c.size, c.want)
		}
		figures.Row(t, "benchmarks.md", c.what, fmt.Sprint(c.size))
	}
}

// The writer fills a datagram until the next record does not fit, and writes the same bytes
// as AppendHostPacket.
func TestHostPacketWriter(t *testing.T) {
	buf := []byte(strings.Repeat("used", MaxDatagram/4))
	var w HostPacketWriter
	for round := range 3 { // it can be used again
		m := HostPacket{Seq: uint32(round), Tick: 36000, Inputs: InputAck{Newest: 35999, Mask: 0xffff}}
		w.Reset(buf, m)
		for i := uint16(1); i <= 8; i++ {
			m.Channels = append(m.Channels, Channel{Number: i, Object: ship + world.ObjectID(i)})
			if !w.Define(m.Channels[i-1]) {
				t.Fatal("a channel does not fit an empty datagram")
			}
		}
		refused := 0
		for i := range uint32(1000) {
			rec := inputRecord(i, uint16(i*7%200), 36000, world.Input{Buttons: i})
			if i%5 == 0 {
				rec = Record{Seq: i, Committed: true, Hash: uint64(i), Event: world.Event{Tick: 36000}}
			}
			before := string(w.Bytes())
			if w.Add(&rec) {
				m.Records = append(m.Records, rec)
				continue
			}
			if refused++; string(w.Bytes()) != before {
				t.Fatal("a record that does not fit left something")
			}
		}
		if w.Define(Channel{}) || refused == 0 {
			t.Error("there is room for everything")
		}
		b := w.Bytes()
		if len(b) > MaxDatagram || len(b) < MaxDatagram-8 {
			t.Errorf("%d bytes", len(b))
		}
		if &b[0] != &buf[0] {
			t.Error("the frame is not in the buffer")
		}
		if string(b) != string(AppendHostPacket(nil, &m)) {
			t.Error("the writer and AppendHostPacket differ")
		}
		var got HostPacket
		if err := ParseHostPacket(b, &got); err != nil || !same(got, m) {
			t.Errorf("got %d records of %d, %v", len(got.Records), len(m.Records), err)
		}
	}
}

// fullFrame has as many records as a datagram can hold, of one byte each.
func fullFrame() []byte {
	var w HostPacketWriter
	w.Reset(nil, HostPacket{Seq: 40000, Tick: 36000})
	rec := inputRecord(0, 1, 36000, world.Input{})
	rec.Event.Bundle = 0
	for w.Add(&rec) {
		rec.Seq++
		rec.Channel++
		rec.Event.Player++
	}
	return w.Bytes()
}

func TestFullFrame(t *testing.T) {
	b := fullFrame()
	var m HostPacket
	if err := ParseHostPacket(b, &m); err != nil {
		t.Fatal(err)
	}
	if len(b) < MaxDatagram-1 || len(b) > MaxDatagram || len(m.Records) != len(b)-len("\x04sssttt0")-1 {
		t.Errorf("%d records in %d bytes", len(m.Records), len(b))
	}
}

func TestAllocations(t *testing.T) {
	buf := make([]byte, 0, 2*MaxDatagram)
	host, input := fightFrame(), aimFrame()
	bare := heldFrame()
	hostBytes, inputBytes, bareBytes := AppendHostPacket(nil, &host), AppendInputPacket(nil, &input), AppendInputPacket(nil, &bare)
	var gotHost HostPacket
	var gotInput InputPacket
	var w HostPacketWriter
	ping := Ping{Sent: 1}
	cases := map[string]func(){
		"AppendInputPacket": func() { AppendInputPacket(buf, &input) },
		"AppendHostPacket":  func() { AppendHostPacket(buf, &host) },
		"ParseInputPacket": func() { // with and without a claim
			mustNot(t, ParseInputPacket(inputBytes, &gotInput))
			mustNot(t, ParseInputPacket(bareBytes, &gotInput))
		},
		"ParseHostPacket": func() { mustNot(t, ParseHostPacket(hostBytes, &gotHost)) },
		"HostPacketWriter": func() {
			w.Reset(buf, host)
			for i := range host.Records {
				w.Add(&host.Records[i])
			}
			w.Bytes()
		},
		"Ping": func() {
			_, err := ParsePing(AppendPing(buf, &ping))
			mustNot(t, err)
		},
	}
	for name, f := range cases {
		if n := testing.AllocsPerRun(20, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func mustNot(t testing.TB, err error) {
	if err != nil {
		t.Fatal(err)
	}
}
