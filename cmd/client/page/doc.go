// Package gamepage is the page that shows a game in a browser: its files, and the messages about the
// bodies of a room that its modules read.
//
// The page of client is all of it (index.html). Other pages draw a room with the same modules: draw.js
// draws what room.js knows, and effects.js the effects of cues. The page of host replay does so.
//
// A program calls [Room.Publish] for each view, and sends each browser what [Room.News] returns for its
// [Seen]; or it answers requests for single views with [Room.Still].
//
// # Concurrency
//
// A Room belongs to one goroutine, or is guarded by its program.
package gamepage
