package simtest

import (
	"errors"
	"fmt"
)

// Failures is a TB for programs. Failures become errors.
type Failures struct {
	errs []error
}

// stopped is the panic that ends a failed run.
type stopped struct{}

// Catch calls run and returns its failures.
func (f *Failures) Catch(run func()) (err error) {
	defer func() {
		if r := recover(); r != nil && r != (stopped{}) {
			panic(r)
		}
		err = errors.Join(f.errs...)
		f.errs = nil
	}()
	run()
	return nil
}

// Helper does nothing.
func (f *Failures) Helper() {}

// Cleanup does nothing. Tests use it to print more about a failure.
func (f *Failures) Cleanup(func()) {}

// Failed reports whether there was a failure.
func (f *Failures) Failed() bool { return len(f.errs) > 0 }

// Logf does nothing.
func (f *Failures) Logf(string, ...any) {}

// Errorf notes a failure.
func (f *Failures) Errorf(format string, args ...any) {
	f.errs = append(f.errs, fmt.Errorf(format, args...))
}

// Fatalf notes a failure and ends the run.
func (f *Failures) Fatalf(format string, args ...any) {
	f.Errorf(format, args...)
	panic(stopped{})
}

// Error is Errorf of any values.
func (f *Failures) Error(args ...any) { f.Errorf("%s", fmt.Sprint(args...)) }

// Fatal is Fatalf of any values.
func (f *Failures) Fatal(args ...any) { f.Fatalf("%s", fmt.Sprint(args...)) }
