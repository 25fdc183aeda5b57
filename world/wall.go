package world

import "math"

// wallFields returns the field of WallClass. It is the number of the wall, counted over all levels from 0. Each wall
// has a Def of its own.
func wallFields() []Field {
	return []Field{{Name: "wall", Kind: Number, Step: 1, Show: ShowStep}}
}

// wallDef returns the index of the Def of wall i, counted over all levels. Those of walls follow
// those of classes.
func wallDef(s *Schema, i int) uint32 { return uint32(len(s.Classes) + i) }

// moveWall adds by to the number of a wall in its row.
func moveWall(row Row, by int) {
	row.State[0] = NumberBits(math.Float64frombits(row.State[0]) + float64(by))
}
