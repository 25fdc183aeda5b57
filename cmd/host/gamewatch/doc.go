// Package gamewatch finds out when the folder of a game has changed.
//
// A [Folder] looks at the folder again and again, by its path: at names, sizes and times of the
// files at each look, and at what they contain when one of these differs, and every two seconds.
// Notifications of the operating system would be faster by some milliseconds. They belong to the
// folder that was there when they were requested, so that they end when another one takes its place
// (git checkout, rm and copy, rename), and network drives do not send them.
//
//	folder, err := gamewatch.Open(dir)
//	for each tenth of a second {
//		switch folder.Look(now) {
//		case gamewatch.Changed:
//			if use(folder.Game()) || folder.Steady(now) {
//				folder.Accept()
//			}
//		case gamewatch.Gone, gamewatch.Back:
//			...
//		}
//	}
//
// # Concurrency
//
// A Folder belongs to one goroutine. It has no clock. A look can take long, if the folder is on a
// network drive that does not answer.
package gamewatch
