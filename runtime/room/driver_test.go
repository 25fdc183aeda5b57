package room_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// These tests run Drivers in bubbles of testing/synctest: the time is virtual, no test
// waits, and a Do that hangs is a deadlock, which ends the test.

// driveHost runs a host on a driver until the test ends, or stop is called.
func driveHost(t *testing.T, d *room.Driver, h *host.Host) (stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = d.Run(ctx, h)
	}()
	stop = func() error { cancel(); <-done; return err }
	t.Cleanup(func() { _ = stop() })
	return stop
}

func TestDriverRunsOnce(t *testing.T) {
	host, _, _ := roomtest.NewHost(t, nil)
	driver := room.NewDriver()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := driver.Run(ctx, host); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("it ran a host again, on a clock that had ended")
		}
	}()
	_ = driver.Run(ctx, host)
}

func TestDriverDoInDo(t *testing.T) {
	roomtest.Bubble(t, func(t *testing.T) {
		host, _, _ := roomtest.NewHost(t, nil)
		driver := room.NewDriver()
		driveHost(t, driver, host)
		var order []string
		inner := func(name string, err error) func(context.Context, time.Duration) error {
			return func(context.Context, time.Duration) error { order = append(order, name); return err }
		}
		failed := errors.New("failed")
		err := driver.Do(t.Context(), func(ctx context.Context, _ time.Duration) error {
			order = append(order, "outer begins")
			if err := driver.Do(ctx, inner("with its context", failed)); err != failed {
				t.Errorf("Do in Do returned %v", err)
			}
			if err := driver.Do(context.Background(), inner("with another", nil)); err != nil {
				t.Errorf("Do in Do returned %v", err)
			}
			if err := driver.Post(func(time.Duration) { order = append(order, "posted") }); err != nil {
				t.Errorf("Post in Do returned %v", err)
			}
			order = append(order, "outer ends")
			return failed
		})
		if err != failed {
			t.Errorf("Do returned %v", err)
		}
		_ = driver.Do(t.Context(), inner("after", nil))
		want := []string{"outer begins", "with its context", "with another", "outer ends", "posted", "after"}
		if !slices.Equal(order, want) {
			t.Errorf("ran %q, want %q", order, want)
		}
	})
}

// TestDriverDoEndsWithItsContext tests that a Do whose context ends before its function
// began does not run it, and that a Do whose function has begun waits for it.
func TestDriverDoEndsWithItsContext(t *testing.T) {
	roomtest.Bubble(t, func(t *testing.T) {
		host, _, _ := roomtest.NewHost(t, nil)
		driver := room.NewDriver()
		ran := false
		f := func(context.Context, time.Duration) error { ran = true; return nil }
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := driver.Do(ended, f); !errors.Is(err, context.Canceled) || ran {
			t.Errorf("Do with an ended context before the run: %v, ran %v", err, ran)
		}
		late, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := driver.Do(late, f); !errors.Is(err, context.DeadlineExceeded) || ran {
			t.Errorf("Do before the run: %v, ran %v", err, ran)
		}
		driveHost(t, driver, host)
		release := make(chan struct{})
		go func() {
			_ = driver.Do(t.Context(), func(context.Context, time.Duration) error { <-release; return nil })
		}()
		synctest.Wait()
		late, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := driver.Do(late, f); !errors.Is(err, context.DeadlineExceeded) || ran {
			t.Errorf("Do while another one runs: %v, ran %v", err, ran)
		}
		close(release)
		late, cancel = context.WithCancel(t.Context())
		defer cancel()
		failed := errors.New("failed")
		err := driver.Do(late, func(ctx context.Context, _ time.Duration) error {
			cancel()
			ran = ctx.Err() != nil
			return failed
		})
		if err != failed || !ran {
			t.Errorf("Do whose context ends in its function: %v, its context had ended: %v", err, ran)
		}
	})
}

