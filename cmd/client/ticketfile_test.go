//go:build unix && !solaris && !illumos && !aix

package main

import (
	"github.com/hindcast/hindcast/runtime/room"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestTicketFiles: a ticket is there for the next run, and only for one at a time.
func TestTicketFiles(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	log := slog.New(slog.DiscardHandler)
	first := openTicket("host:1", "ann", log)
	mine, others := room.Ticket{1, 15: 2}, room.Ticket{3}
	if err := first.keep(mine); err != nil || first.ticket() != mine {
		t.Fatalf("%v, has %x", err, first.ticket())
	}
	second := openTicket("host:1", "ann", log)
	if second.ticket() != (room.Ticket{}) {
		t.Errorf("a second program of the same name has %x", second.ticket())
	}
	if err := second.keep(others); err != nil {
		t.Error(err)
	}
	for _, f := range []*ticketFile{first, second} {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if again := openTicket("host:1", "ann", log); again.ticket() != mine {
		t.Errorf("the next run has %x, want %x", again.ticket(), mine)
	}
	for _, who := range [][2]string{{"host:1", "bob"}, {"host:2", "ann"}} {
		if f := openTicket(who[0], who[1], log); f.ticket() != (room.Ticket{}) {
			t.Errorf("%v has %x", who, f.ticket())
		}
	}
}

// TestTicketFilesThatAreOfNoUse: a damaged file counts as none, old files are removed,
// and other users cannot read one.
func TestTicketFilesThatAreOfNoUse(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, text := range []string{"", "00", "zz", string(make([]byte, 1000))} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := takeTicketFile(path)
		if err != nil || f.ticket() != (room.Ticket{}) {
			t.Fatalf("of %q: %x, %v", text, f.ticket(), err)
		}
		if err := f.keep(room.Ticket{9}); err != nil {
			t.Error(err)
		}
		if info, err := f.f.Stat(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if f, err = takeTicketFile(path); err != nil || f.ticket() != (room.Ticket{9}) {
			t.Errorf("after %q: %x, %v", text, f.ticket(), err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	past := time.Now().Add(-2 * ticketAge)
	if err := os.Chtimes(path, past, past); err != nil {
		t.Fatal(err)
	}
	dropOldTickets(dir)
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("an old file stays: %v", err)
	}
}
