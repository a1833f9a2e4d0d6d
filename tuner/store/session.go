package store

import (
	"context"
	"errors"

	"github.com/c-bata/goptuna"
)

// storage implements goptuna.Storage. Its calls belong to the open change, or
// are each a transaction of their own.
type storage struct {
	store *Store
	open  *change
}

var _ goptuna.Storage = (*storage)(nil)

// write runs do in the open change or in one of its own.
func (s *storage) write(do func(*change) error) error {
	if s.open != nil {
		return do(s.open)
	}
	return s.store.transact(context.Background(), "", do)
}

// Session is the storage as one goroutine uses it: between the begin and the
// end of [Session.Batch], every call on the session belongs to one
// transaction. A goptuna.Study that is to take part has the session as its
// Storage. Calls of other goroutines on the store see the state before the
// batch until it is committed, and wait if they write.
type Session struct {
	storage
}

// Session makes a session; it needs no closing.
func (s *Store) Session() *Session { return &Session{storage{store: s}} }

// Batch runs do in one transaction: if it returns nil, all that the session
// did inside is committed, to the file and then to the cache. After an error
// or a panic none of it has happened. A batch inside a batch is an error.
func (s *Session) Batch(ctx context.Context, do func() error) error {
	return s.batch(ctx, "batch", func(*change) error { return do() })
}

func (s *Session) batch(ctx context.Context, label string, do func(*change) error) error {
	if s.open != nil {
		return errors.New("store: a batch was begun inside a batch")
	}
	return s.store.transact(ctx, label, func(c *change) error {
		s.open = c
		defer func() { s.open = nil }()
		return do(c)
	})
}
