// Package stats gathers values of a whole run in fixed memory, and summarises them as
// reports show them.
//
//	var ms stats.Series
//	ms.Add(1.5)
//	report.TickMS = ms.Spread() // median, 99th percentile and maximum
//
// # Concurrency
//
// A Series serves one goroutine at a time.
package stats
