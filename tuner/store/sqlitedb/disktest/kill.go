package disktest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
)

// KillAt makes a function for sqlitedb.Options.Point that kills this process, as
// kill -9 does, when the point is reached for the n-th time: "tell.commit:3".
// Tests of the whole program hand the text over in the environment.
//
// Points of an entry: KIND.begin (after BEGIN), KIND.write (after each
// statement), KIND.commit (before COMMIT), KIND.committed (after it). Others
// have the same four: create, budget, state, games, finish, source, priority,
// count (of validations), drop, blocks, prune, and job.state, .priority,
// .progress, .finish, .delete and .piece. Migrations have migration.begin,
// .copied, .step and .done.
func KillAt(text string) (func(point string), error) {
	name, count, ok := strings.Cut(text, ":")
	n, err := strconv.Atoi(count)
	if !ok || err != nil || n < 1 || name == "" {
		return nil, fmt.Errorf("kill point: expected point:n, got %q", text)
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return nil, fmt.Errorf("kill point: %w", err)
	}
	var reached atomic.Int64
	return func(point string) {
		if point == name && reached.Add(1) == int64(n) {
			_ = self.Kill()
			select {} // the signal needs a moment
		}
	}, nil
}
