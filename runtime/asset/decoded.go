package asset

import "errors"

// Decoded adds up what the images of a game take once they are decoded.
type Decoded struct {
	sizes map[string]int // bytes, by name
	total int
}

// Add inspects a file and counts its image in the place of an earlier one of this name. The error wraps
// ErrInvalid and names the file: it is not what its name says, it is too large, or too large together with
// the others.
func (d *Decoded) Add(f File, data []byte) error {
	size, err := Inspect(KindOf(f.Name), data)
	if err != nil {
		if e := (*Error)(nil); errors.As(err, &e) {
			return &Error{f.Name, e.Reason}
		}
		return err
	}
	n := 4 * size.Width * size.Height
	if d.total-d.sizes[f.Name]+n > MaxDecoded {
		return invalid(f.Name,
			"the images have more than %d MB together once they are decoded; this one has %d x %d pixels",
			MaxDecoded>>20, size.Width, size.Height)
	}
	if d.sizes == nil {
		d.sizes = map[string]int{}
	}
	d.total += n - d.sizes[f.Name]
	d.sizes[f.Name] = n
	return nil
}

// Remove no longer counts the image of a name.
func (d *Decoded) Remove(name string) {
	d.total -= d.sizes[name]
	delete(d.sizes, name)
}
