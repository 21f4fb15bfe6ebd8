package fakebb_test

import (
	"bytes"
	"image/png"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
	"github.com/google/go-cmp/cmp"
)

// H1: paging (bitbucket-rest.md 2).
func TestPagesSayWhereTheNextOneBegins(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	type user struct{ Name, DisplayName string }
	type page struct {
		Size, Limit, Start int
		IsLastPage         bool
		Values             []user
		NextPageStart      *int
	}
	var all []string
	for start := "0"; ; {
		var p page
		r := get(t, s, "amara", rest+"/users?limit=10&start="+start)
		r.into(t, &p)
		if p.Size != len(p.Values) || p.Limit != 10 {
			t.Errorf("page at %s: size %d of %d values, limit %d", start, p.Size, len(p.Values), p.Limit)
		}
		for _, u := range p.Values {
			all = append(all, u.DisplayName)
		}
		if p.IsLastPage != (p.NextPageStart == nil) || p.IsLastPage == strings.Contains(r.body, "nextPageStart") {
			t.Errorf("page at %s ends with %s", start, r.body[len(r.body)-60:])
		}
		if p.IsLastPage {
			break
		}
		start = strconv.Itoa(*p.NextPageStart)
	}
	if len(all) != 41 { // 42 people, without the service user
		t.Errorf("%d users, want 41: %v", len(all), all)
	}
	for query, want := range map[string]string{
		"limit=0":                 `"limit":25`,
		"limit=5000":              `"limit":1000`,
		"filter=LINDQ":            `"size":1,`,
		"filter=%40exa":           `"size":25,`,
		"filter=%C3%85str%C3%B6m": `"displayName":"Zoë Åström"`,
	} {
		if r := get(t, s, "amara", rest+"/users?"+query); r.status != 200 || !strings.Contains(r.body, want) {
			t.Errorf("%s: %d, want %s in %.200s", query, r.status, want, r.body)
		}
	}
	if r := get(t, s, "amara", first+"/activities?limit=1000"); !strings.Contains(r.body, `"limit":500,`) {
		t.Error("the activity is not capped at 500")
	}
	if r := get(t, s, "amara", first+"/commits?limit=1000"); !strings.Contains(r.body, `"limit":100,`) {
		t.Error("commits are not capped at 100")
	}
	for query, status := range map[string]int{"limit=-1": 400, "start=-1": 400, "limit=ten": 404, "start=99999999999999999999": 404} {
		if r := get(t, s, "amara", rest+"/users?"+query); r.status != status {
			t.Errorf("%s: %d, want %d", query, r.status, status)
		}
	}
	if r := get(t, s, "amara", first+"/commits?limit=2&start=1"); !strings.HasSuffix(r.body, `"size":2,"isLastPage":false,"start":1,"limit":2,"nextPageStart":3}`) {
		t.Errorf("a streamed page ends with %s", r.body[len(r.body)-80:])
	}
}

// What the caller may not see is skipped after it was fetched, so the next page
// may begin further on than this one is long.
func TestTheNextPageSkipsWhatIsHidden(t *testing.T) {
	text := strings.Replace(small, "- key: P\n", "- {key: A, name: A}\n- {key: B, name: B, readers: []}\n- {key: C, name: C, readers: []}\n- {key: D, name: D}\n- key: P\n", 1)
	r := get(t, fakebb.New(fakebb.Options{Scenario: parse(t, text)}), "ada", rest+"/projects?limit=1")
	if !strings.Contains(r.body, `"key":"A"`) || !strings.HasSuffix(r.body, `"start":0,"nextPageStart":3}`) {
		t.Errorf("%s", r.body)
	}
}

