package luabind

import (
	"path"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Limits of tile maps.
const (
	maxTileMaps  = 8
	maxTileCells = 1 << 16 // of all maps
	maxTileSize  = 100     // metres
	maxTileKinds = 64      // of a sheet
)

// TileMap is a grid of tiles that view.lua declares: decoration below the bodies, which nothing touches.
type TileMap struct {
	Image   string  `json:"image"`   // the name of an asset: tiles of one size, row by row
	Columns int     `json:"columns"` // tiles in a row of the image
	Size    float64 `json:"size"`    // of a tile, in metres
	X       float64 `json:"x"`       // of the upper left corner, in metres
	Y       float64 `json:"y"`       // of the same, in metres; the map goes down from there
	Cells   [][]int `json:"cells"`   // row by row: the number of the tile, from 0; -1: none
}

// Tiles returns the tile maps that view.lua declares, in order.
func (v *View) Tiles() []TileMap { return v.tiles.list }

// tileMaps is the part of view.lua that declares tile maps.
type tileMaps struct {
	list  []TileMap
	cells int
}

// forget forgets the maps, before the file runs in another interpreter.
func (m *tileMaps) forget() { m.list, m.cells = nil, 0 }

// declare implements tiles { image =, grid =, ... }.
func (m *tileMaps) declare(L call) int {
	if len(m.list) == maxTileMaps {
		L.RaiseError("tiles: at most %d maps", maxTileMaps)
	}
	t := L.table(1, "tiles: the argument")
	out := TileMap{Size: 1}
	keys, columns := "", 0.0
	placed := map[string]*float64{"x": &out.X, "y": &out.Y}
	numbers := map[string]*float64{"size": &out.Size, "columns": &columns, "x": &out.X, "y": &out.Y}
	words := map[string]*string{"image": &out.Image, "keys": &keys}
	for _, k := range keysOf(L, t) {
		key, v := toText(k), t.RawGet(k)
		text, isText := v.(lua.LString)
		switch {
		case numbers[key] != nil:
			*numbers[key] = finiteIn(L, "tiles", key, v)
			delete(placed, key)
		case words[key] != nil && isText:
			*words[key] = string(text)
		case key != "grid":
			L.RaiseError("tiles has no %s; there are columns, grid, image, keys, size, x and y", key)
		}
	}
	switch {
	case !slices.Contains(imageEnds, path.Ext(out.Image)):
		L.RaiseError("tiles: image = %q: must end in .png, .webp or .svg", out.Image)
	case keys == "" || len(keys) > maxTileKinds ||
		strings.ContainsFunc(keys, func(c rune) bool { return c <= ' ' || c > '~' }):
		L.RaiseError(
			"tiles: keys must be 1 to %d characters: the first stands for the first tile of the image, as in keys "+
				"= \"#=o\"",
			maxTileKinds)
	case !(out.Size > 0 && out.Size <= maxTileSize):
		L.RaiseError("tiles: size must be above 0 and at most %d m", maxTileSize)
	}
	out.Columns = min(max(int(columns), 1), maxTileKinds)
	if columns == 0 {
		out.Columns = len(keys)
	}
	out.Cells = m.grid(L, t.RawGetString("grid"), keys)
	m.place(&out, placed)
	m.list = append(m.list, out)
	return 0
}

// grid reads rows of characters.
func (m *tileMaps) grid(L call, v lua.LValue, keys string) (cells [][]int) {
	rows, ok := v.(*lua.LTable)
	if !ok || rows.Len() == 0 {
		L.RaiseError("tiles: grid must be a list of rows, such as { \"##\", \"#.\" }")
	}
	for i := 1; i <= rows.Len(); i++ {
		text, ok := rows.RawGetInt(i).(lua.LString)
		if !ok {
			L.RaiseError("tiles: row %d of grid must be a string, not %s", i, aTypeName(rows.RawGetInt(i)))
		}
		if m.cells += len(text); m.cells > maxTileCells {
			L.RaiseError("tiles: the maps have at most %d tiles together", maxTileCells)
		}
		row := make([]int, len(text))
		for j := range row {
			row[j] = strings.IndexByte(keys, text[j])
			if row[j] < 0 && text[j] != '.' && text[j] != ' ' {
				L.RaiseError(
					"tiles: row %d of grid has %q, which is not among keys = %q; a dot or a space is no tile", i,
					text[j:j+1], keys)
			}
		}
		L.charge(len(row))
		cells = append(cells, row)
	}
	return cells
}

// place sets the coordinates that a map leaves open, so that its middle is at the middle of the arena.
func (m *tileMaps) place(t *TileMap, open map[string]*float64) {
	widest := 0
	for _, row := range t.Cells {
		widest = max(widest, len(row))
	}
	if x := open["x"]; x != nil {
		*x = -t.Size * float64(widest) / 2
	}
	if y := open["y"]; y != nil {
		*y = t.Size * float64(len(t.Cells)) / 2
	}
}
