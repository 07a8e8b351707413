package dom

// shows are the elements whose content is their pixels.
var shows = map[string]bool{"img": true, "video": true, "canvas": true, "svg": true, "iframe": true, "embed": true, "object": true}

// ShowsPixels reports whether the content of elements with this tag is their pixels.
func ShowsPixels(tag string) bool { return shows[tag] }

// controls are the roles of what people use a page with, and of the landmarks by which they find it.
var controls = map[string]bool{
	"button": true, "textbox": true, "searchbox": true, "combobox": true, "listbox": true, "checkbox": true, "radio": true,
	"slider": true, "spinbutton": true, "switch": true, "form": true, "search": true, "navigation": true, "main": true,
}

// IsControl reports whether people use a page with what has this role.
func IsControl(role string) bool { return controls[role] }

// landmarks are parts that a page does not lose intentionally.
var landmarks = map[string]bool{
	"navigation": true, "main": true, "form": true, "heading": true, "button": true, "table": true, "textbox": true,
}

// IsLandmark reports whether a page does not lose intentionally what has this role.
func IsLandmark(role string) bool { return landmarks[role] }

// ControlsIn counts the controls within an element.
func (t *Tree) ControlsIn(i int) int {
	n := 0
	for j := i; j < len(t.Content) && j <= i+MaxInside && t.Within(j, i); j++ {
		if IsControl(t.Element(j).Role) {
			n++
		}
	}
	return n
}
