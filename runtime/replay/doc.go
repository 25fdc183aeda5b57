// Package replay is the file of a match: what is written while it is played,
// and read back afterwards. It knows bytes, blocks and records; package
// runtime makes them (Recorder) and plays them (Replay).
//
// A file is a header of 16 bytes and blocks, each about a second of play,
// written in one piece: a host that is killed loses at most the block that it
// was filling. A block has a header of its own, of 48 bytes, which is never
// compressed: with it a reader hops from block to block and knows in
// milliseconds where each tick of an hour is.
//
//	header  magic 8 bytes, version u16, 0 u16, CRC-32C of these u32
//	block   mark u32 "HCB1", packing u8 (0 stored, 1 zstd), holds u8
//	        (1 keyframe, 2 bundle, 4 end), 0 u16, clock at its begin u32, clock
//	        at its end u32, last final tick u32, tick of its keyframe u32, bytes
//	        back to the last block with a keyframe u64 (0: none), packed size
//	        u32, size u32, CRC-32C of the packed bytes u32, CRC-32C of this
//	        header u32; then the packed bytes
//
// All numbers are little-endian. A block's bytes, unpacked, are Records, one
// after the other: a byte that says which, and its fields. A block can be read
// only after those before it, but for one that begins with a keyframe: there a
// reader can come in. The clock is the last tick that the host had simulated:
// what stands after the Record of tick T came to the host between its ticks T
// and T+1.
//
// Compression is handed in (Packing), so that this package depends on none.
// Everything read is checked before memory is taken for it; see the Err
// variables for what can be wrong.
package replay
