package rest

import (
	"net/http"
	"testing"
)

// Errors name an item by the index that the client gave it, also when others before it are missing or blank.
func TestErrorsNameTheItemThatWasSent(t *testing.T) {
	const target = "/api/v2/shelves/run"
	for _, c := range []struct{ name, method, target, media, body, path, want string }{
		{"a hole in a form", "POST", target, formType, `sc_type=pre&group_ids[3]=` + idA, "shelfIds.0", "group_ids.3"},
		{"a hole in JSON", "POST", target, jsonType, `{"sc_type":"pre","group_ids":{"1":"` + idA + `","7":"` + idB + `"}}`,
			"shelfIds.1", "group_ids.7"},
		{"a blank", "POST", target, jsonType, `{"sc_type":"pre","group_ids":["","` + idA + `"]}`, "shelfIds.0", "group_ids.1"},
		{"no hole", "POST", target, jsonType, `{"sc_type":"pre","group_ids":["` + idA + `","` + idB + `"]}`, "shelfIds.1", "group_ids.1"},
		{"the list itself", "POST", target, formType, `sc_type=pre&group_ids[3]=` + idA, "shelfIds", "group_ids"},
		{"an item beyond", "POST", target, formType, `sc_type=pre&group_ids[3]=` + idA, "shelfIds.5", "group_ids.5"},
		{"objects", "POST", "/api/v2/shelves", formType, `name=a&labels[4][type]=pre&labels[9][type]=post`, "input.labels.1.type",
			"labels.9.type"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t, refused(codeInvalid, "x", map[string]any{
				"fields": []map[string]any{{"path": c.path, "message": "m", "template": "The selected {field} is invalid."}},
			}))
			text := "The selected " + attribute(c.want) + " is invalid."
			expect(t, f.send(c.method, c.target, c.media, c.body), http.StatusUnprocessableEntity,
				`{"message":"`+text+`","errors":{"`+c.want+`":["`+text+`"]}}`)
		})
	}
}
