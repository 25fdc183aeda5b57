package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/hindcast/hindcast/world"
)

// MaxSize is the most bytes that an encoded bundle may have.
const MaxSize = 2 << 20

// APIVersion is the version of the API that this program has: of what scripts, game.toml and assets mean. It has
// every earlier one, too.
const APIVersion = 1

// ErrInvalid is wrapped by every error about a bundle.
var ErrInvalid = errors.New("bad bundle")

// Bundle is everything that a host and its clients must agree on. Its hash names it.
// The JSON names decide the hash.
type Bundle struct {
	Game  string         `json:"game"`          // name of the game
	API   int            `json:"api,omitempty"` // the version of the API that the scripts need; 0: 1
	Setup world.Setup    `json:"setup"`         // tick rate, level and physics
	Rules Rules          `json:"rules"`         // settings of the netcode
	Files []world.Source `json:"files"`         // scripts, in the order in which they load
}

// New returns a bundle of these scripts, in their order, with the settings of a game whose
// game.toml does not set any. Change its Setup and Rules before a host or a Compile gets it.
func New(game string, files ...world.Source) *Bundle {
	return &Bundle{Game: game, Setup: DefaultSetup(), Rules: DefaultRules(), Files: files}
}

// DefaultSetup returns an empty arena of 40 x 24 m without gravity, at 60 Hz.
func DefaultSetup() world.Setup {
	return world.Setup{
		TickRate:         60,
		Seed:             1,
		Substeps:         4,
		SleepAfter:       world.DefaultSleep,
		Width:            40,
		Height:           24,
		RepeatInputTicks: 15,
		GraceTicks:       1800,
	}
}

// Ticks converts a time to ticks, rounded up.
func (b *Bundle) Ticks(d time.Duration) world.Tick {
	return world.Tick(math.Ceil(d.Seconds() * float64(b.Setup.TickRate)))
}

// TickLength returns the length of a tick.
func (b *Bundle) TickLength() time.Duration { return time.Second / time.Duration(b.Setup.TickRate) }

// queryTime is how much longer than MaxRewind and MaxSeen a host keeps states, for a client
// that computed another hash and asks what differs.
const queryTime = time.Second

// HistoryStates returns the number of states that a host keeps.
func (b *Bundle) HistoryStates() int {
	return int(b.Ticks(b.Rules.MaxRewind)+b.Ticks(b.Rules.MaxSeen+queryTime)) + 2
}

