package fakebb

import "cmp"

// hook is a repository hook that comes with Bitbucket.
type hook struct {
	key, name, kind, description string
	renamed                      string // its name since 8.10, where it has another
	// enabled reads from the settings whether it is on, and configured whether
	// it has settings of its own.
	enabled    func(mergeChecks) bool
	configured bool
}

// The types of hooks.
const (
	preReceive  = "PRE_RECEIVE"
	postReceive = "POST_RECEIVE"
	preMerge    = "PRE_PULL_REQUEST_MERGE"
)

const bundledHooks = "com.atlassian.bitbucket.server.bitbucket-bundled-hooks:"

// hooks are Bitbucket's own. The keys of the two that the settings of pull
// requests name are theirs (pr-settings-merge-strategies.json), the others are
// belief; the names are those of the settings page.
var hooks = []hook{
	{key: bundledHooks + "force-push-hook", name: "Reject Force Push", kind: preReceive,
		description: "Refuses pushes that would take commits away from a branch",
		enabled:     func(mergeChecks) bool { return false }},
	{key: bundledHooks + "all-approvers-merge-check", name: "All reviewers approve", kind: preMerge,
		description: "Every reviewer has to approve",
		enabled:     func(c mergeChecks) bool { return c.allApprovers }},
	{key: bundledHooks + "requiredApprovers", name: "Minimum approvals", kind: preMerge, configured: true,
		description: "So many reviewers at least have to approve",
		enabled:     func(c mergeChecks) bool { return c.approvers > 0 }},
	{key: bundledHooks + "needs-work-merge-check", name: "No 'needs work' status", renamed: "No 'changes requested'", kind: preMerge,
		description: "No reviewer may have asked for changes",
		enabled:     func(c mergeChecks) bool { return c.noNeedsWork }},
	{key: bundledHooks + "incomplete-tasks-merge-check", name: "No incomplete tasks", kind: preMerge,
		description: "Every task has to be resolved",
		enabled:     func(c mergeChecks) bool { return c.allTasks }},
	{key: "com.atlassian.bitbucket.server.bitbucket-build:requiredBuilds", name: "Minimum successful builds", kind: preMerge, configured: true,
		description: "So many builds at least have to be successful, and none may have failed",
		enabled:     func(c mergeChecks) bool { return c.successfulBuilds > 0 }},
}

// hookJSON is a hook; the order of its keys is the document's.
type hookJSON struct {
	Details    hookDetailsJSON `json:"details"`
	Enabled    bool            `json:"enabled"`
	Configured bool            `json:"configured"`
	Scope      scopeJSON       `json:"scope"`
}

type hookDetailsJSON struct {
	Key             string   `json:"key"`
	Name            string   `json:"name"`
	Type            string   `json:"type"`
	Description     string   `json:"description"`
	Version         string   `json:"version"`
	SupportedScopes []string `json:"supportedScopes"`
}

// listHooks answers the hooks of a repository to those who administer it.
func listHooks(x *exchange) (any, error) {
	r, err := x.repository()
	if err != nil {
		return nil, err
	}
	if !r.project.administeredBy(x.caller) {
		return nil, notPermitted()
	}
	return x.pageOfHooks(r.settings.checks, ruleScope{repositoryScope, r.id})
}

// listProjectHooks answers those of a project to its readers.
func listProjectHooks(x *exchange) (any, error) {
	p, err := x.project()
	if err != nil {
		return nil, err
	}
	return x.pageOfHooks(p.settings.checks, ruleScope{projectScope, p.id})
}

func (x *exchange) pageOfHooks(checks mergeChecks, of ruleScope) (any, error) {
	kind, err := x.choice("type", "", preReceive, postReceive, preMerge)
	if err != nil {
		return nil, err
	}
	w, err := x.window(maxValues)
	if err != nil {
		return nil, err
	}
	var found []hook
	for _, h := range hooks {
		if kind == "" || h.kind == kind {
			found = append(found, h)
		}
	}
	return pageOf(w, found, everything, func(h hook) hookJSON {
		name := h.name
		if x.server.release.changesRequested() {
			name = cmp.Or(h.renamed, name)
		}
		enabled := h.enabled(checks)
		return hookJSON{
			Details: hookDetailsJSON{h.key, name, h.kind, h.description, x.server.release.String(),
				[]string{projectScope, repositoryScope}},
			Enabled: enabled, Configured: enabled && h.configured, Scope: drawScope(of),
		}
	}), nil
}
