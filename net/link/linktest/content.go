package linktest

import (
	"bytes"
	"fmt"
)

// content returns size bytes that differ from those of every other number.
func content(number, size int) []byte {
	b := make([]byte, size)
	x := uint32(number)*2654435761 + 1
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

// flow is what one end sends to another in one way: on a stream, or as datagrams.
type flow struct {
	name  string // in failures
	first int    // the number of the first content: flows of one case have others
	sizes []int  // of what was sent
}

// Name names the flow in failures.
func (f *flow) Name() string { return f.name }

// Peek returns the content to send next.
func (f *flow) Peek(size int) []byte { return content(f.first+len(f.sizes), size) }

// Next returns the content to send next and notes that it is sent.
func (f *flow) Next(size int) []byte {
	defer func() { f.sizes = append(f.sizes, size) }()
	return f.Peek(size)
}

// Sent returns how many were sent.
func (f *flow) Sent() int { return len(f.sizes) }

// find returns which of those sent b is, from 0; -1 if none.
func (f *flow) find(b []byte) int {
	for i, size := range f.sizes {
		if size == len(b) && bytes.Equal(b, content(f.first+i, size)) {
			return i
		}
	}
	return -1
}

// compare returns what is wrong with the messages that arrived: they are to be those
// that were sent, each once, in order. all is whether none may be missing.
func (f *flow) compare(got [][]byte, all bool) string {
	for i, b := range got {
		if i >= len(f.sizes) {
			return fmt.Sprintf("%s: %d arrived, and %d were sent: %s", f.name, len(got), len(f.sizes), f.what(b))
		}
		if !bytes.Equal(b, content(f.first+i, f.sizes[i])) {
			return fmt.Sprintf("%s: where number %d of %d bytes was to arrive, there came %s", f.name, i,
				f.sizes[i], f.what(b))
		}
	}
	if all && len(got) < len(f.sizes) {
		return fmt.Sprintf("%s: %d of %d arrived", f.name, len(got), len(f.sizes))
	}
	return ""
}

// what says which of those sent b is, or how it differs from all of them.
func (f *flow) what(b []byte) string {
	if i := f.find(b); i >= 0 {
		return fmt.Sprintf("number %d", i)
	}
	for i, size := range f.sizes {
		sent := content(f.first+i, size)
		same := 0
		for same < min(len(b), size) && b[same] == sent[same] {
			same++
		}
		if same > 0 && same == min(len(b), size) {
			return fmt.Sprintf("%d bytes that begin as number %d, which has %d", len(b), i, size)
		}
		if same >= 4 {
			return fmt.Sprintf("number %d with other bytes from byte %d on", i, same)
		}
	}
	return fmt.Sprintf(
		"%d bytes that were not sent: does the link keep the buffer of the caller, or hand out one that it uses again?",
		len(b),
	)
}

// onceEach returns what is wrong with the datagrams that arrived: they are to be some of
// those that were sent, each at most once, in any order. inOrder is whether none was
// overtaken.
func (f *flow) onceEach(got [][]byte) (wrong string, inOrder bool) {
	seen := map[int]bool{}
	last := -1
	inOrder = true
	for _, b := range got {
		i := f.find(b)
		switch {
		case i < 0:
			return fmt.Sprintf("%s: there came %s", f.name, f.what(b)), inOrder
		case seen[i]:
			return fmt.Sprintf("%s: number %d arrived twice: a link drops duplicates", f.name, i), inOrder
		}
		seen[i] = true
		inOrder = inOrder && i > last
		last = i
	}
	return "", inOrder
}
