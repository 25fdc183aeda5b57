package runtime

import (
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// Report has the counters and times of a run of a host or a client, which the programs
// write with -report. Times are in milliseconds, distances in metres. A part that does
// not apply to the role is nil.
type Report struct {
	Role          string             `json:"role"`   // "host" or "client"
	Game          string             `json:"game"`   // its name
	Bundle        string             `json:"bundle"` // of the bundle in force at the end
	Player        world.PlayerID     `json:"player,omitempty"`
	Tick          world.Tick         `json:"tick"`
	TickRate      int                `json:"tick_rate"` // ticks a second
	Seconds       float64            `json:"seconds"`   // how long it ran
	RTT           *stats.Percentiles `json:"rtt_ms,omitempty"`
	Lead          *stats.Percentiles `json:"lead_ticks,omitempty"` // a client behind the host counts as 0
	InputDelay    int                `json:"input_delay"`          // client: ticks; the one in force at the end
	Inputs        InputCounts        `json:"inputs"`
	Rewinds       RewindCounts       `json:"rewinds"`
	Corrections   JumpCounts         `json:"corrections"`
	Repredictions *JumpCounts        `json:"repredictions,omitempty"`
	Confirmed     ConfirmedCounts    `json:"confirmed"`
	TickMS        stats.Spread       `json:"tick_ms"`
	BytesPerS     Traffic            `json:"bytes_per_s"`
	Bytes         map[string]int64   `json:"bytes"`               // bytes by part: "datagrams_in", "states" ...
	Datagrams     DatagramCounts     `json:"datagrams"`           // datagrams that were discarded, by reason
	Claims        *ClaimCounts       `json:"claims,omitempty"`    // host
	Owners        *OwnerCounts       `json:"owners,omitempty"`    // host
	Lateness      *LatenessCounts    `json:"lateness,omitempty"`  // host
	Interest      *InterestCounts    `json:"interest,omitempty"`  // host
	Snapshots     *SnapshotCounts    `json:"snapshots,omitempty"` // host
	Cues          *CueCounts         `json:"cues,omitempty"`      // host
	Bundles       *BundleCounts      `json:"bundles,omitempty"`   // client
	Assets        *AssetCounts       `json:"assets,omitempty"`    // client that shows them
	Held          int                `json:"held_ticks"`          // client: ticks not simulated because a script was missing or the history was full
	Culling       *CullingCounts     `json:"culling,omitempty"`   // client: objects that it simulates in complete ticks only
	Waits         *WaitCounts        `json:"waits,omitempty"`     // client
	Cut           CutCounts          `json:"cut"`                 // what packets had no room for
	Resyncs       int                `json:"resyncs"`             // keyframes that a client requested after it had joined
	HistoryBytes  int                `json:"history_bytes"`       // bytes of memory of the states kept
	ScriptErrors  int                `json:"script_errors"`       // hooks that failed
	Clamped       int                `json:"clamped"`             // how often a body was stopped at the limits of position and speed
	Crowded       int                `json:"crowded"`             // ticks with more touching pairs than the solver considers
	Players       int                `json:"players"`             // present at the end: onlookers do not count
	Onlookers     int                `json:"onlookers"`           // host: clients that watch at the end and have not joined, spectators included
	Objects       int                `json:"objects"`             // at the end
	Desync        []world.Difference `json:"desync,omitempty"`    // the differences found, if any
	// Classes has the cost of scripts, by class and hook.
	Classes       map[string]map[string]HookProfile `json:"classes,omitempty"`
	VerifiedTicks int                               `json:"verified,omitempty"` // ticks run again in check mode
	LateTicks     int                               `json:"late_ticks"`         // ticks that began more than a tick length late
	SkippedMS     float64                           `json:"skipped_ms"`         // milliseconds skipped because the machine could not keep up
}

// InputCounts counts inputs by outcome. On a host, received = on_time +
// early_held + late_rewound + duplicate + dropped_old + refused.
type InputCounts struct {
	Sent        int `json:"sent"`         // by a client
	Received    int `json:"received"`     // by a host; each copy counts
	OnTime      int `json:"on_time"`      // for the tick that comes next
	EarlyHeld   int `json:"early_held"`   // for a later tick: held until it comes
	LateRewound int `json:"late_rewound"` // for a tick that had been simulated: applied by a rewind
	Duplicate   int `json:"duplicate"`    // received before
	DroppedOld  int `json:"dropped_old"`  // too late
	Refused     int `json:"refused"`      // the player does not own the object, or the values are invalid
	Revised     int `json:"revised"`      // applied inputs that replaced another one for the same tick (Rules.Newest)
	SeenRefused int `json:"seen_refused"` // applied without their view time, which was out of bounds
	Substituted int `json:"substituted"`  // object-ticks that were committed with a repeated or neutral input

	Sights SightCounts `json:"sights"` // by a host
}

// RewindCounts counts rewinds, their lengths and their cost.
type RewindCounts struct {
	Count         int                 `json:"count"` // how often
	Ticks         stats.Spread        `json:"ticks"`
	MS            stats.Spread        `json:"ms"`
	ObjectsReRun  int                 `json:"objects_rerun"` // objects that were simulated again, summed over ticks
	ObjectsInFull int                 `json:"objects_full"`  // the same if every tick had been run again as a whole
	TicksRun      int                 `json:"ticks_rerun"`   // ticks in which anything was run again
	Whole         timeline.WholeTicks `json:"full_fallback"` // of these, ticks that were run again as a whole, by reason
}

// JumpCounts counts changes of a client's guess, and their distances.
type JumpCounts struct {
	Count    int          `json:"count"` // how often
	Distance stats.Spread `json:"distance"`
	// Causes are the most frequent causes of displacements of the client's own objects
	// beyond the thresholds. Each object counts at most once per round trip. A host has
	// none.
	Causes []CauseCount `json:"causes,omitempty"`
}

// CauseCount counts the displacements with one cause.
type CauseCount struct {
	Cause string `json:"cause"` // such as "input through touch"
	Count int    `json:"count"` // displacements with this cause
}

// ConfirmedCounts counts confirmed ticks, and those that differed from the host's.
type ConfirmedCounts struct {
	Compared   int        `json:"compared"`   // ticks whose hash was compared
	Mismatched int        `json:"mismatched"` // of these, ticks with a different hash
	Objects    int        `json:"objects"`    // in the newest tick compared
	LastTick   world.Tick `json:"last_tick"`
	LastHash   string     `json:"last_hash"` // the hash of LastTick, in hexadecimal
}

// ClaimCounts counts the claims of clients by outcome.
type ClaimCounts struct {
	Checked   int `json:"checked"`    // claims that were compared with a state
	Agreed    int `json:"agreed"`     // within the thresholds
	Explained int `json:"explained"`  // the difference came from inputs that the client could not know yet
	Wrong     int `json:"wrong"`      // all other differences, LockedOut included
	LockedOut int `json:"locked_out"` // wrong while a correction was on its way
	Old       int `json:"old"`        // for a tick whose state is no longer kept
}

// BundleCounts counts a client's bundles by where they came from.
type BundleCounts struct {
	Fetched int `json:"fetched"` // over the line
	Cached  int `json:"cached"`  // from the cache of this machine
}

// Traffic is in bytes per second, with the headers of this protocol.
type Traffic struct {
	In  float64 `json:"in"`  // received
	Out float64 `json:"out"` // sent
}

// DatagramCounts are the datagrams that were not used.
type DatagramCounts struct {
	Stale     int `json:"stale"`     // a newer one had been read before
	Duplicate int `json:"duplicate"` // read before
	Collapsed int `json:"collapsed"` // several in one poll: only the newest was read
	Malformed int `json:"malformed"` // not valid in the protocol
}
