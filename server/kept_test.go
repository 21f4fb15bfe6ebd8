package server

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

var catalogue = Place{"ORCH", "catalogue"}

// What is kept is read once a minute, whoever asks, and per repository.
func TestWhatIsKeptIsReadOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var k kept[int]
		var reads atomic.Int32
		read := func(context.Context) (int, error) {
			time.Sleep(time.Second)
			return int(reads.Add(1)), nil
		}
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if v, err := k.read(t.Context(), catalogue, time.Now, read); v != 1 || err != nil {
					t.Errorf("%d, %v", v, err)
				}
			})
		}
		wg.Wait()
		if v, _ := k.read(t.Context(), Place{"orch", "Catalogue"}, time.Now, read); v != 1 {
			t.Errorf("another letter case is read again: %d", v)
		}
		if v, _ := k.read(t.Context(), Place{"ORCH", "paths"}, time.Now, read); v != 2 {
			t.Errorf("another repository: %d", v)
		}
		time.Sleep(keptFor)
		if v, _ := k.read(t.Context(), catalogue, time.Now, read); v != 3 {
			t.Errorf("after a minute: %d", v)
		}
		if len(k.entries) != 1 || len(k.flights) != 0 {
			t.Errorf("what is older is still kept: %v, %v", k.entries, k.flights)
		}
	})
}

func TestWhatCouldNotBeReadIsNotKept(t *testing.T) {
	var k kept[int]
	refused := errors.New("refused")
	if _, err := k.read(t.Context(), catalogue, time.Now, func(context.Context) (int, error) { return 0, refused }); err != refused {
		t.Error(err)
	}
	if v, err := k.read(t.Context(), catalogue, time.Now, func(context.Context) (int, error) { return 7, nil }); v != 7 || err != nil {
		t.Error(v, err)
	}
}

// One who gives up takes nothing from the others; when all have, the request
// ends.
func TestAReadingEndsWhenNobodyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var k kept[int]
		var ended atomic.Bool
		read := func(ctx context.Context) (int, error) {
			select {
			case <-ctx.Done():
				ended.Store(true)
				return 0, ctx.Err()
			case <-time.After(10 * time.Second):
				return 1, nil
			}
		}
		ask := func(patience time.Duration) (int, error) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			return k.read(ctx, catalogue, time.Now, read)
		}
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := ask(time.Second); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("who gave up: %v", err)
			}
		})
		wg.Go(func() {
			time.Sleep(500 * time.Millisecond)
			if v, err := ask(time.Minute); v != 1 || err != nil {
				t.Errorf("who waited: %d, %v", v, err)
			}
		})
		wg.Wait()
		if ended.Load() {
			t.Error("the reading ended although somebody waited")
		}

		time.Sleep(keptFor)
		if _, err := ask(time.Second); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("who gave up alone: %v", err)
		}
		synctest.Wait()
		if !ended.Load() {
			t.Error("the reading goes on although nobody waits")
		}
		if v, err := ask(time.Minute); v != 1 || err != nil {
			t.Errorf("who asks next: %d, %v", v, err)
		}
	})
}
