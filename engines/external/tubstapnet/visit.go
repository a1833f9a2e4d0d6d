package tubstapnet

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"sakusen/engines/arena"
)

// Visit is a number of games that a client plays at a server, each over a
// connection of its own. The client's Chance is drawn anew for each game, from
// the seed.
type Visit struct {
	Client
	Address string // host:port
	Games   int
	Seed    uint64
}

// Check says which part of a visit is wrong, by its flag.
func (v *Visit) Check() error {
	switch _, _, err := net.SplitHostPort(v.Address); {
	case v.Games < 1:
		return fmt.Errorf("--games: expected 1 or more, got %d", v.Games)
	case v.Idle < 0:
		return fmt.Errorf("--idle: expected 0 or a time such as 30s, got %s", v.Idle)
	case err != nil:
		return fmt.Errorf("--address: expected host:port, got %q", v.Address)
	case strings.ContainsAny(v.Name, "\r\n"):
		return errors.New("--name: expected one line")
	}
	return nil
}

// Play plays the games and has each one kept. It returns how many games were not
// played to the end.
func (v *Visit) Play(ctx context.Context, keep func(Outcome) error) (left int, err error) {
	for n := range v.Games {
		left := v.Games - n
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", v.Address)
		if err != nil {
			return left, fmt.Errorf("%s: %w", v.Address, err)
		}
		client := v.Client
		client.Chance = arena.NewStream(v.Seed, uint64(n))
		out, err := client.Play(ctx, conn)
		if err != nil {
			return left, fmt.Errorf("game %d at %s: %w", n+1, v.Address, err)
		}
		if err := keep(out); err != nil {
			return left, err
		}
	}
	return 0, nil
}
