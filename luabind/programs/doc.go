// Package programs shares compiled scripts between the rooms of a process.
//
// A host and a client each compile the scripts of their room. A process with many rooms compiles the
// same bundle again and again, unless it gives all of them the Compile of one Cache:
//
//	var cache programs.Cache
//	...
//	h, err := host.New(host.Config{Compile: cache.Compile, ...})
//
// Each room still has a VM of its own. Joining takes less time, and when rooms take turns, the byte code
// of their scripts stays in the processor's caches.
//
// # Concurrency
//
// Goroutines may share a Cache. The scripts that it makes serve one goroutine each.
package programs