func TestProjectsThatAreHiddenOrPersonalAreNotListed(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	type project struct{ Key string }
	for user, want := range map[string][]project{"amara": {{"ORCH"}, {"NURS"}}, "zoe": {{"ORCH"}, {"NURS"}, {"VAULT"}}} {
		if diff := cmp.Diff(want, values[project](t, get(t, s, user, rest+"/projects"))); diff != "" {
			t.Errorf("%s's projects (-want +got):\n%s", user, diff)
		}
	}
	type repository struct{ Slug string }
	if diff := cmp.Diff([]repository{{"catalogue"}, {"paths"}, {"weather-station"}}, values[repository](t, get(t, s, "amara", rest+"/projects/ORCH/repos"))); diff != "" {
		t.Errorf("repositories (-want +got):\n%s", diff)
	}
}

// H1: bitbucket-rest.md 5.3.
func TestAvatars(t *testing.T) {
	s := fakebb.New(fakebb.Options{})
	const path = "/users/dalia_ops_example.com/avatar.png"
	var user struct{ AvatarURL string }
	get(t, s, "amara", rest+"/users/dalia_ops_example.com?avatarSize=48").into(t, &user)
	if !strings.HasPrefix(user.AvatarURL, path+"?s=48&v=") {
		t.Errorf("avatarUrl %q", user.AvatarURL)
	}
	if r := get(t, s, "amara", rest+"/users/bo"); strings.Contains(r.body, "avatarUrl") {
		t.Error("avatarUrl comes unasked")
	}

	own := get(t, s, "amara", user.AvatarURL)
	for size, want := range map[string]int{"48": 48, "64": 64, "60": 64, "1000": 256, "1": 48, "x": 64} {
		r := get(t, s, "amara", path+"?s="+size)
		picture, err := png.Decode(strings.NewReader(r.body))
		if err != nil || picture.Bounds().Dx() != want || r.header.Get("Content-Type") != "image/png" || len(r.body) > 1000 {
			t.Errorf("s=%s: %v, %s, %d bytes, want %d px", size, err, r.header.Get("Content-Type"), len(r.body), want)
		}
	}
	if again := get(t, fakebb.New(fakebb.Options{}), "bo", path+"?s=48"); again.body != own.body {
		t.Error("the picture differs from one read to the next")
	}
	if others := get(t, s, "amara", "/users/bo/avatar.png?s=48"); others.body == own.body {
		t.Error("two people have one picture")
	}
	nobody := get(t, s, "", path+"?s=48")
	if nobody.status != 200 || nobody.body == own.body || nobody.body != get(t, s, "", "/users/bo/avatar.png?s=48").body {
		t.Errorf("to nobody: %d, want the default picture", nobody.status)
	}
	if _, err := png.Decode(bytes.NewReader([]byte(nobody.body))); err != nil {
		t.Error(err)
	}
	for _, unknown := range []string{"/users/BO/avatar.png", "/users/nosuch/avatar.png"} {
		if r := get(t, s, "amara", unknown); r.status != 404 {
			t.Errorf("GET %s: %d, want 404", unknown, r.status)
		}
	}
	if r := get(t, s, "amara", "/projects/ORCH/avatar.png"); r.status != 200 {
		t.Errorf("the project's picture: %d", r.status)
	}
}

// bitbucket-rest.md 5.3: some Bitbucket is said to treat a token as nobody here.
func TestATokenMayBeNobodyWhereThePicturesAre(t *testing.T) {
	s := fakebb.New(fakebb.Options{TokensSeeNoAvatars: true})
	const path = "/users/bo/avatar.png"
	nobody := get(t, s, "", path).body
	if get(t, s, "amara", path).body != nobody {
		t.Error("a token sees the picture")
	}
	own := ask(t, s, "GET", path, func(r *http.Request) { r.SetBasicAuth("amara", fakebb.Token("amara")) }).body
	if own == nobody {
		t.Error("name and password do not see the picture")
	}
	if get(t, fakebb.New(fakebb.Options{}), "amara", path).body != own {
		t.Error("by default a token sees another picture than name and password")
	}
}