// Check returns an ErrInvalid that names the first setting out of bounds, nil if there is
// none. It does not look at the scripts.
func (b *Bundle) Check() error {
	if b == nil {
		return fmt.Errorf("%w: there is none", ErrInvalid)
	}
	if err := b.Setup.Check(); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if b.API < 0 || b.API > APIVersion {
		return fmt.Errorf("%w: the game needs version %d of the API, and this program has %d: use a newer program",
			ErrInvalid, b.API, APIVersion)
	}
	r := &b.Rules
	bad := func(what string, v any, allowed string) error {
		return fmt.Errorf("%w: %s = %v: must be %s", ErrInvalid, what, v, allowed)
	}
	switch {
	case r.MaxRewind < 0 || r.MaxRewind > 2*time.Second:
		return bad("max_rewind", r.MaxRewind, "0 to 2000 ms")
	case r.MaxSeen < 0 || r.MaxSeen > 5*time.Second:
		return bad("max_seen", r.MaxSeen, "0 to 5000 ms")
	case r.RewindWork < 1 || r.RewindWork > 1000:
		return bad("rewind_work", r.RewindWork, "1 to 1000")
	case r.MaxAhead <= 0 || r.MaxAhead > 5*time.Second:
		return bad("max_ahead", r.MaxAhead, "above 0, at most 5000 ms")
	case r.Lead < -r.MaxRewind || r.Lead > r.MaxAhead:
		return bad("lead", r.Lead, "-max_rewind to max_ahead")
	case r.Redundancy < 1 || r.Redundancy > MaxRedundancy:
		return bad("redundancy", r.Redundancy, fmt.Sprintf("1 to %d", MaxRedundancy))
	case r.Snapshots.Rate < MinSnapshotRate || r.Snapshots.Rate > MaxSnapshotRate:
		return bad("snapshots a second", r.Snapshots.Rate, fmt.Sprintf("%d to %d", MinSnapshotRate, MaxSnapshotRate))
	case r.Snapshots.Bytes < MinSnapshotBytes || r.Snapshots.Bytes > MaxSnapshotBytes:
		return bad("bytes of a snapshot", r.Snapshots.Bytes,
			fmt.Sprintf("%d to %d", MinSnapshotBytes, MaxSnapshotBytes))
	case len(r.Prediction.Layers) > world.MaxLayers || len(r.Snapshots.Layers) > world.MaxLayers:
		return bad("ranges of layers", "too many", fmt.Sprintf("at most %d", world.MaxLayers))
	case !rangesOK(r.Prediction.Range, r.Prediction.Layers):
		return bad("a range of prediction", "out of bounds", fmt.Sprintf("0 to %g m", world.MaxRange))
	case !rangesOK(r.Snapshots.Range, r.Snapshots.Layers):
		return bad("a range of snapshots", "out of bounds", fmt.Sprintf("0 to %g m", world.MaxRange))
	case !r.Snapshots.Interpolation.ok():
		return bad("interpolation", r.Snapshots.Interpolation,
			fmt.Sprintf("0 to %v, and least at most most", MaxInterpolation))
	case r.CatchUp != 0 && (r.CatchUp < MinCatchUp || r.CatchUp > MaxCatchUp):
		return bad("catch_up", r.CatchUp, fmt.Sprintf("%v to %v, or 0 for %v", MinCatchUp, MaxCatchUp, DefaultCatchUp))
	case r.MaxPlayers < 1 || r.MaxPlayers > world.MaxPlayers:
		return bad("max_players", r.MaxPlayers, fmt.Sprintf("1 to %d", world.MaxPlayers))
	}
	for _, v := range []float64{r.Correct.Position, r.Correct.Angle, r.Correct.Velocity, r.Correct.AngularVelocity} {
		if !(v >= 0 && v < 1e6) {
			return bad("a correction threshold", v, "0 to 1e6")
		}
	}
	return nil
}

// Encode returns the bytes of the bundle.
func (b *Bundle) Encode() []byte {
	data, err := json.Marshal(b)
	if err != nil {
		panic("bundle: " + err.Error()) // only a NaN cannot be encoded, and Check refuses it
	}
	return data
}

// Parse reads the bytes of a bundle and checks it. The error wraps ErrInvalid.
func Parse(data []byte) (*Bundle, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("%w: %d bytes; at most %d", ErrInvalid, len(data), MaxSize)
	}
	var b Bundle
	b.Rules.Snapshots.Interpolation = defaultInterpolation
	if err := json.Unmarshal(data, &b); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return &b, b.Check()
}

// Hash is the SHA-256 of the bytes of a bundle.
type Hash [sha256.Size]byte

// HashOf returns the hash of the bytes of a bundle.
func HashOf(encoded []byte) Hash { return sha256.Sum256(encoded) }

// String returns the first 16 hexadecimal digits, as reports show them.
func (h Hash) String() string { return hex.EncodeToString(h[:8]) }

// Cache keeps bundles from one run of a client to the next. It may forget a bundle at
// any time and may return wrong bytes, because the client checks their hash. The client
// calls it from its own goroutine.
type Cache interface {
	// Load returns the bytes of the bundle with hash h, nil if it is not kept.
	Load(h Hash) []byte
	// Store keeps a copy of the bytes of the bundle with hash h.
	Store(h Hash, encoded []byte)
}
