package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/bench"
	"sakusen/engines/arena"
)

// signReport is the signature of a strategy in JSON.
type signReport struct {
	Game      string `json:"game"`
	Strategy  string `json:"strategy"`
	Signature string `json:"signature"`
}

func benchSignCommand(a *app) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "sign [GAME [STRATEGY...]]",
		Short: "Print the signature of each strategy's play",
		Long: `Prints for each strategy a fold of the digests of its games with itself over
fixed fixtures under the default rules: it changes when play changes, and only
then. As benchmark text (--format benchfmt) a signature is two exact metrics, its
upper and its lower 32 bits, which bench gate holds equal. Signatures are the same
on every machine of one GOARCH.`,
		Example: `  sakusen bench sign battleship
  sakusen bench sign --format benchfmt > new.txt && sakusen bench gate --exact old.txt new.txt`,
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "benchfmt" {
				return usage(fmt.Errorf("--format: expected text or benchfmt, got %q", format))
			}
			signs, err := signatures(a, c.Context(), args)
			if err != nil {
				return err
			}
			switch {
			case a.flags.asJSON:
				return a.printJSON(map[string]any{"signatures": signs})
			case format == "benchfmt":
				_, err = io.WriteString(a.out, benchSignatures(signs))
				return err
			}
			return table(a.out, func(line func(...any)) {
				for _, s := range signs {
					line(s.Game, s.Strategy, s.Signature)
				}
			})
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or benchfmt")
	return c
}

// signatures are those of the named strategies, of one game or of all.
func signatures(a *app, ctx context.Context, args []string) ([]signReport, error) {
	games := a.catalogue
	if len(args) > 0 {
		game, err := a.catalogue.Game(args[0])
		if err != nil {
			return nil, usage(err)
		}
		games = arena.Catalogue{game}
	}
	signs := []signReport{}
	for _, game := range games {
		rs, err := openRules(game, nil)
		if err != nil {
			return nil, err
		}
		var names []string
		if len(args) > 1 {
			names = args[1:]
		} else {
			for _, s := range game.Strategies {
				names = append(names, s.Name)
			}
		}
		for _, name := range names {
			if _, err := rs.Space(name); err != nil {
				return nil, usage(err)
			}
			text, err := rs.Signature(ctx, name)
			if err != nil {
				return nil, err
			}
			signs = append(signs, signReport{game.Name, name, text})
		}
	}
	return signs, nil
}

// benchSignatures is signatures as benchmark text.
func benchSignatures(signs []signReport) string {
	var b strings.Builder
	fmt.Fprintf(&b, "goarch: %s\npkg: sakusen/strategies\nUnit %s assume=exact\nUnit %s assume=exact\n",
		runtime.GOARCH, bench.SignatureHi, bench.SignatureLo)
	for _, s := range signs {
		v, err := strconv.ParseUint(s.Signature, 16, 64)
		if err != nil { // a signature is sixteen hexadecimal digits
			panic(err)
		}
		fmt.Fprintf(&b, "BenchmarkSignature/%s/%s 1 %d %s %d %s\n", s.Game, s.Strategy, v>>32, bench.SignatureHi, v&0xffffffff, bench.SignatureLo)
	}
	return b.String()
}
