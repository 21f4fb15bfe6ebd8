package server

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressEvery is how often a call that takes longer than it says that it is
// still at work. Clients that give up after a minute without a word wait on.
const progressEvery = time.Second

// reportProgress tells a client that asked for it every second that the call
// goes on, until stop is called; no notification follows after that.
func reportProgress(ctx context.Context, req *mcp.CallToolRequest) (stop func()) {
	token := req.Params.GetProgressToken()
	if token == nil || req.Session == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for n := 1; ; n++ {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			// A client that cannot be told is told the answer all the same.
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: float64(n), Message: fmt.Sprintf("%s: reading from Bitbucket for %d s", req.Params.Name, n),
			})
		}
	}()
	return func() { cancel(); <-done }
}
