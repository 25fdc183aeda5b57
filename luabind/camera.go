package luabind

import (
	"fmt"
	"math"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// Limits of a camera.
const (
	maxFollowed = 8
	maxAhead    = 2   // seconds
	maxEase     = 5   // seconds
	maxZoom     = 1e4 // metres
)

// CameraRange returns the least and the most of a number that the function of camera returns. ok is false for others.
func CameraRange(key string) (least [2]float64, ok bool) {
	switch key {
	case "ahead":
		return [2]float64{0, maxAhead}, true
	case "ease":
		return [2]float64{0, maxEase}, true
	case "zoom":
		return [2]float64{1, maxZoom}, true
	}
	return least, false
}

// camera reads what the function of camera returns; nil: the page decides.
func (h *hud) camera(answer lua.LValue, of *lua.FunctionProto) (*Camera, error) {
	if answer == lua.LNil {
		return nil, nil
	}
	fail := func(format string, args ...any) (*Camera, error) {
		return nil, syntax.Problem(of.SourceName, of.LineDefined, "camera: "+format, args...)
	}
	t, ok := answer.(*lua.LTable)
	if !ok {
		return fail("the result must be a table or nil, not %s", aTypeName(answer))
	}
	c := &Camera{Follow: []string{}, Shares: []float64{}, Zoom: []float64{}, Ease: 0.1}
	var weights *lua.LTable
	for _, k := range sortedTableKeys(t) {
		v, key := valueAt(t, k), toText(k)
		var err error
		switch key {
		case "follow":
			c.Follow, err = followed(v)
		case "weights":
			if weights, ok = v.(*lua.LTable); !ok {
				err = fmt.Errorf("weights must be a table of numbers, not %s", aTypeName(v))
			}
		case "zoom":
			c.Zoom, err = zoom(v)
		case "ahead":
			c.Ahead, err = within(key, v, 0, maxAhead)
		case "ease":
			c.Ease, err = within(key, v, 0, maxEase)
		case "inside":
			if c.Inside = v == lua.LString("arena"); !c.Inside {
				err = fmt.Errorf("inside must be \"arena\", not %s", toText(v))
			}
		default:
			err = fmt.Errorf("there is no %s; there are %s", key, world.Listed(api.CameraKeys()))
		}
		if err != nil {
			return fail("%v", err)
		}
	}
	if err := c.share(weights); err != nil {
		return fail("%v", err)
	}
	return c, nil
}

// followed reads an object, or a list of objects. An object that is gone is left out.
func followed(v lua.LValue) ([]string, error) {
	ids := []string{}
	t, ok := v.(*lua.LTable)
	if !ok {
		return nil, fmt.Errorf("follow must be an object or a list of objects, not %s", aTypeName(v))
	}
	if id, ok := t.RawGetString("id").(lua.LString); ok {
		return append(ids, string(id)), nil
	}
	for i := 1; i <= maxFollowed; i++ { // an object that is gone leaves a gap
		switch o := t.RawGetInt(i).(type) {
		case *lua.LTable:
			if id, ok := o.RawGetString("id").(lua.LString); ok {
				ids = append(ids, string(id))
				continue
			}
			return nil, fmt.Errorf("follow: item %d is not an object, such as v.me", i)
		case *lua.LNilType:
		default:
			return nil, fmt.Errorf("follow: item %d is %s, not an object", i, aTypeName(o))
		}
	}
	return ids, nil
}

func zoom(v lua.LValue) ([]float64, error) {
	if n, ok := v.(lua.LNumber); ok {
		v = &lua.LTable{}
		v.(*lua.LTable).Append(n)
	}
	t, ok := v.(*lua.LTable)
	if !ok {
		return nil, fmt.Errorf("zoom must be a number of metres, or { least, most }, not %s", aTypeName(v))
	}
	least, err := within("zoom", t.RawGetInt(1), 1, maxZoom)
	if err != nil {
		return nil, err
	}
	most := least
	if t.RawGetInt(2) != lua.LNil {
		if most, err = within("zoom", t.RawGetInt(2), least, maxZoom); err != nil {
			return nil, err
		}
	}
	return []float64{least, most}, nil
}

// share gives each followed object its share of the centre.
func (c *Camera) share(weights *lua.LTable) error {
	sum := 0.0
	for i := range c.Follow {
		w := 1.0
		if weights != nil && weights.RawGetInt(i+1) != lua.LNil {
			var err error
			if w, err = within("weights", weights.RawGetInt(i+1), 0, 1e6); err != nil {
				return err
			}
		}
		c.Shares = append(c.Shares, w)
		sum += w
	}
	for i := range c.Shares {
		c.Shares[i] /= max(sum, 1e-9)
	}
	return nil
}

func within(key string, v lua.LValue, least, most float64) (float64, error) {
	n, ok := v.(lua.LNumber)
	if !ok || !(float64(n) >= least && float64(n) <= most) || math.IsNaN(float64(n)) {
		return 0, fmt.Errorf("%s: %s is not a number from %g to %g", key, toText(v), least, most)
	}
	return float64(n), nil
}
