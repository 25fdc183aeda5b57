package host

import (
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/world"
)

// keyRecord returns the data that a simulation from the last committed tick on needs,
// as for a client that joins now.
func (h *Host) keyRecord() replay.Record {
	committed, key := h.match.Commits().Tick(), h.match.Keyframe(false)
	rec := replay.Record{
		Tick:        committed,
		Clock:       h.match.Now(),
		State:       h.stateBytes(key.State),
		PoseHistory: key.Poses,
		Held:        key.Held,
	}
	for _, e := range h.applied.Withheld() { // before the log: of two inputs for the same tick the later one counts
		if e.Tick > committed {
			rec.Coming = append(rec.Coming, e)
		}
	}
	for seq := h.applied.Since(committed); seq < h.applied.End(); seq++ {
		if a := h.applied.At(seq); a.IsEvent() && a.Event.Tick > committed {
			rec.Coming = append(rec.Coming, h.applied.Whole(seq))
		}
	}
	h.roster.Present(func(p *peer) { rec.Names = append(rec.Names, replay.Named{Player: p.Player(), Name: p.Name()}) })
	return rec
}

// startRecord records the state before tick 1.
func (h *Host) startRecord(r *replay.Recorder, first *announced) {
	r.Bundle(first.number, first.tick, first.hash, first.bytes)
	r.Start(first.bundle.Setup.TickRate, h.keyRecord)
}

// recordTick records that a tick was simulated.
func (h *Host) recordTick() {
	if err := h.cfg.Recorder.Ticked(h.match.Now()); err != nil {
		h.log.Error("the recording has stopped, and the match goes on: " + err.Error())
	}
}

// endRecord writes the hashes of the ticks that are not committed, with their states if
// states is set, and the end of the replay.
func (h *Host) endRecord(r *replay.Recorder, states bool) {
	if r.Ended() {
		return
	}
	for t := h.match.Commits().Tick() + 1; t <= h.match.Now(); t++ {
		s := h.match.At(t)
		r.Open(t, s.Hash())
		if states {
			r.State(t, h.stateBytes(s))
		}
	}
	r.End()
}

// stateBytes returns the byte form of a state of the timeline.
func (h *Host) stateBytes(s *world.State) []byte {
	return world.AppendState(nil, s, h.match.Scripts().SchemaOf(s))
}
