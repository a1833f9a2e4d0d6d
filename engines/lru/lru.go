// Package lru keeps the values that were used last and forgets the others: the
// tables of a pool, logs that are read, films that were shown. A caller that keeps
// something for later bounds it with a [Cache], so that a daemon that runs for weeks does
// not grow.
//
//	tables := lru.New[string, *table](8)
//	tables.Put("mp70 CB", t)
//	t, ok := tables.Get("mp70 CB") // now the last that is forgotten
//
// A Cache is not safe for use by several goroutines: its owner's lock guards it.
package lru

import (
	"container/list"
	"iter"
)

// Cache holds values by key, in the order of their last use.
type Cache[K comparable, V any] struct {
	most  int
	order *list.List // of pair, the last used in front
	at    map[K]*list.Element
}

type pair[K comparable, V any] struct {
	key   K
	value V
}

// New returns an empty cache of at most so many values. 0 is no bound: then the owner
// goes through All and deletes what does not fit by a measure of its own.
func New[K comparable, V any](most int) *Cache[K, V] {
	return &Cache[K, V]{most, list.New(), map[K]*list.Element{}}
}

// Get returns the value of a key, which counts as used now.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	e := c.at[key]
	if e == nil {
		return value, false
	}
	c.order.MoveToFront(e)
	return e.Value.(pair[K, V]).value, true
}

// Put keeps a value, which counts as used now, in place of the key's earlier one.
// Where there are too many, the one that was not used for longest is forgotten.
func (c *Cache[K, V]) Put(key K, value V) {
	c.Delete(key)
	c.at[key] = c.order.PushFront(pair[K, V]{key, value})
	if c.most > 0 && len(c.at) > c.most {
		c.Delete(c.order.Back().Value.(pair[K, V]).key)
	}
}

// Delete forgets a key's value, if there is one.
func (c *Cache[K, V]) Delete(key K) {
	if e := c.at[key]; e != nil {
		c.order.Remove(e)
		delete(c.at, key)
	}
}

// Len returns the number of values.
func (c *Cache[K, V]) Len() int { return len(c.at) }

// All returns the values, the last used first. The one that is handed out may be
// deleted; nothing counts as used.
func (c *Cache[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for e := c.order.Front(); e != nil; {
			next, p := e.Next(), e.Value.(pair[K, V])
			if !yield(p.key, p.value) {
				return
			}
			e = next
		}
	}
}
