package fakebb_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// V15: the sentences of bitbucket-rest.md 10.7.
func TestMergeChecksOfTheSettingsVeto(t *testing.T) {
	const (
		builds    = "Not all required builds are successful yet"
		approvals = "Requires approvals"
		at        = "created: 2026-01-01T12:00:00Z"
	)
	build := func(states ...string) string {
		var list []string
		for i, state := range states {
			list = append(list, "{key: "+string(rune('a'+i))+", state: "+state+", url: 'https://ci.example.com', "+at+"}")
		}
		return "builds: [" + strings.Join(list, ", ") + "]"
	}
	for _, test := range []struct {
		name, settings, pull string
		release              string
		summary              string
		want                 string // "" for no veto
	}{
		{"no check", "", build("FAILED"), "", builds, ""},
		{"no build", "requiredSuccessfulBuilds: 1", "", "", builds, "You still need a minimum of one successful build before this pull request can be merged."},
		{"no build of two", "requiredSuccessfulBuilds: 2", "", "", builds, "You still need a minimum of 2 successful builds before this pull request can be merged."},
		{"failed", "requiredSuccessfulBuilds: 1", build("SUCCESSFUL", "FAILED"), "", builds, "You cannot merge this pull request while it has failed builds."},
		{"running", "requiredSuccessfulBuilds: 1", build("SUCCESSFUL", "INPROGRESS"), "", builds, "You cannot merge this pull request while it has in-progress builds."},
		{"failed and too few", "requiredSuccessfulBuilds: 2", build("SUCCESSFUL", "FAILED"), "", builds,
			"You cannot merge this pull request while it has failed builds. You still need a minimum of 2 successful builds before this pull request can be merged."},
		{"cancelled", "requiredSuccessfulBuilds: 1", build("SUCCESSFUL", "CANCELLED"), "", builds, "You cannot merge this pull request while it has failed builds."},
		{"enough builds", "requiredSuccessfulBuilds: 1", build("SUCCESSFUL"), "", builds, ""},
		{"build of another branch", "requiredSuccessfulBuilds: 1", "builds: [{key: a, state: SUCCESSFUL, url: 'https://ci.example.com', ref: refs/heads/main, " + at + "}]", "", builds,
			"You still need a minimum of one successful build before this pull request can be merged."},

		{"no approval", "requiredApprovers: 2", "reviewers: [{user: bob}]", "", approvals, "You still need 2 approvals before this pull request can be merged."},
		{"one approval", "requiredApprovers: 2", "reviewers: [{user: bob, status: APPROVED}, {user: cyd, status: NEEDS_WORK}]", "", approvals,
			"You still need 1 more approval before this pull request can be merged."},
		{"two approvals of four", "requiredApprovers: 4", "reviewers: [{user: bob, status: APPROVED}, {user: cyd, status: APPROVED}]", "", approvals,
			"You still need 2 more approvals before this pull request can be merged."},
		{"enough approvals", "requiredApprovers: 1", "reviewers: [{user: bob, status: APPROVED}]", "", approvals, ""},
		{"not all", "requiredAllApprovers: true", "reviewers: [{user: bob, status: APPROVED}, {user: cyd}]", "", approvals,
			"You still need the approval of all reviewers before this pull request can be merged."},
		{"all", "requiredAllApprovers: true", "reviewers: [{user: bob, status: APPROVED}]", "", approvals, ""},
		{"all of none", "requiredAllApprovers: true", "", "", approvals, ""},

		{"changes requested", "needsWork: true", "reviewers: [{user: bob, status: NEEDS_WORK}]", "", "Changes requested",
			"You cannot merge this pull request while Bob has requested changes."},
		{"changes requested by two", "needsWork: true", "reviewers: [{user: cyd, status: NEEDS_WORK}, {user: bob, status: NEEDS_WORK}]", "", "Changes requested",
			"You cannot merge this pull request while Bob and Cyd have requested changes."},
		{"before 8.10", "needsWork: true", "reviewers: [{user: bob, status: NEEDS_WORK}]", "8.9", "Needs work",
			"You cannot merge this pull request while Bob has marked it as needing work."},
		{"changes allowed", "", "reviewers: [{user: bob, status: NEEDS_WORK}]", "", "Changes requested", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := rules{repository: "settings: {" + test.settings + "}", pull: test.pull}.serve(t, test.release)
			want := map[string][]string{}
			if test.want != "" {
				want[test.summary] = []string{test.want}
			}
			if diff := cmp.Diff(want, vetoes(t, s, "1")); diff != "" {
				t.Errorf("vetoes (-want +got):\n%s", diff)
			}
		})
	}
}

// V15
func TestOpenTasksVetoWhereTheSettingsSaySo(t *testing.T) {
	const tasks = "\n  - {by: bob, at: 2026-01-01T12:00:00Z, text: do, task: true}\n  - {by: bob, at: 2026-01-01T12:01:00Z, text: did, task: true, resolved: {by: ada, at: 2026-01-01T13:00:00Z}}"
	for settings, want := range map[string]map[string][]string{
		"{requiredAllTasksComplete: true}": {"Requires all tasks to be resolved": {"You still need to resolve 1 task before this pull request can be merged."}},
		"{}":                               {},
	} {
		text := rules{repository: "settings: " + settings}.text()
		text = strings.Replace(text, "action: OPENED}", "action: OPENED}"+tasks, 1)
		if diff := cmp.Diff(want, vetoes(t, serveText(t, text), "1")); diff != "" {
			t.Errorf("with %s (-want +got):\n%s", settings, diff)
		}
	}
}

// A repository has the settings of its project but for its own.
func TestSettingsComeFromTheProject(t *testing.T) {
	s := rules{
		project:    "settings: {requiredApprovers: 2, needsWork: true}",
		repository: "settings: {needsWork: false}",
		pull:       "reviewers: [{user: bob, status: NEEDS_WORK}]",
	}.serve(t, "")
	want := map[string][]string{"Requires approvals": {"You still need 2 approvals before this pull request can be merged."}}
	if diff := cmp.Diff(want, vetoes(t, s, "1")); diff != "" {
		t.Errorf("vetoes (-want +got):\n%s", diff)
	}
}
