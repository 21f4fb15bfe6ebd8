package fakebb_test

import (
	"net/http"
	"os"
	"runtime"
	"testing"

	"github.com/bb-mcp/bb/fakebb"
)

// benchmarkGet measures one read as bo. The first, which makes what the fake
// remembers, is measured by a server of its own where fresh says so.
func benchmarkGet(b *testing.B, path string, fresh bool) {
	r, err := http.NewRequest("GET", fakebb.DefaultBaseURL+path, nil)
	if err != nil {
		b.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+fakebb.Token("bo"))
	text, err := os.ReadFile("scenarios/orchard.txtar")
	if err != nil {
		b.Fatal(err)
	}
	s := fakebb.New(fakebb.Options{})
	for b.Loop() {
		if fresh {
			b.StopTimer()
			scenario, err := fakebb.Parse("orchard.txtar", text)
			if err != nil {
				b.Fatal(err)
			}
			s = fakebb.New(fakebb.Options{Scenario: scenario})
			b.StartTimer()
		}
		a, err := s.Transport().RoundTrip(r)
		if err != nil || a.StatusCode != http.StatusOK {
			b.Fatal(a, err)
		}
		s.ResetRequests()
	}
}

// A pull request read: 2 ms at most.
func BenchmarkPullRequest(b *testing.B) { benchmarkGet(b, first, false) }

// The changes page of a pull request with 312 files, and the first one of a
// fake that remembers nothing: 20 ms at most.
func BenchmarkLargeChanges(b *testing.B) {
	const path = catalogue + "/pull-requests/5/changes?limit=1000"
	b.Run("again", func(b *testing.B) { benchmarkGet(b, path, false) })
	b.Run("first", func(b *testing.B) { benchmarkGet(b, path, true) })
}

func BenchmarkLargeDiff(b *testing.B) { benchmarkGet(b, catalogue+"/pull-requests/5/diff", false) }
func BenchmarkLargeActivities(b *testing.B) {
	benchmarkGet(b, catalogue+"/pull-requests/5/activities?limit=500", false)
}

// Orchard in memory, with what the fake remembers after the largest answers: 60
// MB at most.
func BenchmarkOrchardMemory(b *testing.B) {
	text, err := os.ReadFile("scenarios/orchard.txtar")
	if err != nil {
		b.Fatal(err)
	}
	heap := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / (1 << 20)
	}
	before := heap()
	var s *fakebb.Scenario
	for b.Loop() {
		if s, err = fakebb.Parse("orchard.txtar", text); err != nil {
			b.Fatal(err)
		}
	}
	fake := fakebb.New(fakebb.Options{Scenario: s})
	for _, path := range []string{"/changes?limit=1000", "/diff", "/activities?limit=500", "/commits"} {
		r, err := http.NewRequest("GET", fakebb.DefaultBaseURL+catalogue+"/pull-requests/5"+path, nil)
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+fakebb.Token("bo"))
		if a, err := fake.Transport().RoundTrip(r); err != nil || a.StatusCode != http.StatusOK {
			b.Fatal(a, err)
		}
	}
	used := heap() - before
	runtime.KeepAlive(fake)
	b.ReportMetric(used, "MB")
}
