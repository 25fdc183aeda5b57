package room

import (
	"github.com/hindcast/hindcast/net/wire"
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
	Name          string             `json:"name,omitempty"` // client: of the player, as the others see it
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
	Bytes         map[string]int64   `json:"bytes"`     // bytes by part: "datagrams_in", "states" ...
	Datagrams     DatagramCounts     `json:"datagrams"` // datagrams that were discarded, by reason
	// host: what was refused or dropped of what clients, and strangers, sent, by reason: "link_..." by the network,
	// "client_..." clients that were turned away, "malformed_MESSAGE_FIELD", "input_...", "pose_...", "frame_...",
	// "chat_...", "command"; client: what was no valid datagram of what the host sent, "malformed_MESSAGE_FIELD"
	Refused   map[string]int64 `json:"refused,omitempty"`
	Claims    *ClaimCounts     `json:"claims,omitempty"`    // host
	Owners    *OwnerCounts     `json:"owners,omitempty"`    // host
	Lateness  *LatenessCounts  `json:"lateness,omitempty"`  // host
	Work      *WorkCounts      `json:"work,omitempty"`      // host; of clients, predicted ticks that were given up
	Interest  *InterestCounts  `json:"interest,omitempty"`  // host
	Snapshots *SnapshotCounts  `json:"snapshots,omitempty"` // host
	Cues      *CueCounts       `json:"cues,omitempty"`      // host
	Bundles   *BundleCounts    `json:"bundles,omitempty"`   // client
	Assets    *AssetCounts     `json:"assets,omitempty"`    // client that shows them
	// client: ticks not simulated because a script was missing or the history was full
	Held int `json:"held_ticks"`
	// client: objects that it simulates in complete ticks only
	Culling *CullingCounts `json:"culling,omitempty"`
	Waits   *WaitCounts    `json:"waits,omitempty"` // client
	Cut     CutCounts      `json:"cut"`             // what packets had no room for
	// keyframes that a client requested after it had joined
	Resyncs      int `json:"resyncs"`
	HistoryBytes int `json:"history_bytes"` // bytes of memory of the states kept
	ScriptErrors int `json:"script_errors"` // hooks that failed
	// how often a body was stopped at the limits of position and speed
	Clamped int `json:"clamped"`
	// ticks with more touching pairs than the solver considers
	Crowded int `json:"crowded"`
	Players int `json:"players"` // present at the end: onlookers do not count
	// host: clients that watch at the end and have not joined, spectators included; nil on a client, which does not
	// know
	Onlookers *int               `json:"onlookers,omitempty"`
	Objects   int                `json:"objects"`          // at the end
	Desync    []world.Difference `json:"desync,omitempty"` // the differences found, if any
	// Classes has the cost of scripts, by class and hook.
	Classes       map[string]map[string]HookProfile `json:"classes,omitempty"`
	VerifiedTicks int                               `json:"verified,omitempty"` // ticks run again in check mode
	// ticks that began more than a tick length late
	LateTicks int `json:"late_ticks"`
	// milliseconds skipped because the machine could not keep up
	SkippedMS float64 `json:"skipped_ms"`
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
	Count         int          `json:"count"` // how often; a rewind of a client counts in each frame that it takes
	Ticks         stats.Spread `json:"ticks"`
	MS            stats.Spread `json:"ms"`
	ObjectsReRun  int          `json:"objects_rerun"` // objects that were simulated again, summed over ticks
	ObjectsInFull int          `json:"objects_full"`  // the same if every tick had been run again as a whole
	TicksRun      int          `json:"ticks_rerun"`   // ticks in which anything was run again
	// of these, ticks that were run again as a whole, by reason
	Whole timeline.WholeTicks `json:"full_fallback"`
}

