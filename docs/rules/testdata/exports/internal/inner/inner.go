// Package inner exports names, of which package exports uses some.
package inner

type Used struct{ N int }

type Returned struct{ N int }

type Spare struct{} // want: no other package uses Spare

func Make() (Used, Returned) { return Used{}, Returned{} }

func Lost() {} // want: no other package uses Lost

const Own = 1 // want: no other package uses Own

var own = Own + hidden

const hidden = 2
