// Package replay records matches and plays them again.
//
// A host writes to a [Recorder] while it plays. [Open] reads the headers of a recorded
// file, and a [Player] plays it:
//
//	file, err := replay.Open(f, size, packing)
//	p, err := replay.NewPlayer(file, compile)
//	err = p.Seek(812)                 // simulates from the keyframe before tick 812
//	show(p.State(), p.Schema())
//	done, err := p.Verify(p.Last())   // a *Divergence names tick, object and field
//	d, _, err := p.Against(edited, p.Last())
//
// Verify finds the first tick in which the match, simulated again, differs from the
// recording. Against finds the first difference that edited scripts make.
//
// A file is a header of 16 bytes and then blocks. A block holds about a second of
// play and is written in one piece, so that a host that is killed loses at most
// the block that it was filling. Each block has a header of 48 bytes, which is
// never compressed: a reader follows these headers and knows in milliseconds
// where each tick of an hour is.
//
//	header  magic 8 bytes, version u16, 0 u16, CRC-32C of these u32
//	block   mark u32 "HCB1", packing u8 (0 stored, 1 zstd), holds u8
//	        (1 keyframe, 2 bundle, 4 end), 0 u16, clock at its begin u32, clock
//	        at its end u32, last committed tick u32, tick of its keyframe u32,
//	        bytes back to the last block with a keyframe u64 (0: none), packed
//	        size u32, size u32, CRC-32C of the packed bytes u32, CRC-32C of this
//	        header u32; then the packed bytes
//
// All numbers are little-endian. The unpacked bytes of a block are Records, one
// after the other: a byte for the Kind, then its fields. A block can be read only
// after the blocks before it, unless it begins with a keyframe: a reader can start
// there.
//
// The clock is the last tick that the host had simulated. A Record after that of tick T
// reached the host between its ticks T and T+1.
//
// The program supplies compression (Packing), so this package depends on no library for
// it. Package zstd, below this one, has the compression of the program host. Every
// length that is read is checked before memory is allocated for it. The Err variables
// list what can be wrong with a file.
//
// # Concurrency
//
// A Recorder and a Player serve one goroutine at a time each. A File may be shared: its
// methods only read, if its source and its Packing can be read by several goroutines.
package replay
