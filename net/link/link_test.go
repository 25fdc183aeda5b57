package link

import "testing"

func TestNames(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Control.String(), "control"},
		{Bulk.String(), "bulk"},
		{Stream(9).String(), "stream 9"},
		{Opened.String(), "opened"},
		{Datagram.String(), "datagram"},
		{Message.String(), "message"},
		{Closed.String(), "closed"},
		{EventKind(0).String(), "event 0"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestMaxMessage(t *testing.T) {
	if Control.MaxMessage() != MaxControl || Bulk.MaxMessage() != MaxBulk {
		t.Error("a stream does not have its own limit")
	}
	if Stream(Streams).MaxMessage() != 0 {
		t.Error("a stream that does not exist has a limit")
	}
}
