package content

import "container/heap"

// dateQueue gives the youngest commit first, of equals the one that came first.
type dateQueue struct {
	items dateHeap
	count int
}

func (q *dateQueue) len() int { return len(q.items) }

func (q *dateQueue) push(c *commit) {
	heap.Push(&q.items, queued{c, q.count})
	q.count++
}

func (q *dateQueue) pop() *commit { return heap.Pop(&q.items).(queued).commit }

type queued struct {
	commit *commit
	order  int
}

type dateHeap []queued

func (h dateHeap) Len() int      { return len(h) }
func (h dateHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *dateHeap) Push(x any)   { *h = append(*h, x.(queued)) }

func (h dateHeap) Less(i, j int) bool {
	if h[i].commit.date != h[j].commit.date {
		return h[i].commit.date > h[j].commit.date
	}
	return h[i].order < h[j].order
}

func (h *dateHeap) Pop() any {
	last := len(*h) - 1
	item := (*h)[last]
	*h = (*h)[:last]
	return item
}
