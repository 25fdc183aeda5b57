package host

import (
	"errors"
	"fmt"
	"maps"

	"github.com/hindcast/hindcast/runtime/internal/side"
)

// refusal is why something of a client was refused, as Report.Refused names it. The names are published.
type refusal string

// Why clients are turned away.
const (
	wrongVersion   refusal = "client_version"
	roomFull       refusal = "client_room_full"
	notAdmitted    refusal = "client_not_admitted"
	badMessage     refusal = "client_protocol_error" // together with malformed_..., if a message was malformed
	tooMany        refusal = "client_too_many_requests"
	tooManyScript  refusal = "client_too_many_bundles"
	noSuchScript   refusal = "client_unknown_bundle"
	notInTime      refusal = "client_acknowledges_nothing" // or is too far behind
	watchedLong    refusal = "client_watched_too_long"
	takesNothing   refusal = "client_backlog"
	gaveWay        refusal = "client_gave_way" // to a newcomer of another network
	tooManyWaiting refusal = "client_too_many_waiting"
)

// What of clients has no effect.
const (
	chatOfOnlooker refusal = "chat_onlooker"
	chatRejected   refusal = "chat_rejected" // by Callbacks.Chat
	badCommand     refusal = "command"
	shortened      refusal = "frame_shortened"
	unsent         refusal = "acknowledged_unsent" // a packet or a baseline that was never sent
	agrees         refusal = "desync_without_difference"
	notKept        refusal = "desync_of_old_tick" // which cannot be compared any more
)

// Why inputs, poses and frames have no effect: with the prefix of what it is.
const (
	ofInput = "input_"
	ofPose  = "pose_"
	ofFrame = "frame_"

	tooOld       refusal = "too_old"
	tooLate      refusal = "too_late"
	tooMuchWork  refusal = "too_much_work" // its rewind was, or one of its player a moment ago
	tooFarAhead  refusal = "too_far_ahead"
	stoppedHost  refusal = "host_stopped" // at the wrong time because the process was stopped
	objectGone   refusal = "object_gone"
	notOwner     refusal = "not_owner"
	wrongClass   refusal = "wrong_class"
	wrongBundle  refusal = "wrong_bundle"
	invalidValue refusal = "invalid_value"
	contradicts  refusal = "contradicts"
	byRules      refusal = "by_rules" // the simulation refused a pose
)

// refusedError is an error with the reason that is counted.
type refusedError struct {
	why refusal
	err error
}

func (e *refusedError) Error() string { return e.err.Error() }
func (e *refusedError) Unwrap() error { return e.err }

// because returns an error that is counted for a reason.
func because(why refusal, format string, args ...any) error {
	return &refusedError{why, fmt.Errorf(format, args...)}
}

// reasonOf returns the reason for which an error is counted; invalidValue if it has none.
func reasonOf(err error) refusal {
	if e := (*refusedError)(nil); errors.As(err, &e) {
		return e.why
	}
	return invalidValue
}

// refusals counts what was refused, by reason.
type refusals struct{ side.Reasons }

// Add counts a refusal.
func (r *refusals) Add(why refusal) { r.Reasons.Add(string(why)) }

// Counts returns the counts by reason, with those of the link.
func (r *refusals) Counts(link map[string]int64) map[string]int64 {
	all := r.Reasons.Counts()
	if all == nil {
		all = make(map[string]int64)
	}
	maps.Copy(all, link)
	return all
}
