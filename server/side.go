package server

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// side runs functions side by side. The SDK's recover, and ours, reach only the
// goroutine of the call: a panic in one of the functions goes on in wait, so
// that it ends one call and not the process. The zero value is ready for use.
type side struct {
	wg       sync.WaitGroup
	mu       sync.Mutex
	panicked any
}

// run starts f.
func (s *side) run(f func()) {
	s.wg.Go(func() {
		if p := panicOf(f); p != nil {
			s.mu.Lock()
			s.panicked = p
			s.mu.Unlock()
		}
	})
}

// wait waits for all that was run.
func (s *side) wait() {
	s.wg.Wait()
	if s.panicked != nil {
		panic(s.panicked)
	}
}

// together runs reads side by side and gives the first error in their order:
// that a project does not exist says more than what else failed for it.
func together(ctx context.Context, reads ...func(context.Context) error) error {
	errs := make([]error, len(reads))
	var beside side
	for i, read := range reads {
		beside.run(func() { errs[i] = read(ctx) })
	}
	beside.wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// panicOf runs f and gives what it panicked with, and where, or nil.
func panicOf(f func()) (panicked any) {
	defer func() {
		if p := recover(); p != nil {
			panicked = fmt.Sprintf("%v\n%s", p, debug.Stack())
		}
	}()
	f()
	return nil
}
