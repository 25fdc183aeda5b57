package replicate

import "testing"

// TestClientsThatAcknowledgeNothingCostLittle tests spectators of a large room that say nothing after the keyframe.
// They share its baseline, and the snapshots that are kept for each of them stay few.
func TestClientsThatAcknowledgeNothingCostLittle(t *testing.T) {
	for _, objects := range []int{3, 100, 1000, 4000} {
		s, schema := crowd(t, objects)
		base, slots, w := Baseline(schema, s, 1), spectated(s, schema, nil), new(Workspace)
		var all []*Sender
		for range 5 {
			sender := NewSender(w, schema, s.Bundle, true)
			sender.Restart(schema, base)
			all = append(all, sender)
		}
		for range 40 {
			drive(s, 3)
			for _, sender := range all {
				sender.Snapshot(s, schema, slots, 1, 1000)
			}
		}
		for _, sender := range all {
			n := len(sender.sent.kept)
			least := min(keptUnproved/base.Memory(), mostKept) / 2
			if bytes := sender.sent.bytes(); sender.base != base || bytes > keptUnproved || n < least {
				t.Errorf("%d objects: %d snapshots are kept, of %d bytes; the baseline is shared: %v", objects, n, bytes,
					sender.base == base)
			}
		}
	}
}

// TestAcknowledgedSnapshotsBecomeBaselines tests clients that acknowledge what they get a round trip later, with every
// third packet lost, in rooms in which all snapshots can be kept, and in which few can. The baseline is at most two
// round trips old, and what is kept stays within its bounds.
func TestAcknowledgedSnapshotsBecomeBaselines(t *testing.T) {
	for _, objects := range []int{3, 1000, 4000} {
		for _, trip := range []int{1, 6, 20} {
			s, schema := crowd(t, objects)
			slots := spectated(s, schema, nil)
			sender := from(schema, s, 1)
			oldest, most := uint32(0), 0
			for n := 1; n < 150; n++ {
				drive(s, 3)
				sender.Snapshot(s, schema, slots, 1, 1000)
				if ack := n - trip; ack > 1 && ack%3 != 0 && sender.Acknowledge(uint32(ack), 0) == 0 {
					t.Fatalf("the acknowledgement of snapshot %d is not known", ack)
				}
				most = max(most, sender.sent.bytes())
				if n > 4*trip {
					oldest = max(oldest, sender.seq-sender.base.Seq)
				}
			}
			if oldest > uint32(2*trip+4) || most > keptBytes {
				t.Errorf("%d objects, a round trip of %d snapshots: the baseline is %d snapshots old; %d bytes are kept",
					objects, trip, oldest, most)
			}
		}
	}
}
