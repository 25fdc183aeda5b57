// Package loglimit limits what others can make a program log. Whoever is at the other end of a
// connection chooses how often it is refused, renamed or let go, so a log without a limit is a disk
// that strangers fill, and a log in which nobody finds anything.
//
// The main type is [Log]:
//
//	lines := loglimit.New[link.Peer](logger)
//	lines.Line(now, slog.LevelWarn, peer, "turned away", "reason", reason)
//
// # Concurrency
//
// A Log belongs to one goroutine. It has no clock: the caller hands in the time, which never goes
// back.
package loglimit
