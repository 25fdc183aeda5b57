package streamlink

import (
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// TestPeerThatReadsNothingIsLetGo tests a client that pings and reads nothing, for which much waits.
func TestPeerThatReadsNothingIsLetGo(t *testing.T) {
	host := &watched{Link: NewHost(Options{})}
	defer end(t, host)
	conn := pair(host.Link)
	defer conn.Close()
	go func() { // its writes are read at once
		_, _ = conn.Write(appendHello(nil, 0))
		for {
			if _, err := conn.Write([]byte{byte(kindPing)}); err != nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	now := time.Duration(0)
	until(t, func() time.Duration { return now }, host, 1)
	if err := host.SendMessage(now, 1, link.Bulk, make([]byte, 200<<10)); err != nil {
		t.Fatal(err)
	}
	for range 50 { // of the host's clock
		host.poll(now)
		now += 100 * time.Millisecond
	}
	if len(host.events) != 1 {
		t.Fatalf("within five seconds: %q", host.events)
	}
	until(t, func() time.Duration { now += 100 * time.Millisecond; return now }, host, 2)
	const want = "closed: nothing was acknowledged for 5s while 200 KB wait on bulk"
	if host.events[1] != want || host.Stats().Stuck != 1 {
		t.Errorf("got %q, want %q; %+v", host.events[1], want, host.Stats())
	}
	if now > 6*time.Second {
		t.Errorf("let go after %v", now)
	}
}
