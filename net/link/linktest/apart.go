package linktest

import (
	"bytes"
	"sync"

	"github.com/hindcast/hindcast/net/link"
)

var apartCases = []testCase{
	{"each end on a goroutine of its own", needsApart, endsOnGoroutines, false},
}

// endsOnGoroutines: the race detector looks on while a host and its clients talk, each on
// a goroutine of its own, and all shut down at the same moment.
func endsOnGoroutines(p *party) {
	const count = 20
	var all, talking sync.WaitGroup
	over := make(chan struct{})
	talking.Add(3)
	for range 3 {
		c := p.Dial()
		all.Go(func() {
			func() {
				defer talking.Done() // also if a failure ends the goroutine
				answers := chat(c, count)
				alone(c, p.Net(), func() bool { return answers() == count })
			}()
			<-over
			c.Shutdown("all leave at once")
		})
	}
	all.Go(func() {
		p.Host().React(func(ev link.Event) {
			if ev.Kind == link.Message {
				p.Must("an answer", p.Host().Message(ev.Peer, ev.Stream, bytes.Clone(ev.Data))) // which the link keeps
			}
		})
		alone(p.Host(), p.Net(), func() bool {
			select {
			case <-over:
				return true
			default:
				return false
			}
		})
		p.Host().Shutdown("all leave at once")
	})
	talking.Wait()
	close(over)
	all.Wait()
}

// chat lets a client send messages from Opened on. answers counts those that came back.
func chat(e *end, count int) (answers func() int) {
	answered := 0
	e.React(func(ev link.Event) {
		switch ev.Kind {
		case link.Opened:
			for n := range count {
				if err := e.Message(ev.Peer, link.Stream(n%link.Streams), content(n, 1000)); err != nil {
					e.Errorf("message %d: %v", n, err)
				}
			}
		case link.Message:
			answered++
		}
	})
	return func() int { return answered }
}

// alone polls an end on the present goroutine until done returns true, while another
// goroutine asks for Ready, as it may.
func alone(e *end, n Network, done func() bool) {
	stop := make(chan struct{})
	var asking sync.WaitGroup
	asking.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-e.Link().Ready():
			}
		}
	})
	defer asking.Wait()
	defer close(stop)
	for end := n.Step() + patience; !done(); {
		now := n.Step()
		if now > end {
			e.Errorf("on a goroutine of its own, it waited %v in vain; %s", patience, e.summary())
			return
		}
		e.Poll(now)
	}
}
