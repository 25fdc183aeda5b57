package world

// Tick counts fixed steps of the simulation, from 1. Tick 0 is the empty state before
// the first step.
type Tick uint32

// PlayerID names a player of the room. 0 is no player: the host, or an object without
// an owner.
type PlayerID uint16

// ObjectID names an object for as long as the room exists. It is derived from the
// spawner, the tick, and the number of the spawn, so that running a tick again gives
// the same ids whatever else happens in it. 0 is no object.
type ObjectID uint64

// MatchID is the object behind game.lua. It holds the state of the match and is the
// spawner of all objects of the level.
const MatchID ObjectID = 1

// playersID is the spawner of the objects that hold the states of players. No object has this id.
const playersID ObjectID = 3

// hostID is the spawner of the objects that the host program spawns. No object has this id.
const hostID ObjectID = 2

// Limits of a room.
const (
	MaxPlayers = 128
	MaxObjects = 16384
	// MaxSpawns is how many objects one object may spawn in one tick. It is counted per
	// spawner, never per world. Otherwise objects would depend on each other.
	MaxSpawns = 64
)

// deriveID returns the id of the seq-th object that spawner made in tick t.
func deriveID(spawner ObjectID, t Tick, seq uint32) ObjectID {
	h := mix(mix(uint64(spawner))^uint64(t)<<32^uint64(seq)) | 1<<63
	return ObjectID(h)
}

// mix is a bijective scrambling of 64 bits: the finaliser of SplitMix64 (Steele, Lea
// and Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// random returns the n-th number in [0, 1) of an object's stream in a tick. It is a
// function of its arguments alone, so there is no stream to store or rewind.
func random(seed uint64, id ObjectID, t Tick, n uint32) float64 {
	h := mix(mix(seed^uint64(id)) ^ uint64(t)<<32 ^ uint64(n))
	return float64(h>>11) * (1.0 / (1 << 53))
}
