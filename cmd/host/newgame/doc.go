// Package newgame writes the folder of a new game, which is a copy of another one: of the
// template, of a built-in game, of a folder, or of the game that a client plays.
//
//	files, err := newgame.Read(fsys)
//	err = newgame.Write("mygame", files)
//	fmt.Print(newgame.Next("mygame"))
//
// # Concurrency
//
// All functions may be called from any goroutine, but not for the same folder at once.
package newgame