func TestDriverDoAndPostAfterTheRun(t *testing.T) {
	roomtest.Bubble(t, func(t *testing.T) {
		host, _, _ := roomtest.NewHost(t, nil)
		driver := room.NewDriver()
		waits := make(chan error)
		begun := false
		go func() {
			_ = driver.Do(t.Context(), func(context.Context, time.Duration) error { // before the run, for which it waits
				begun = true
				return nil
			})
			waits <- nil
		}()
		stop := driveHost(t, driver, host)
		if <-waits; !begun {
			t.Error("a Do from before the run did not run")
		}
		posted := 0
		if err := driver.Post(func(time.Duration) { posted++ }); err != nil {
			t.Error(err)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
		if posted != 1 {
			t.Errorf("what was posted before the end ran %d times", posted)
		}
		ran := false
		if err := driver.Do(t.Context(), func(context.Context, time.Duration) error { ran = true; return nil }); !errors.Is(err, room.ErrDriverDone) || ran {
			t.Errorf("Do after the run: %v, ran %v", err, ran)
		}
		if err := driver.Post(func(time.Duration) { ran = true }); !errors.Is(err, room.ErrDriverDone) || ran {
			t.Errorf("Post after the run: %v, ran %v", err, ran)
		}
	})
}

// TestDriverPanicInDo tests that a panic in the function of a Do reaches the caller of
// Do, with the stack of the function, and that the room goes on.
func TestDriverPanicInDo(t *testing.T) {
	roomtest.Bubble(t, func(t *testing.T) {
		host, _, _ := roomtest.NewHost(t, nil)
		driver := room.NewDriver()
		stop := driveHost(t, driver, host)
		oops := errors.New("oops")
		caught := func() (caught any) {
			defer func() { caught = recover() }()
			_ = driver.Do(t.Context(), func(context.Context, time.Duration) error { panic(oops) })
			return nil
		}()
		if err, ok := caught.(error); !ok || !errors.Is(err, oops) || !strings.Contains(err.Error(), "TestDriverPanicInDo") {
			t.Errorf("the caller caught %v, want oops with the stack of the function", caught)
		}
		before := tickOf(t, driver, host)
		time.Sleep(time.Second)
		if now := tickOf(t, driver, host); now < before+50 {
			t.Errorf("a second after the panic the room went from tick %d to %d", before, now)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

func tickOf(t *testing.T, d *room.Driver, h *host.Host) (tick world.Tick) {
	t.Helper()
	onDriver(t, d, func(time.Duration) { tick = h.Now() })
	return tick
}

// onDriver runs f on the driving goroutine.
func onDriver(t *testing.T, d *room.Driver, f func(now time.Duration)) {
	t.Helper()
	if err := d.Do(t.Context(), func(_ context.Context, now time.Duration) error { f(now); return nil }); err != nil {
		t.Error(err)
	}
}

// TestDriverEndOfItsGoroutine tests that a function that ends the driving goroutine, as
// t.FailNow does, ends the run, and that no call of Do hangs: neither its own, nor those that
// wait, nor later ones.
func TestDriverEndOfItsGoroutine(t *testing.T) {
	roomtest.Bubble(t, func(t *testing.T) {
		host, _, _ := roomtest.NewHost(t, nil)
		driver := room.NewDriver()
		driveHost(t, driver, host)
		var all sync.WaitGroup
		for i := range 3 {
			all.Go(func() {
				err := driver.Do(t.Context(), func(context.Context, time.Duration) error {
					if i == 0 {
						new(testing.T).SkipNow() // ends this goroutine
					}
					return nil
				})
				if i == 0 && !errors.Is(err, room.ErrDriverDone) {
					t.Errorf("Do of a function that ends the goroutine returned %v", err)
				}
			})
		}
		all.Wait()
		if err := driver.Post(func(time.Duration) {}); !errors.Is(err, room.ErrDriverDone) {
			t.Errorf("Post returned %v", err)
		}
	})
}

// TestDriverOfAnIdleRoomWakesSeldom tests that a Driver sleeps until its room is due. A room to
// which nobody is connected is due every 500 ms, and then runs all its ticks. A client that
// connects between finds the room at the present.
func TestDriverOfAnIdleRoomWakesSeldom(t *testing.T) {
	roomtest.Bubble(t, func(t *testing.T) {
		driver := room.NewDriver()
		var h *host.Host
		admitted := false
		h, l, network := roomtest.NewHost(t, func(cfg *host.Config) {
			cfg.Admit = func(string, []byte) error {
				admitted = true
				if due := int(driver.Now() / h.TickLength()); int(h.Now()) < due {
					t.Errorf("a client is admitted at tick %d, want %d", h.Now(), due)
				}
				return nil
			}
		})
		driveHost(t, driver, h)
		look := func() (ticks, polls int) {
			onDriver(t, driver, func(time.Duration) { ticks, polls = int(h.Now()), l.Polls })
			return ticks, polls
		}
		firstTick, firstPoll := look()
		time.Sleep(10 * time.Second)
		ticks, polls := look()
		ticks, polls = ticks-firstTick, polls-firstPoll
		if ticks < 599 || ticks > 601 || polls < 16 || polls > 24 {
			t.Errorf("%d polls in %d ticks of 10 s, want 600 ticks and one poll in 500 ms", polls, ticks)
		}
		time.Sleep(111 * time.Millisecond)
		onDriver(t, driver, func(time.Duration) {
			l.Others = append(l.Others, client.New(client.Config{Link: network.Dial(memlink.Average(), memlink.Average()), Compile: stub.Compile}))
		})
		time.Sleep(time.Second)
		if !admitted || h.Players() != 1 {
			t.Errorf("admitted: %v, %d players", admitted, h.Players())
		}
		if late := h.Report(driver.Now()); late.LateTicks != 0 || late.SkippedMS != 0 {
			t.Errorf("%d ticks were late, %v ms skipped", late.LateTicks, late.SkippedMS)
		}
	})
}

// TestDriverManyCallers tests that calls of Post and Do from many goroutines run one at a
// time, each once, and those of one goroutine in order.
func TestDriverManyCallers(t *testing.T) {
	roomtest.Bubble(t, func(t *testing.T) {
		host, _, _ := roomtest.NewHost(t, nil)
		driver := room.NewDriver()
		stop := driveHost(t, driver, host)
		const callers, each = 20, 50
		var last [callers]int
		var all sync.WaitGroup
		for i := range callers {
			all.Go(func() {
				for n := 1; n <= each; n++ {
					take := func() {
						if last[i]++; last[i] != n {
							t.Errorf("caller %d: number %d ran as number %d", i, n, last[i])
						}
					}
					var err error
					if n%2 == 0 {
						err = driver.Do(t.Context(), func(context.Context, time.Duration) error { take(); return nil })
					} else {
						err = driver.Post(func(time.Duration) { take() })
					}
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if err := stop(); err != nil {
			t.Error(err)
		}
		for i, n := range last {
			if n != each {
				t.Errorf("caller %d: %d of %d ran", i, n, each)
			}
		}
	})
}

// TestDriverNeedsASide: without a host or a client, Run says what it needs, and can be called again.
func TestDriverNeedsASide(t *testing.T) {
	d := room.NewDriver()
	for _, side := range []room.Side{nil, (*host.Host)(nil), (*client.Client)(nil)} {
		if err := d.Run(t.Context(), side); !errors.Is(err, room.ErrConfig) {
			t.Errorf("%T: %v", side, err)
		}
	}
}

// interrupted is a Side that is interrupted within a tick when its context ends, or while it drains after that.
type interrupted struct {
	room.Side
	cancel         func()
	drains, ending bool
	over           bool
	updates        int
}

func (s *interrupted) Due(now time.Duration) time.Duration {
	if s.over {
		return link.Never
	}
	return now
}

func (s *interrupted) Wake(time.Duration)                {}
func (s *interrupted) Poll(time.Duration)                {}
func (s *interrupted) Ready() <-chan struct{}            { return nil }
func (s *interrupted) Close(time.Duration, string) error { return nil }
func (s *interrupted) Abandon()                          {}

func (s *interrupted) Update(time.Duration) error {
	s.cancel()
	s.updates++
	if s.ending == s.drains {
		return timeline.ErrInterrupted
	}
	return nil
}

func (s *interrupted) End(_ time.Duration, _ error, atOnce bool) (ended bool) {
	s.ending, s.over = true, atOnce
	return !s.drains || atOnce
}

// TestDriverInterruptedWithinATick: who waits for the end of a run gets no error because a tick was given up for that, also
// one of those in which a client drains.
func TestDriverInterruptedWithinATick(t *testing.T) {
	for _, drains := range []bool{false, true} {
		ctx, cancel := context.WithCancel(context.Background())
		s := &interrupted{cancel: cancel, drains: drains}
		if err := room.NewDriver().Run(ctx, s); err != nil || s.updates < 1 || s.ending != true {
			t.Errorf("drains %v: %v after %d updates", drains, err, s.updates)
		}
	}
}
