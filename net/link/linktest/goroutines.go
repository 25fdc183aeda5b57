package linktest

import (
	"bytes"
	"context"
	"fmt"
	"runtime/pprof"
	"strings"
	"time"
)

// label is the key by which the goroutines of a case are known in profiles: a goroutine
// has the labels of the one that started it.
const label = "hindcast linktest"

// labelled calls do. All goroutines that are started meanwhile, by whatever do starts, have
// a label.
func labelled(value string, do func()) {
	pprof.Do(context.Background(), pprof.Labels(label, value), func(context.Context) { do() })
}

// leftover returns the stacks of goroutines that have a label and do not end within
// patience.
func leftover(value string, patience time.Duration) (stacks []string) {
	for end := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
		stacks = withLabel(value)
		if len(stacks) == 0 || time.Now().After(end) {
			return stacks
		}
	}
}

// withLabel returns the stacks of goroutines with a label, as the profile has them.
func withLabel(value string) (stacks []string) {
	var profile bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&profile, 1); err != nil {
		return []string{fmt.Sprintf("no profile of the goroutines: %v", err)}
	}
	mark := fmt.Sprintf("%q:%q", label, value)
	for stack := range strings.SplitSeq(profile.String(), "\n\n") {
		if strings.Contains(stack, mark) {
			stacks = append(stacks, stack)
		}
	}
	return stacks
}
