package server

import (
	"context"
	"strings"
	"sync"
	"time"
)

// keptFor is how long what seldom changes of a repository is kept: its rules,
// its branching model, its default branch.
const keptFor = time.Minute

// kept keeps one thing per repository for a minute. Whoever asks while it is
// being read waits for that one reading, which ends when nobody waits any more.
// What could not be read is not kept. The zero value is ready for use.
type kept[T any] struct {
	mu      sync.Mutex
	entries map[Place]keptEntry[T]
	flights map[Place]*flight[T]
}

type keptEntry[T any] struct {
	value T
	until time.Time
}

// flight is a reading under way.
type flight[T any] struct {
	done    chan struct{}
	waiting int
	cancel  context.CancelFunc
	value   T
	err     error
	// panicked is what the reading panicked with; it goes on in the calls that
	// wait.
	panicked any
}

// read gives what is kept for a repository, or reads it. now is the server's
// clock.
func (k *kept[T]) read(ctx context.Context, at Place, now func() time.Time, read func(context.Context) (T, error)) (T, error) {
	// Bitbucket ignores the letter case of both.
	at = Place{strings.ToLower(at.Project), strings.ToLower(at.Repo)}
	k.mu.Lock()
	if e, ok := k.entries[at]; ok && now().Before(e.until) {
		k.mu.Unlock()
		return e.value, nil
	}
	f := k.flights[at]
	if f == nil {
		f = k.start(ctx, at, now, read)
	}
	f.waiting++
	k.mu.Unlock()

	select {
	case <-f.done:
		if f.panicked != nil {
			panic(f.panicked)
		}
		return f.value, f.err
	case <-ctx.Done():
		k.mu.Lock()
		f.waiting--
		if f.waiting == 0 {
			f.cancel()
			if k.flights[at] == f {
				delete(k.flights, at) // the next to ask begins anew
			}
		}
		k.mu.Unlock()
		var none T
		return none, ctx.Err()
	}
}

// start begins to read; k.mu is held. The reading outlives the call that
// began it as long as another one waits.
func (k *kept[T]) start(ctx context.Context, at Place, now func() time.Time, read func(context.Context) (T, error)) *flight[T] {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	f := &flight[T]{done: make(chan struct{}), cancel: cancel}
	if k.flights == nil {
		k.flights, k.entries = map[Place]*flight[T]{}, map[Place]keptEntry[T]{}
	}
	k.flights[at] = f
	go func() {
		defer cancel()
		panicked := panicOf(func() { f.value, f.err = read(ctx) })
		k.mu.Lock()
		defer k.mu.Unlock()
		f.panicked = panicked
		if k.flights[at] == f {
			delete(k.flights, at)
		}
		if f.err == nil && panicked == nil {
			for place, e := range k.entries {
				if !now().Before(e.until) {
					delete(k.entries, place)
				}
			}
			k.entries[at] = keptEntry[T]{f.value, now().Add(keptFor)}
		}
		close(f.done)
	}()
	return f
}
