package world

import "math"

// DefIndex returns the index, in Schema.Defs, of the prepared Def of the class.
func (c *Class) DefIndex() uint32 { return c.layout.def }

// Words returns how many words of an object's row its fields take.
func (c *Class) Words() int { return c.layout.words }

// Between writes into row the shown values of an object's fields at a part, from 0 to 1, of the time
// between two rows, by the Show of each field. A list whose length has changed steps.
func (c *Class) Between(row, from, to []uint64, part float64) {
	if part >= 1 {
		copy(row, to)
		return
	}
	copy(row, from)
	for i := range c.Fields {
		f := &c.Fields[i]
		if f.Kind != Number || f.Show == ShowStep {
			continue
		}
		if f.List != 0 {
			if n := c.Fields[i-f.List].Offset; from[n] != to[n] {
				continue
			}
		}
		a, b := math.Float64frombits(from[f.Offset]), math.Float64frombits(to[f.Offset])
		if a == b {
			continue
		}
		way := b - a
		if f.Show == ShowShortest {
			way -= float64(2 * math.Pi * math.Floor(way/(2*math.Pi)+0.5))
		}
		v := a + float64(way*part)
		if f.Show == ShowShortest {
			v -= float64(2 * math.Pi * math.Floor(v/(2*math.Pi)+0.5))
		}
		row[f.Offset] = NumberBits(v)
	}
}
