package fakebb

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// suggestionRoutes are what the dashboard suggests.
var suggestionRoutes = []route{
	{method: "GET", path: api + "/dashboard/pull-request-suggestions", answer: listSuggestions,
		evidence: "bitbucket-rest.md 10.2 [O][P]; that changesSince is in seconds, and its default, is belief"},
}

// suggestionJSON is a branch that was pushed and has no pull request. The key
// of the time is spelt as in the document.
type suggestionJSON struct {
	ChangeTime int64          `json:"changeTme"`
	RefChange  refChangeJSON  `json:"refChange"`
	Repository repositoryJSON `json:"repository"`
	FromRef    minimalRefJSON `json:"fromRef"`
	ToRef      minimalRefJSON `json:"toRef"`
}

// suggestion is a branch whose tip the caller pushed not long ago.
type suggestion struct {
	repository *repository
	branch     *branch
	at         time.Time
}

// listSuggestions answers the branches the caller committed to within two days,
// or changesSince seconds, and from which no pull request was made; the newest
// first.
func listSuggestions(x *exchange) (any, error) {
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	since := 48 * time.Hour
	if text := x.query.Get("changesSince"); text != "" {
		seconds, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return nil, notFound("changesSince is a number of seconds")
		}
		since = time.Duration(seconds) * time.Second
	}
	var found []suggestion
	for _, r := range x.store.everyRepository() {
		if !r.project.readableBy(x.caller) {
			continue
		}
		for _, b := range r.branches[min(1, len(r.branches)):] {
			tip := r.commit(b.tip)
			mine := strings.EqualFold(tip.Committer.Email, x.caller.email)
			if mine && x.now.Sub(tip.Committer.When) <= since && !x.store.requested(r, b) {
				found = append(found, suggestion{r, b, tip.Committer.When})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b suggestion) int { return cmp.Compare(b.at.Unix(), a.at.Unix()) })
	return pageOf(w, found, everything, x.drawSuggestion), nil
}

// requested says whether there is a pull request from a branch.
func (s *store) requested(r *repository, b *branch) bool {
	return slices.ContainsFunc(s.pullRequests, func(p *pullRequest) bool {
		return p.source.repository == r && p.source.branch == b.name
	})
}

func (x *exchange) drawSuggestion(s suggestion) suggestionJSON {
	from := minimalRefJSON{s.branch.id(), s.branch.name, "BRANCH"}
	main := s.repository.branches[0]
	previous := ""
	if parents := s.repository.commit(s.branch.tip).Parents; len(parents) > 0 {
		previous = parents[0]
	}
	return suggestionJSON{
		ChangeTime: s.at.UnixMilli(),
		RefChange:  refChangeJSON{Ref: from, RefID: from.ID, FromHash: previous, ToHash: s.branch.tip, Type: "UPDATE"},
		Repository: x.drawRepository(s.repository),
		FromRef:    from,
		ToRef:      minimalRefJSON{main.id(), main.name, "BRANCH"},
	}
}
