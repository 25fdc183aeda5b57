package luabind

import "path"

// hudFont is the asset that view.lua declares as the font of the HUD; "": none.
type hudFont string

// declare implements font("title.woff2").
func (f *hudFont) declare(L call) int {
	name := L.text(1, "font: the name of an asset")
	if path.Ext(name) != ".woff2" {
		L.RaiseError("font: %q must end in .woff2", name)
	}
	*f = hudFont(name)
	return 0
}
