package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"github.com/hindcast/hindcast/runtime/room"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// ticketFile keeps a player's ticket for the next run of this program, so that the
// player comes back to their objects. One program holds it at a time: two players
// of one name on one machine have two files. A nil ticketFile keeps nothing.
type ticketFile struct {
	f    *os.File
	kept room.Ticket
}

const (
	ticketFiles = 16                  // of one address and name
	ticketAge   = 30 * 24 * time.Hour // longer than any match, and its grace time
)

// errHeld: another program uses the file.
var errHeld = errors.New("in use")

// openTicket opens the first of a player's files that no other program holds, in
// hindcast/players under XDG_STATE_HOME or ~/.local/state. It returns nil if there
// can be none.
func openTicket(addr, name string, log *slog.Logger) *ticketFile {
	dir, err := ticketDir()
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	who := sha256.Sum256([]byte(addr + "\x00" + name))
	for i := 0; err == nil && i < ticketFiles; i++ {
		var t *ticketFile
		t, err = takeTicketFile(filepath.Join(dir, fmt.Sprintf("%x-%d", who[:8], i)))
		if err == nil {
			dropOldTickets(dir)
			return t
		}
		if errors.Is(err, errHeld) {
			err = nil
		}
	}
	log.Debug("this player can come back in this run only", "error", err)
	return nil
}

func ticketDir() (string, error) {
	if base := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(base) { // as the XDG specification wants it
		return filepath.Join(base, "hindcast", "players"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", "hindcast", "players"), err
}

// takeTicketFile opens a file for this program alone, and reads its ticket.
func takeTicketFile(path string) (*ticketFile, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := holdFile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	t := &ticketFile{f: f}
	text, err := io.ReadAll(io.LimitReader(f, 100)) // more than a ticket takes
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if b, err := hex.DecodeString(strings.TrimSpace(string(text))); err == nil && len(b) == len(t.kept) {
		copy(t.kept[:], b)
	}
	return t, nil
}

// ticket returns the ticket kept; zero if there is none.
func (t *ticketFile) ticket() room.Ticket {
	if t == nil {
		return room.Ticket{}
	}
	return t.kept
}

// keep writes a ticket, unless the file has it.
func (t *ticketFile) keep(ticket room.Ticket) error {
	if t == nil || ticket == t.kept || ticket == (room.Ticket{}) {
		return nil
	}
	t.kept = ticket
	_, err := t.f.WriteAt([]byte(hex.EncodeToString(ticket[:])+"\n"), 0)
	return errors.Join(err, t.f.Truncate(2*int64(len(ticket))+1))
}

func (t *ticketFile) Close() error {
	if t == nil {
		return nil
	}
	return t.f.Close()
}

// dropOldTickets removes files that are too old to be of use.
func dropOldTickets(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode()&fs.ModeType == 0 && time.Since(info.ModTime()) > ticketAge {
			_ = os.Remove(filepath.Join(dir, e.Name())) // if it fails, the next run tries again
		}
	}
}
