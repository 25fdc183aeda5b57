package linkmux

import (
	"errors"
	"fmt"

	"github.com/hindcast/hindcast/net/link"
)

// MaxName is the largest size of a room's name, in bytes.
const MaxName = 64

// The first message of a client: magic, version, name.
const (
	magic   = "HCMX"
	version = 1
)

// welcome is the host's answer.
const welcome byte = 1

// ErrRoomName is the error of a name that cannot be used for a room: it is empty, longer
// than MaxName or not printable, or another room has it.
var ErrRoomName = errors.New("linkmux: unusable room name")

// checkName returns an error unless a room may have the name.
func checkName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("%w: it is empty", ErrRoomName)
	case len(name) > MaxName:
		return fmt.Errorf("%w: %d bytes, at most %d", ErrRoomName, len(name), MaxName)
	case link.CleanReason(name) != name:
		return fmt.Errorf("%w: %q is not printable", ErrRoomName, name)
	}
	return nil
}

func appendHello(b []byte, room string) []byte {
	b = append(b, magic...)
	b = append(b, version)
	return append(b, room...)
}

// parseHello returns the name of the room.
func parseHello(b []byte) (room string, err error) {
	if len(b) < len(magic)+1 || string(b[:len(magic)]) != magic {
		return "", errors.New("this host has several rooms, and the client did not name one")
	}
	if v := b[len(magic)]; v != version {
		return "", fmt.Errorf(
			"the host's version of rooms is %d, the client's is %d: run the same release on both sides", version, v)
	}
	room = string(b[len(magic)+1:])
	return room, checkName(room)
}
