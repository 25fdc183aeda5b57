package host_test

import (
	"maps"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// TestRefusalsAreCountedByReason tests one thing after another that a client may not do: the host counts each for its
// reason, and nothing else.
func TestRefusalsAreCountedByReason(t *testing.T) {
	t.Parallel()
	hash := [32]byte(bundle.HashOf(stub.Game().Encode()))
	input := func(change func(m *wire.InputPacket, run *wire.InputRun)) func(*roomtest.Tamper, *simtest.Sim) {
		return func(line *roomtest.Tamper, sim *simtest.Sim) {
			line.Change = func(m *wire.InputPacket) {
				for i := range m.Runs {
					change(m, &m.Runs[i])
				}
			}
		}
	}
	datagram := func(b []byte) func(*roomtest.Tamper, *simtest.Sim) {
		return func(line *roomtest.Tamper, _ *simtest.Sim) {
			_ = line.Link.SendDatagram(line.Now, line.Host, b)
		}
	}
	says := func(times int, b []byte) func(*roomtest.Tamper, *simtest.Sim) {
		return func(line *roomtest.Tamper, _ *simtest.Sim) {
			for range times {
				line.Say(b)
			}
		}
	}
	for reason, do := range map[string]func(*roomtest.Tamper, *simtest.Sim){
		"input_invalid_value": input(func(_ *wire.InputPacket, run *wire.InputRun) {
			run.Inputs[0] = world.Input{Axes: [world.MaxAxes]float64{math.NaN()}}
		}),
		"input_too_far_ahead":        input(func(_ *wire.InputPacket, run *wire.InputRun) { run.First += 1 << 20 }),
		"input_object_gone":          input(func(_ *wire.InputPacket, run *wire.InputRun) { run.Object = 77 }),
		"input_wrong_bundle":         input(func(_ *wire.InputPacket, run *wire.InputRun) { run.Bundle = 9 }),
		"acknowledged_unsent":        input(func(m *wire.InputPacket, _ *wire.InputRun) { m.Snapshot = 1 << 20 }),
		"malformed_kind_of_datagram": datagram([]byte{0xFF, 1, 2}),
		"malformed_Ping_sent":        datagram([]byte{byte(wire.KindPing)}),
		"malformed_InputPacket_runs": datagram(absurd()),
		"client_too_many_bundles":    says(2, wire.AppendBundleWant(nil, &wire.BundleWant{Hash: hash})),
		"client_unknown_bundle":      says(1, wire.AppendBundleWant(nil, &wire.BundleWant{Hash: [32]byte{1}})),
		"client_too_many_requests":   says(40, wire.AppendReady(nil, &wire.Ready{})),
		"malformed_Chat_text":        says(1, []byte{byte(wire.KindChat), 0, 9}),
		"command":                    says(1, wire.AppendChat(nil, &wire.Chat{Text: "/nothing"})),
		"client_protocol_error":      says(1, []byte{byte(wire.KindHello)}),
	} {
		t.Run(reason, func(t *testing.T) {
			o := roomtest.Options(3, 2, memlink.LAN())
			line := roomtest.Tampered(&o)
			sim := simtest.New(t, o)
			sim.Run(2 * time.Second)
			if got := refused(sim); len(got) > 0 {
				t.Fatalf("before: %v", got)
			}
			do(line, sim)
			sim.Run(400 * time.Millisecond)
			got := refused(sim)
			if got[reason] == 0 {
				t.Errorf("not counted: %v", got)
			}
			delete(got, reason)
			delete(got, "client_protocol_error") // a message that is malformed is that, too
			if len(got) > 0 {
				t.Errorf("counted as well: %v", got)
			}
		})
	}
}

// absurd returns an InputPacket that announces more runs than one may have.
func absurd() []byte {
	b := wire.AppendInputPacket(nil, &wire.InputPacket{Seq: 1 << 20})
	return append(b[:len(b)-1], 0xFF, 0xFF, 0x7F)
}

// refused returns what the host has refused, without what its link has.
func refused(sim *simtest.Sim) map[string]int64 {
	all := sim.Host.Report(sim.Now).Refused
	maps.DeleteFunc(all, func(reason string, _ int64) bool { return strings.HasPrefix(reason, "link_") })
	return all
}
