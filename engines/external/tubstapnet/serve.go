package tubstapnet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"sakusen/engines/tubstap"
)

const (
	// maxCallers bounds the connections that have not told their names yet, so
	// that silent peers cost a bounded number of files.
	maxCallers = 64
	// nameTime is the longest that a peer may take to tell its name.
	nameTime = 5 * time.Second
)

// Serve seats clients in pairs, the first to tell its name as Red, and plays
// games until there have been as many as asked (0 for ever) or ctx is done.
// report hears of each game; an error from it ends the server. Clients that do
// not tell their names are sent away, and keep nobody else waiting. Games are
// played one after another.
func (r *Referee) Serve(ctx context.Context, l net.Listener, games int, report func(Result) error) error {
	if err := r.Map.Check(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(ctx, func() { l.Close() })
	lobby := make(chan *seat)
	var open sync.WaitGroup
	open.Add(1)
	go func() {
		defer open.Done()
		cancel(r.greetCallers(ctx, l, lobby, &open))
	}()
	defer func() {
		cancel(nil)
		stop()
		l.Close()
		open.Wait()
	}()
	for played := 0; games == 0 || played < games; played++ {
		var seats [2]*seat
		for i := range seats {
			select {
			case seats[i] = <-lobby:
			case <-ctx.Done():
				if i == 1 {
					seats[0].conn.Close()
				}
				return context.Cause(ctx)
			}
		}
		result, err := r.pair(ctx, seats)
		if err != nil {
			return err
		}
		if err := report(result); err != nil {
			return err
		}
	}
	return nil
}

// greetCallers accepts connections until ctx is done and sends those that tell
// their names to the lobby.
func (r *Referee) greetCallers(ctx context.Context, l net.Listener, lobby chan<- *seat, open *sync.WaitGroup) error {
	free := make(chan struct{}, maxCallers)
	var one sync.Mutex
	away := func(c net.Conn, why error) {
		if r.Refused == nil || ctx.Err() != nil {
			return
		}
		one.Lock()
		defer one.Unlock()
		r.Refused(c.RemoteAddr(), why)
	}
	for {
		c, err := l.Accept()
		if ctx.Err() != nil {
			if err == nil {
				c.Close()
			}
			return ctx.Err()
		}
		if err != nil {
			var n net.Error
			if errors.As(err, &n) && n.Timeout() {
				continue
			}
			return fmt.Errorf("accept: %w", err)
		}
		select {
		case free <- struct{}{}:
		default:
			away(c, fmt.Errorf("%d others wait to tell their names", maxCallers))
			c.Close()
			continue
		}
		open.Add(1)
		go func() {
			defer open.Done()
			defer func() { <-free }()
			if err := r.admit(ctx, c, lobby); err != nil {
				away(c, err)
			}
		}()
	}
}

// admit asks a caller for its name and sends it to the lobby, or away: then the error
// says why, and so does a last line to the caller.
func (r *Referee) admit(ctx context.Context, c net.Conn, lobby chan<- *seat) error {
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	s := &seat{wire: newWire(c)}
	name, err := s.ask("name", min(r.timeout(), nameTime))
	if err == nil {
		s.name = cleanName(name)
		select {
		case lobby <- s:
			return nil
		case <-ctx.Done():
		}
		c.Close()
		return nil
	}
	err = fmt.Errorf("its answer to name: %w", err)
	s.dismiss(err)
	return err
}

// pair plays one game between seated clients and closes their connections.
func (r *Referee) pair(ctx context.Context, seats [2]*seat) (Result, error) {
	closeAll := func() { seats[0].conn.Close(); seats[1].conn.Close() }
	stop := context.AfterFunc(ctx, closeAll)
	defer func() { stop(); closeAll() }()
	return r.seated(ctx, seats, Result{Winner: tubstap.Nobody})
}
