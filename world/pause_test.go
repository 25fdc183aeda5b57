package world

import "testing"

// TestPauses: a hook that always fails runs eight times, and then after 1 s, 2 s, 4 s and so on, up
// to 60 s.
func TestPauses(t *testing.T) {
	const rate = 20
	var o Object
	var pauses []Tick
	last := Tick(0)
	for now := Tick(1); len(pauses) < 9; now++ {
		if !o.Runs(OnTick, now, rate) {
			continue
		}
		if o.Faults[OnTick] >= FaultLimit {
			pauses = append(pauses, (now-last)/rate)
		}
		if paused := o.fail(OnTick, now); paused != (now >= FaultLimit) {
			t.Fatalf("tick %d: paused: %v", now, paused)
		}
		last = now
		if o.Runs(OnTick, now, rate) != (now < FaultLimit) {
			t.Fatalf("tick %d: runs again", now)
		}
	}
	for i, want := range []Tick{1, 2, 4, 8, 16, 32, 60, 60, 60} {
		if pauses[i] != want {
			t.Fatalf("pauses of %v s", pauses)
		}
	}
	o.heal(OnTick)
	if o != (Object{}) {
		t.Errorf("healed: %+v", o)
	}
}

// TestHooksPauseTogether: all paused hooks of an object run again in the same tick, each once.
func TestHooksPauseTogether(t *testing.T) {
	const rate = 20
	var o Object
	for range FaultLimit {
		o.fail(OnTick, 8)
		o.fail(OnContact, 13)
	}
	for now := Tick(9); now < 13+2*rate; now++ {
		if o.Runs(OnTick, now, rate) && now > 13 || o.Runs(OnContact, now, rate) && now > 13 || !o.Runs(ApplyInput, now, rate) {
			t.Fatalf("tick %d: %+v", now, o)
		}
	}
	again := Tick(13 + 2*rate)
	if !o.Runs(OnTick, again, rate) || !o.fail(OnTick, again) || o.Runs(OnTick, again, rate) || !o.Runs(OnContact, again, rate) {
		t.Errorf("a hook that failed keeps another one from running: %+v", o)
	}
	o.heal(OnTick)
	if o.Paused != again || o.Pauses != 3 {
		t.Errorf("one of two has succeeded: %+v", o)
	}
	counts, pause := o.faultWords()
	var back Object
	if err := back.setFaultWords(counts, pause); err != nil || back != o {
		t.Errorf("%v, read as %+v, was %+v", err, back, o)
	}
	for name, words := range map[string][2]uint64{"a count": {15, 1<<32 | 5}, "no pause": {8, 0}, "no count": {7, 1<<32 | 5}, "no tick": {8, 1 << 32}, "too many": {8, 8<<32 | 5}} {
		if err := new(Object).setFaultWords(words[0], words[1]); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
