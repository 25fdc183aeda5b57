package syntax

// Place is a line of a file. Lines are counted from 1.
type Place struct {
	File string
	Line int
}
