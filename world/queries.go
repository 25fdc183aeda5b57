package world

// Queries are the questions of script code about many objects at once. They see
// all objects as they were when the order began, and leave the acting object
// out.
//
// Queries is a value. Its zero value is not usable.
type Queries struct{ w *World }

// OfClass appends the slots of the objects of a class, in spawning order.
func (q Queries) OfClass(class int, out []int32) []int32 { return q.w.OfClass(class, out) }

// Nearest returns the object of a class that is nearest to a point and within
// the given distance in metres. Of objects at equal distance it returns the one
// with the lowest id.
func (q Queries) Nearest(x, y float64, class int, within float64) (slot int, ok bool) {
	return q.w.Nearest(x, y, class, within)
}

// Raycast returns the first body between two points on the layers in mask (see
// Schema.LayerMask).
func (q Queries) Raycast(x1, y1, x2, y2 float64, mask uint64) (RayHit, bool) {
	return q.w.Raycast(x1, y1, x2, y2, mask)
}

// RaycastAll appends the slots of all bodies that Raycast could meet, the
// nearest first, and of bodies at equal distance the one with the lowest id.
func (q Queries) RaycastAll(x1, y1, x2, y2 float64, mask uint64, out []int32) []int32 {
	return q.w.RaycastAll(x1, y1, x2, y2, mask, out)
}

// CircleCast is Raycast for a circle of radius r metres, at least
// physics.MinSize, whose centre moves along the line.
func (q Queries) CircleCast(x1, y1, x2, y2, r float64, mask uint64) (RayHit, bool) {
	return q.w.CircleCast(x1, y1, x2, y2, r, mask)
}

// OverlapCircle appends the slots of the bodies that touch a circle, in the
// order of their ids.
func (q Queries) OverlapCircle(x, y, r float64, mask uint64, out []int32) []int32 {
	return q.w.OverlapCircle(x, y, r, mask, out)
}

// OverlapBox is OverlapCircle for an upright box with its centre at x, y and
// the full size width, height.
func (q Queries) OverlapBox(x, y, width, height float64, mask uint64, out []int32) []int32 {
	return q.w.OverlapBox(x, y, width, height, mask, out)
}

// OverlapPolygon is OverlapCircle for the convex hull of 3 to 8 corners, given
// as x and y in turn. It returns the error of physics.PolygonShape for corners
// that make no polygon.
func (q Queries) OverlapPolygon(corners []float64, mask uint64, out []int32) ([]int32, error) {
	return q.w.OverlapPolygon(corners, mask, out)
}
