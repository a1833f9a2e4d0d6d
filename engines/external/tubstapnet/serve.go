package tubstapnet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"
)

// Serve seats clients in pairs, the first as Red, and plays games until
// there have been as many as asked (0 for ever) or ctx is done. report hears
// of each game; clients that do not tell their names are sent away. Games are
// played one after another.
func (r *Referee) Serve(ctx context.Context, l net.Listener, games int, report func(Result)) error {
	if err := r.Map.Check(); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	for played := 0; games == 0 || played < games; played++ {
		var seats [2]*seat
		for i := range seats {
			s, err := r.next(ctx, l)
			if err != nil {
				if i == 1 {
					seats[0].conn.Close()
				}
				return err
			}
			seats[i] = s
		}
		result, err := r.pair(ctx, seats)
		if err != nil {
			return err
		}
		report(result)
	}
	return nil
}

// pair plays one game between seated clients and closes their connections.
func (r *Referee) pair(ctx context.Context, seats [2]*seat) (Result, error) {
	closeAll := func() { seats[0].conn.Close(); seats[1].conn.Close() }
	stop := context.AfterFunc(ctx, closeAll)
	defer func() { stop(); closeAll() }()
	return r.seated(ctx, seats, Result{})
}

// next waits for a client that tells its name in time; others are sent away.
func (r *Referee) next(ctx context.Context, l net.Listener) (*seat, error) {
	for {
		c, err := l.Accept()
		if ctx.Err() != nil {
			if err == nil {
				c.Close()
			}
			return nil, ctx.Err()
		}
		if err != nil {
			var n net.Error
			if errors.As(err, &n) && n.Timeout() {
				continue
			}
			return nil, fmt.Errorf("accept: %w", err)
		}
		s := &seat{wire: newWire(c)}
		stop := context.AfterFunc(ctx, func() { c.Close() })
		s.name, err = s.ask("name", min(r.timeout(), 5*time.Second))
		stop()
		if err == nil {
			s.name = cleanName(s.name)
			return s, nil
		}
		c.Close()
	}
}
