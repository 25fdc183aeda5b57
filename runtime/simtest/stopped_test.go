package simtest_test

import (
	"bytes"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/simtest"
)

// TestStoppedHostBlamesNobody stops the process of a host for two seconds, as SIGSTOP and a machine that is suspended do.
// The inputs that players made meanwhile are too far ahead, and that is the host's doing, in its log, its counts and its
// notices. A second stop soon after it has a line, too, because notices name its length. Afterwards everything is as
// before.
func TestStoppedHostBlamesNobody(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	o := roomtest.Options(3, 4, memlink.Average())
	o.Log = slog.NewTextHandler(&log, nil)
	sim := simtest.New(t, o)
	sim.Run(5 * time.Second)
	if got := log.String(); strings.Contains(got, "stopped") {
		t.Errorf("before: %s", got)
	}
	sim.SleepHost(3 * time.Second)
	sim.Run(4 * time.Second)
	sim.SleepHost(2 * time.Second)
	sim.Run(6 * time.Second)
	after := sim.Host.Report(sim.Now)
	if after.Refused["host_stopped"]+after.Refused["input_host_stopped"] == 0 {
		t.Errorf("no input was too far ahead, so this shows nothing: %v", after.Refused)
	}
	for reason, n := range after.Refused { // order: each is looked at by itself
		if strings.HasPrefix(reason, "input_") && reason != "input_host_stopped" || strings.HasPrefix(reason, "client_") {
			t.Errorf("%s: %d", reason, n)
		}
	}
	if l := after.Lateness; l.Reduced+l.LeadAsked+l.TooLate > 0 {
		t.Errorf("players were taken for late: %+v", l)
	}
	if got := log.String(); strings.Count(got, "the process did not run for a while") != 2 || strings.Contains(got, "ahead of") ||
		!strings.Contains(got, "the host's process did not run for 3s") {
		t.Errorf("the log:\n%s", got)
	}
	if sim.Host.Players() != 4 {
		t.Errorf("%d players", sim.Host.Players())
	}
	sim.Run(4 * time.Second)
	if later := sim.Host.Report(sim.Now); later.Inputs.Refused != after.Inputs.Refused {
		t.Errorf("%d inputs are refused later", later.Inputs.Refused-after.Inputs.Refused)
	}
	sim.Drain()
	sim.AgreeOnHashes()
}

// TestLogsAgreeOnWhatIsNotApplied stops a host so often that its log leaves lines out. The last line of the host about a
// player's inputs, and the last one of that client, have the same total.
func TestLogsAgreeOnWhatIsNotApplied(t *testing.T) {
	t.Parallel()
	var host, told lines
	o := roomtest.Options(3, 1, memlink.Average())
	o.Log = host.logger().Handler()
	o.Client = func(_ int, c *client.Config) { c.Log = told.logger() }
	sim := simtest.New(t, o)
	sim.Run(5 * time.Second)
	for range 3 {
		sim.SleepHost(time.Second)
		sim.Run(3 * time.Second)
	}
	sim.Run(12 * time.Second) // until what was left out is logged
	last := func(l *lines, text string) (total string) {
		for _, m := range regexp.MustCompile(`msg="`+text+`".* total=(\d+) `).FindAllStringSubmatch(l.String(), -1) {
			total = m[1]
		}
		return total
	}
	a, b := last(&host, "inputs not applied"), last(&told, "the host did not apply inputs")
	if a == "" || a != b || host.count("inputs not applied") >= told.count("the host did not apply inputs") {
		t.Errorf("the host says %q, and the client %q:\n%s%s", a, b, host.String(), told.String())
	}
}
