// Package clitest is what the tests of the program share: it runs the program inside
// the test or in a process of its own, starts daemons, and compares what is printed.
// The folders below it hold those tests by what they are of. No code is in them, so
// that they are built side by side.
package clitest

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"sakusen/cmd/sakusen/cli"
	"sakusen/engines/arena/catalogue"
	"sakusen/strategies"
)

// Printed is what one run of the program printed, and its exit code.
type Printed struct {
	Code     int
	Out, Err string
}

// Launch runs the program inside this process, with the real games and two of
// the tests' own.
func Launch(t testing.TB, stdin string, args ...string) Printed {
	t.Helper()
	return LaunchWith(t, context.Background(), strings.NewReader(stdin), args...)
}

// LaunchWith is Launch with a context that ends it and a standard input.
func LaunchWith(t testing.TB, ctx context.Context, in io.Reader, args ...string) Printed {
	t.Helper()
	var out, errs bytes.Buffer
	p := cli.Process{In: in, Out: &out, Err: &errs, Env: NoVariables, Games: TestGames(strategies.All())}
	code := p.Run(ctx, args)
	return Printed{code, out.String(), errs.String()}
}

// NoVariables is an environment without variables.
func NoVariables(string) (string, bool) { return "", false }

// TestGames is the real games and the tests' own.
func TestGames(real catalogue.Games) catalogue.Games {
	return append(real, catalogue.Game{Game: DiceGame()}, catalogue.Game{Game: lonelyGame()})
}
