package room_test

import (
	"testing"

	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

func TestDisplacementAsText(t *testing.T) {
	t.Parallel()
	crate, ship := world.ObjectID(9), world.ObjectID(4)
	late := room.Displacement{Distance: 0.418, Provenance: timeline.Provenance{Tick: 815, Cause: timeline.CauseInput, Player: 3, InputTick: 812, LateBy: 5, KnownBy: 14}}
	scripted := late
	scripted.Provenance.File, scripted.Provenance.Line, scripted.Provenance.Text = "ship.lua", 14, "setDirectionalForce(0, 40)"
	pushed := scripted
	pushed.Provenance.Through = []timeline.Through{{Kind: world.FromTouch, Class: "Crate", Object: crate}, {Kind: world.FromTouch, Class: "Ship", Owner: 3, Object: ship}}
	inTime := late
	inTime.Provenance.LateBy = 0
	onHost := pushed
	onHost.Kind, onHost.Provenance.KnownBy = room.Rewinding, onHost.Provenance.LateBy
	by := func(steps ...timeline.Through) room.Displacement {
		return room.Displacement{Distance: 1, Provenance: timeline.Provenance{Tick: 9, Cause: timeline.CauseEvent, Event: world.JoinEvent, Player: 2, InputTick: 8, Through: steps}}
	}
	for _, c := range []struct {
		m    room.Displacement
		want string
	}{
		{late, "repredicted 0.42 m in tick 815: player 3's input for tick 812 arrived 5 ticks late, and reached this client 14 ticks after its tick"},
		{inTime, "repredicted 0.42 m in tick 815: player 3's input for tick 812 was on time, and reached this client 14 ticks after its tick"},
		{pushed, "repredicted 0.42 m in tick 815: player 3's input for tick 812 arrived 5 ticks late, and reached this client 14 ticks after its tick; " +
			"ship.lua:14 setDirectionalForce(0, 40); reached you through contact with Crate 0000000000000009, that one through contact with player 3's Ship"},
		{onHost, "rewound in tick 815: player 3's input for tick 812 arrived 5 ticks late; ship.lua:14 setDirectionalForce(0, 40); " +
			"reached it through contact with Crate 0000000000000009, that one through contact with player 3's Ship"},
		{room.Displacement{Distance: 2, Provenance: timeline.Provenance{Tick: 7, Cause: timeline.CauseUnused, Player: 1, InputTick: 7}},
			"repredicted 2.00 m in tick 7: the host did not use your input for tick 7: it came too late, or not at all"},
		{room.Displacement{Distance: 2, Provenance: timeline.Provenance{Tick: 30, Cause: timeline.CauseSilence, Player: 4, InputTick: 14}},
			"repredicted 2.00 m in tick 30: no input came from player 4 after that for tick 14, which is not repeated any more"},
		{room.Displacement{Kind: room.Correction, Distance: 3, Wrong: []string{"position", "velocity"}, Provenance: timeline.Provenance{Tick: 70, Cause: timeline.CauseComputed}},
			"corrected 3.00 m in tick 70: this client computed another result than the host from the same inputs (position, velocity)"},
		{room.Displacement{Kind: room.Correction, Distance: 3, Wrong: []string{"velocity"}, Provenance: timeline.Provenance{Tick: 70, Cause: timeline.CauseReplicated}},
			"corrected 3.00 m in tick 70: this client receives some objects in snapshots and does not simulate them, so its result differed from the host's (velocity)"},
		{room.Displacement{Kind: room.Correction, Distance: 3, Wrong: []string{"velocity"}, Provenance: timeline.Provenance{Tick: 70, Cause: timeline.CauseReplicated,
			Replicated: timeline.Replicated{Object: crate, Class: "Crate", Field: "lit", Snapshot: 64}, Through: []timeline.Through{{Kind: world.FromRead, Class: "Crate", Object: crate, File: "moth.lua", Line: 3}}}},
			"corrected 3.00 m in tick 70: lit of Crate 0000000000000009 differs in the snapshot of tick 64, so this client's result differed from the host's (velocity); reached you through what its script saw of Crate 0000000000000009 (moth.lua:3)"},
		{room.Displacement{Kind: room.Correction, Object: crate, Distance: 3, Provenance: timeline.Provenance{Tick: 70, Cause: timeline.CauseReplicated,
			Replicated: timeline.Replicated{Object: crate, Class: "Crate", Field: "position", Snapshot: 73}}},
			"corrected 3.00 m in tick 70: position of Crate 0000000000000009 differs in the snapshot of tick 73"},
		{room.Displacement{Distance: 3, Provenance: timeline.Provenance{Tick: 70, Cause: timeline.CauseReplicated, Replicated: timeline.Replicated{Object: crate, Class: "Crate", Field: world.Presence, Snapshot: 64}}},
			"repredicted 3.00 m in tick 70: Crate 0000000000000009 is in the snapshot of tick 64 and was not here, or is missing there"},
		{room.Displacement{Distance: 3, Provenance: timeline.Provenance{Tick: 70, Cause: timeline.CauseReplicated, Replicated: timeline.Replicated{Object: crate, Class: "Crate", Field: "hp"}}},
			"repredicted 3.00 m in tick 70: hp of Crate 0000000000000009 differs in the host's result, which has the effects of objects that this client does not simulate"},
		{room.Displacement{Distance: 3, Provenance: timeline.Provenance{Tick: 70, Cause: timeline.CauseReplicated, Replicated: timeline.Replicated{Object: crate, Class: "Crate", Field: "position", Culled: true}}},
			"repredicted 3.00 m in tick 70: position of Crate 0000000000000009 was guessed, because it was culled, and differs in the host's result"},
		{room.Displacement{Kind: room.Correction, Distance: 3, Provenance: timeline.Provenance{Tick: 70, Cause: timeline.CauseComputed, Player: 3, InputTick: 66, LateBy: 2}},
			"corrected 3.00 m in tick 70: this client computed another result than the host from the same inputs; the host had rewound for player 3's input for tick 66, which arrived 2 ticks late"},
		{room.Displacement{Distance: 2, Provenance: timeline.Provenance{Tick: 7, Cause: timeline.CauseUnused, Event: world.OwnerPoseEvent, Player: 1, InputTick: 7}},
			"repredicted 2.00 m in tick 7: the host did not use your pose for tick 7: it came too late, or not at all"},
		{room.Displacement{Kind: room.Correction, Distance: 1.2, Class: "Glider", Verdict: world.Verdict{Why: world.TooFast, Is: 14.2, Most: 8}, Provenance: timeline.Provenance{Tick: 812, Cause: timeline.CauseRefused}},
			"corrected 1.20 m in tick 812: the host refused your pose: 14.2 m/s, at most 8 (class Glider)"},
		{room.Displacement{Kind: room.Correction, Distance: 1.2, Class: "Glider", Verdict: world.Verdict{Why: world.NotVerified}, Provenance: timeline.Provenance{Tick: 812, Cause: timeline.CauseRefused, File: "glider.lua", Line: 9, Text: "in verify"}},
			"corrected 1.20 m in tick 812: the host refused your pose: the script does not allow it (class Glider); glider.lua:9 in verify"},
		{by(timeline.Through{Kind: world.FromRead, Class: "Ship", Owner: 3, File: "crab.lua", Line: 20}),
			"repredicted 1.00 m in tick 9: player 2 joined in tick 8; reached you through what its script saw of player 3's Ship (crab.lua:20)"},
		{by(timeline.Through{Kind: world.FromWrite, Class: "Mine", Object: 5, File: "mine.lua", Line: 3}),
			"repredicted 1.00 m in tick 9: player 2 joined in tick 8; reached you through what Mine 0000000000000005 did to it (mine.lua:3)"},
		{by(timeline.Through{Kind: world.FromSpawn, Class: "Base", Object: 5}),
			"repredicted 1.00 m in tick 9: player 2 joined in tick 8; reached you through its being spawned by Base 0000000000000005"},
		{by(timeline.Through{Kind: world.FromMiss, Class: "Crate", Object: crate}),
			"repredicted 1.00 m in tick 9: player 2 joined in tick 8; reached you through contact with Crate 0000000000000009 that did not come about"},
		{by(timeline.Through{Kind: world.FromJoint, Class: "Crate", Object: crate}),
			"repredicted 1.00 m in tick 9: player 2 joined in tick 8; reached you through a joint with Crate 0000000000000009"},
		{room.Displacement{Distance: 1, Provenance: timeline.Provenance{Tick: 9, Cause: timeline.CauseEvent, Event: world.BundleEvent, InputTick: 8}},
			"repredicted 1.00 m in tick 9: other scripts took effect in tick 8"},
		{room.Displacement{Distance: 1, Provenance: timeline.Provenance{Tick: 9}}, "repredicted 1.00 m in tick 9: the cause is not known"},
	} {
		if got := c.m.String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
