// Package machine breaks the rule on clocks, goroutines and globals.
package machine

import (
	"fmt"
	"time"
)

var (
	count int
	table = [2]int{1, 2}
	where struct{ x int }
	names = map[string]int{}
)

func init() { count = 1 }

func clocks(d time.Duration) time.Duration {
	start := time.Now()       // want: time.Now
	time.Sleep(d)             // want: time.Sleep
	read := time.Now          // want: time.Now
	go clocks(d)              // want: a goroutine
	timer := time.NewTimer(d) // want: time.NewTimer
	timer.Stop()
	return d.Round(time.Second) + read().Sub(start)
}

func globals(mine []int) {
	count = 2        // want: count is a variable
	count++          // want: count is a variable
	table[0] += 3    // want: table is a variable
	where.x = 1      // want: where is a variable
	names["a"] = 1   // want: names is a variable
	time.Local = nil // want: Local is a variable of package time
	mine[0] = count
	count := 3
	count++
	fmt.Println(count, table, where, names)
}
