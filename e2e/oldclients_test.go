package e2e

import (
	"net/http"
	"strings"
)

// oldClients sends one thing in all the forms that clients of the version before send, and wants each understood.
func oldClients(s *service) {
	s.t.Helper()
	const forms = "application/x-www-form-urlencoded"
	one := must[data[struct{ ID string }]](s, http.MethodPost, "/urls", map[string]any{"url": "example.com/one"}).Data.ID
	two := must[data[struct{ ID string }]](s, http.MethodPost, "/urls", map[string]any{"url": "example.com/two"}).Data.ID
	group := must[data[struct{ ID string }]](s, http.MethodPost, "/groups", map[string]any{"name": "forms"}).Data.ID
	path := "/groups/" + group
	for _, c := range []struct{ method, path, media, body, want string }{
		// Bodies, with PHP's nesting.
		{"POST", path + "/add-urls", forms, "urls[0][id]=" + one + "&urls[0][mobile]=0&urls[1][id]=" + two, `{"count":2}`},
		{"POST", path + "/remove-urls", forms, "urls[]=" + one, `{"count":1}`},
		{"PUT", path + "/remove-urls", forms, "urls[0]=" + two, `{"count":1}`},
		{"POST", path + "/add-urls", "application/json; charset=utf-8", `{"urls":{"0":{"id":"` + one + `"},"2":{"id":"` + two +
			`"}}}`, `{"count":2}`},
		{"PUT", path + "/urls", forms, "urls[0][id]=" + one + "&urls[0][desktop]=0", `{"message":"1 URLs in Group ` + group + ` changed"}`},
		// Booleans and numbers.
		{"PUT", path, "application/json", `{"enabled":0}`, `"enabled":false`},
		{"PATCH", path, "application/json", `{"enabled":"1"}`, `"enabled":true`},
		{"PUT", path, "application/json", `{"enabled":"false"}`, `"enabled":false`},
		{"PUT", path, forms, "enabled=true", `"enabled":true`},
		{"PUT", path, "application/json", `{"hour_of_day":"7","interval_in_h":"0.25","threshold":"1.5"}`,
			`"hour_of_day":7,"interval_in_h":0.25`},
		{"PUT", path, forms, "interval_in_h=.5", `"interval_in_h":0.5`},
		// Lists.
		{"PUT", path, "application/json", `{"alert_emails":"a@example.com, b@example.com"}`,
			`"alert_emails":"a@example.com,b@example.com"`},
		{"PUT", path, "application/json", `{"alert_emails":["c@example.com"]}`, `"alert_emails":"c@example.com"`},
		{"PUT", path, forms, "alert_emails[]=d@example.com&alert_emails[]=e@example.com", `"alert_emails":"d@example.com,e@example.com"`},
		// An empty text is null, but clears a password.
		{"PUT", path, forms, "basic_auth_user=guest&basic_auth_password=hush", `"basic_auth_user":"guest","has_basic_auth":true`},
		{"PUT", path, forms, "css=", `"css":null`},
		{"PUT", path, "application/json", `{"name":"forms"}`, `"has_basic_auth":true`},
		{"PUT", path, forms, "basic_auth_password=", `"has_basic_auth":false`},
		// What nobody knows.
		{"PUT", path, "application/json", `{"nonsense":{"a":[1]},"name":"still"}`, `"name":"still"`},
		{"GET", "/groups?nonsense[a]=1&ids=" + group, "", "", `"name":"still"`},
		// Lists and ids in queries.
		{"GET", "/groups?ids[]=" + group + "&ids[]=x", "", "", `"total":1`},
		{"GET", "/groups?ids[0]=" + group, "", "", `"total":1`},
		{"GET", "/groups?ids=" + group + "," + one, "", "", `"total":1`},
		{"GET", "/groups?ids=malformed", "", "", `"data":[]`},
		{"GET", "/groups?monitoring=0&ids=" + group, "", "", `"total":1`},
		{"GET", "/groups?monitoring=True&ids=" + group, "", "", `"total":0`},
		{"GET", "/groups?per_page=5000", "", "", `"per_page":100`},
		{"GET", "/groups?per_page=nonsense&page=-1", "", "", `"current_page":1`},
	} {
		a, err := s.sendAs(c.method, "/api/v2"+c.path, c.media, c.body)
		if err != nil {
			s.t.Fatal(err)
		}
		s.checkAnswer(c.method, "/api/v2"+c.path, a)
		if a.status != http.StatusOK || !strings.Contains(string(a.body), c.want) {
			s.t.Errorf("%s %s %s: %d %s\nwant %s", c.method, c.path, c.body, a.status, a.body, c.want)
		}
	}
}

// sendAs sends a body as it is, with headers that nobody knows.
func (s *service) sendAs(method, path, media, body string) (answer, error) {
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("X-Plugin-Version", "3.1")
	if media != "" {
		r.Header.Set("Content-Type", media)
	}
	return finish(http.DefaultClient.Do(r))
}