// WorkCounts counts the ticks of a host that were too much work, or of a client those that were given up. Work is
// counted and has prices; it is no time that passed.
type WorkCounts struct {
	AllowanceMS float64 `json:"allowance_ms"` // how much work a tick may be
	// the most work of a tick, with all attempts to simulate it, and rewinds; for a client, of a frame
	MostMS    float64 `json:"most_ms"`
	GivenUp   int     `json:"given_up"`   // attempts that were given up
	TakenBack int     `json:"taken_back"` // rewinds that were too much work: their late inputs were taken back
	Suspended int     `json:"suspended"`  // suspensions of a class, or of one player's objects of a class
	Physics   int     `json:"physics"`    // ticks that were too much work because of their physics
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
	LockedOut int `json:"locked_out"` // wrong while a correction was on its way, or had to wait
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

// LatenessCounts counts the measures of the host that limit the cost of late inputs.
type LatenessCounts struct {
	Waited      int `json:"waited"`       // input-ticks that late inputs waited for the budget
	Overdue     int `json:"overdue"`      // late inputs applied beyond the budget, because they could wait no longer
	LeadAsked   int `json:"lead_asked"`   // how often a player was asked for more lead
	Reduced     int `json:"narrowed"`     // how often a player's window was halved
	TooLate     int `json:"too_late"`     // of dropped_old: inputs later than a reduced window
	MostObjects int `json:"most_objects"` // the most object-ticks that were run again in one tick
}

// OwnerCounts counts owner poses and independent frames. A pose that differs from the
// simulation becomes an event. The simulation of the tick in which it is taken accepts or refuses it, which
// is counted when the tick is committed.
type OwnerCounts struct {
	Poses   int `json:"moves"`          // received for the first time
	Agreed  int `json:"agreed"`         // equal to the simulation: discarded
	Taken   int `json:"taken"`          // accepted, in committed ticks
	Refused int `json:"refused"`        // refused at once, or in committed ticks
	TooOld  int `json:"too_old"`        // later than max_rewind
	Passed  int `json:"passed"`         // of objects whose poses do not wait for their tick: a newer one came before
	Frames  int `json:"frames"`         // frames that were run
	Cut     int `json:"frames_cut"`     // frames truncated or dropped, because the player had no time left
	CutMS   int `json:"cut_ms"`         // the time cut off, in all
	Denied  int `json:"frames_refused"` // runs of frames that were refused
}

// SightCounts counts the poses of sights, by what the host decided about them when they arrived.
type SightCounts struct {
	Accepted int `json:"accepted"` // the object may have been drawn there
	Clamped  int `json:"clamped"`  // too far from where it was: moved to the nearest pose that is allowed
	Unknown  int `json:"unknown"`  // refused: the host knows of no such object in that time
	NotSeen  int `json:"not_seen"` // refused: the object's class does not have seen
}

// SnapshotCounts counts what a host sends beside snapshots, and what it cannot send in time.
type SnapshotCounts struct {
	Rows       int `json:"rows"`        // all fields of an object, since their change took too much of a snapshot
	LateFields int `json:"late_fields"` // times that a client lacked fields of an object for 2 s
	LeftOut    int `json:"left_out"`    // objects left out of a snapshot that had no room even for one
}

// InterestCounts counts the calls of the relevancy hook.
type InterestCounts struct {
	Asked   int `json:"asked"`   // calls of relevant
	Failed  int `json:"failed"`  // calls that failed
	Skipped int `json:"skipped"` // calls skipped, because a tick has a limit
}

// CueCounts counts the cues that a host has sent to clients, because they do not find them by
// themselves.
type CueCounts struct {
	Sent      int `json:"sent"`      // each to each client
	Cancelled int `json:"cancelled"` // of these, cues that did not happen after all
	Lost      int `json:"lost"`      // given up, because the client did not acknowledge them for 5 s
}

// CutCounts counts what packets had no room for. Only clients leave out anything of these but whole datagrams.
type CutCounts struct {
	Inputs int `json:"inputs"` // inputs; nearly always, they had been sent before
	Sights int `json:"sights"` // sights of inputs and frames
	Poses  int `json:"poses"`  // owner poses; nearly always, they had been sent before
	Frames int `json:"frames"` // independent frames; nearly always, they had been sent before

	Datagrams int `json:"datagrams"` // datagrams that were larger than a link takes, so that they were not sent
}

// WaitCounts counts how often a client has waited because it had predicted as far as it may.
type WaitCounts struct {
	Count int     `json:"count"` // how often
	MS    float64 `json:"ms"`    // milliseconds in all
}

// CullingCounts counts the objects that a client simulates in complete ticks only.
type CullingCounts struct {
	Objects  int `json:"objects"`  // culled at present
	Culled   int `json:"culled"`   // how often an object was culled
	Restored int `json:"restored"` // how often an object was predicted again
}

// AssetCounts counts the assets of a client and their manifests, by what became of them. All are 0 until the host has
// announced its assets.
type AssetCounts struct {
	Fetched int `json:"fetched"` // from the host
	Cached  int `json:"cached"`  // kept from before
	Refused int `json:"refused"` // not what the manifest says, or beyond a limit
	Awaited int `json:"awaited"` // not there yet
}

// HookProfile has the costs of one hook of a class, for all its objects together. The
// cost of an onSpawn counts for the hook that spawned the object, if a hook did.
type HookProfile struct {
	Calls        int     `json:"calls"`        // calls in ticks that were run for the first time
	Reruns       int     `json:"reruns"`       // calls in ticks that were run again
	Instructions int64   `json:"instructions"` // of both; the same on every machine
	MS           float64 `json:"ms"`           // milliseconds of both, estimated from every 16th call
}

// Problems is what is wrong with the scripts of a room: why saved scripts are not in force, and which functions
// have failed under the present ones.
type Problems = wire.Problems
