package fakebb

// diffStatsRoutes count what a diff changes. The document gives the answer no
// keys; those here are what other clients were seen to read, and belief.
var diffStatsRoutes = []route{
	{method: "GET", path: onePull + "/diff-stats-summary/{path...}", answer: statsOfPullRequest, evidence: diffStatsEvidence},
	{method: "GET", path: oneCommit + "/diff-stats-summary/{path...}", answer: statsOf((*exchange).commitComparison), evidence: diffStatsEvidence},
	{method: "GET", path: repositories + "/compare/diff-stats-summary/{path...}", answer: statsOf((*exchange).threeDot), evidence: diffStatsEvidence},
}

const diffStatsEvidence = "bitbucket-rest.md 10.10 [O][I]; the keys are belief"

type diffStatsJSON struct {
	FilesChanged int `json:"filesChanged"`
	LinesAdded   int `json:"linesAdded"`
	LinesRemoved int `json:"linesRemoved"`
}

// stats counts the lines of a comparison. Before 9.1 there is no such resource.
func (x *exchange) stats(k comparison) (any, error) {
	if !x.server.release.diffStats() {
		return nil, notFound("diff-stats-summary came with 9.1")
	}
	k.ignoreWhitespace = x.query.Get("whitespace") == "ignore-all"
	if err := x.fileOf(&k, k.to); err != nil {
		return nil, err
	}
	k.context = 0
	var j diffStatsJSON
	for _, c := range k.changes() {
		j.FilesChanged++
		for _, h := range k.diff(c).Hunks {
			for _, l := range h.Lines {
				switch l.Kind {
				case '+':
					j.LinesAdded++
				case '-':
					j.LinesRemoved++
				}
			}
		}
	}
	return j, nil
}

func statsOf(compare func(*exchange) (comparison, error)) func(*exchange) (any, error) {
	return func(x *exchange) (any, error) {
		k, err := compare(x)
		if err != nil {
			return nil, err
		}
		return x.stats(k)
	}
}

func statsOfPullRequest(x *exchange) (any, error) {
	p, err := x.pullRequest()
	if err != nil {
		return nil, err
	}
	s, err := x.scope(p)
	if err != nil {
		return nil, err
	}
	return x.stats(s.comparison)
}
