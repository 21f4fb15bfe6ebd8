package fakebb

import "strconv"

// webhookRoutes are whom a repository tells of what happens in it.
var webhookRoutes = []route{
	{method: "GET", path: repositories + "/webhooks", answer: listWebhooks,
		evidence: "the OpenAPI document [O], drone/go-scm testdata/webhooks.json [F]; that only administrators may read them [O]"},
	{method: "GET", path: repositories + "/webhooks/{webhookId}", answer: getWebhook,
		evidence: "the OpenAPI document [O], drone/go-scm testdata/webhook.json [F]; the sentence of the 404 is belief"},
}

// webhookJSON is a webhook, in the key order of a recording. Its secret stays
// in the server.
type webhookJSON struct {
	ID            int      `json:"id"`
	Name          string   `json:"name"`
	CreatedDate   int64    `json:"createdDate"`
	UpdatedDate   int64    `json:"updatedDate"`
	Events        []string `json:"events"`
	Configuration object   `json:"configuration"`
	URL           string   `json:"url"`
	Active        bool     `json:"active"`
}

// webhookDecl is a webhook in a scenario; ids count from 1 in a repository.
type webhookDecl struct {
	Name     word     `yaml:"name"`
	URL      word     `yaml:"url"`
	Events   []string `yaml:"events"` // such as pr:opened
	Created  moment   `yaml:"created"`
	Inactive bool     `yaml:"inactive"`
}

func newWebhook(at place, id int, d webhookDecl) (webhookJSON, error) {
	if d.Name.value == "" || d.URL.value == "" || len(d.Events) == 0 || d.Created.time.IsZero() {
		return webhookJSON{}, at.errorf(max(d.Name.line, d.URL.line, 1), "a webhook needs name, url, events and created")
	}
	return webhookJSON{
		ID: id, Name: d.Name.value, CreatedDate: d.Created.millis(), UpdatedDate: d.Created.millis(),
		Events: d.Events, Configuration: object{}, URL: d.URL.value, Active: !d.Inactive,
	}, nil
}

func listWebhooks(x *exchange) (any, error) {
	r, err := x.administered()
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	return pageOf(w, r.webhooks, everything, func(h webhookJSON) webhookJSON { return h }), nil
}

func getWebhook(x *exchange) (any, error) {
	r, err := x.administered()
	if err != nil {
		return nil, err
	}
	id, err := strconv.Atoi(x.vars["webhookId"])
	if err != nil {
		return nil, notFound("a webhook's id is a number")
	}
	for _, h := range r.webhooks {
		if h.ID == id {
			return h, nil
		}
	}
	return nil, noSuchWebhook(id, r)
}
