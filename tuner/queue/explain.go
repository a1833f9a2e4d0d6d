package queue

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nats-io/nats.go"
)

// ErrRefused is that the daemon gives this worker no work.
var ErrRefused = errors.New("the daemon refuses this worker")

// explain says in words of this program what the connection's error means.
func explain(err error, name string) error {
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthRevoked):
		return fmt.Errorf("it does not know the key of %s (sakusen worker list on its machine says who may connect; after worker add it needs a SIGHUP)", name)
	case errors.Is(err, nats.ErrNoServers):
		return errors.New("nobody answers there")
	}
	return err
}

// refusal is that the daemon gives no work, with what differs on a line each.
func refusal(a Answer) error {
	text := a.Refused
	if len(a.Differs) > 0 {
		text = "it is another build of the program:\n  " + strings.Join(a.Differs, "\n  ") + "\nBuild the same commit with the same Go on both machines"
	}
	return fmt.Errorf("%w: %s", ErrRefused, text)
}
