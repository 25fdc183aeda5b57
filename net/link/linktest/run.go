package linktest

import (
	"slices"
	"testing"
	"time"
)

// longest bounds, in real time, a call of a method and the goroutines that run on after a
// case. It is far longer than either takes on a busy machine, and only a link that is
// wrong takes that long.
const longest = time.Minute

// Run runs all cases, each as a parallel subtest on a Network of its own. open makes the
// Network; it may call methods of t, which is that of the subtest.
func Run(t *testing.T, open func(t *testing.T) Network) {
	for _, c := range cases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			t.Cleanup(func() { checkLeftover(t) }) // runs after the clean-ups of open
			labelled(t.Name(), func() { c.runOn(t, open(t)) })
		})
	}
}

// runOn runs the case, or skips it.
func (c testCase) runOn(t *testing.T, n Network) {
	why := n.lacks(c.needs)
	if why != "" {
		c = testCase{test: func(*party) {}} // only shuts the host down
	}
	for _, f := range c.runInRealTime(n) {
		t.Error(f)
	}
	if why != "" {
		t.Skip(why)
	}
}

// checkLeftover fails for goroutines that the case left. After a failure there may be some.
func checkLeftover(t *testing.T) {
	if t.Failed() {
		return
	}
	for _, stack := range leftover(t.Name(), longest) {
		t.Errorf("a goroutine is left after Shutdown of all links:\n%s", stack)
	}
}

// testCase is one of the cases of Run.
type testCase struct {
	name   string
	needs  need
	test   func(p *party)
	always bool // with a poll of every end in every step
}

// runInRealTime is run with the clock of the machine.
func (c testCase) runInRealTime(n Network) []string {
	look := time.NewTicker(longest / 60)
	defer look.Stop()
	return c.run(n, time.Now, look.C)
}

// run runs the case and returns what is wrong. now is the clock that measures calls. At
// each look, if a call has taken longer than longest, the case goes no further.
func (c testCase) run(n Network, now func() time.Time, look <-chan time.Time) []string {
	w := newWatch(now)
	done := make(chan struct{})
	go func() {
		defer close(done)
		p := newParty(n, w, c.always)
		defer p.ShutDown()
		c.test(p)
	}()
	for {
		select {
		case <-done:
			return w.Failures()
		case <-look:
		}
		if what, found := w.Stuck(longest); found {
			w.Errorf("%s has not returned for %v: no method of a link waits for the network or the other end", what,
				longest)
			return w.Failures()
		}
	}
}

// cases lists all cases. In most of them an end is polled only when it is due or ready.
func cases() []testCase {
	all := slices.Concat(openingCases, deliveringCases, sizeCases, backlogCases, endingCases, closingCases(),
		badLineCases, dueCases, apartCases)
	for _, c := range []testCase{
		{"both ends open", needsNothing, bothEndsOpen, true},
		{"messages arrive in order", needsNothing, messagesArrive, true},
		{"close lets messages arrive", needsNothing, closeLetsMessagesArrive, true},
		{"messages arrive in order on a bad line", needsBadLines, messagesOnABadLine, true},
	} {
		c.name += ", polled in every step"
		all = append(all, c)
	}
	return all
}
