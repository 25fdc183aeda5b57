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
		if !o.runs(int(OnTick), now, rate) {
			continue
		}
		if o.Faults[OnTick] >= FaultLimit {
			pauses = append(pauses, (now-last)/rate)
		}
		if paused := o.fail(int(OnTick), now); paused != (now >= FaultLimit) {
			t.Fatalf("tick %d: paused: %v", now, paused)
		}
		last = now
		if o.runs(int(OnTick), now, rate) != (now < FaultLimit) {
			t.Fatalf("tick %d: runs again", now)
		}
	}
	for i, want := range []Tick{1, 2, 4, 8, 16, 32, 60, 60, 60} {
		if pauses[i] != want {
			t.Fatalf("pauses of %v s", pauses)
		}
	}
	o.heal(int(OnTick))
	if o != (Object{}) {
		t.Errorf("healed: %+v", o)
	}
}

// TestHooksPauseTogether: all paused hooks of an object run again in the same tick, each once.
func TestHooksPauseTogether(t *testing.T) {
	const rate = 20
	var o Object
	for range FaultLimit {
		o.fail(int(OnTick), 8)
		o.fail(int(OnContact), 13)
	}
	for now := Tick(9); now < 13+2*rate; now++ {
		if o.runs(int(OnTick), now, rate) && now > 13 || o.runs(int(OnContact), now, rate) && now > 13 || !o.runs(int(ApplyInput), now, rate) {
			t.Fatalf("tick %d: %+v", now, o)
		}
	}
	again := Tick(13 + 2*rate)
	if !o.runs(int(OnTick), again, rate) || !o.fail(int(OnTick), again) || o.runs(int(OnTick), again, rate) || !o.runs(int(OnContact), again, rate) {
		t.Errorf("a hook that failed keeps another one from running: %+v", o)
	}
	o.heal(int(OnTick))
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

// TestCountersOfTimers: the counters of timers are read back as they were written, whatever those of hooks are, and two
// objects that differ in one differ in their words.
func TestCountersOfTimers(t *testing.T) {
	var o Object
	seen := map[[2]uint64]bool{}
	for i := range o.Faults {
		for range 2*FaultLimit + 1 {
			o.fail(i, 5)
			counts, pause := o.faultWords()
			var back Object
			if err := back.setFaultWords(counts, pause); err != nil || back != o {
				t.Fatalf("%v, read as %+v, was %+v", err, back, o)
			}
			if words := [2]uint64{counts, pause}; seen[words] && o.Faults[i] < failedNow {
				t.Errorf("%+v has the words of another object", o)
			} else {
				seen[words] = true
			}
		}
	}
	if _, pause := o.faultWords(); new(Object).setFaultWords(0, pause+1<<63) == nil {
		t.Error("too many timers: no error")
	}
}

// TestCountedNames: a name is that of the hook which the class has. OnTick and OnGameTick have the same one.
func TestCountedNames(t *testing.T) {
	object := Class{Hooks: 1<<OnTick | 1<<OnTimer, Timers: []string{"ping", "pong"}}
	game := Class{Hooks: 1<<OnGameTick | 1<<OnTimer, Timers: []string{"kickoff"}}
	for _, c := range []struct {
		of   *Class
		name string
		want int
	}{{&object, "tick", int(OnTick)}, {&game, "tick", int(OnGameTick)}, {&object, "pong", TimerCount(1)},
		{&game, "kickoff", TimerCount(0)}} {
		if i, ok := c.of.CountedAs(c.name); !ok || i != c.want || c.of.Counted(i) != c.name {
			t.Errorf("%s is counted at %d, not %d: %v", c.name, i, c.want, ok)
		}
	}
	for _, name := range []string{"think", "kickoff", "timer"} {
		if i, ok := object.CountedAs(name); ok {
			t.Errorf("%s, which the class has not, is counted at %d", name, i)
		}
	}
}
