package server

import (
	"testing"

	"github.com/bb-mcp/bb/server/bitbucket"
)

// BenchmarkNew is the server's own part of a start.
func BenchmarkNew(b *testing.B) {
	client, err := bitbucket.New(bitbucket.Options{URL: "https://bitbucket.example.com"})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := New(Options{Bitbucket: client, Version: "test"}); err != nil {
			b.Fatal(err)
		}
	}
}
