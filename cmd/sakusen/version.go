package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"sakusen/engines/arena"
	"sakusen/tuner/sqlitedb"
)

// versionReport is what was built, in JSON.
type versionReport struct {
	Commit    string `json:"commit"`
	Signature string `json:"signature"`
	Go        string `json:"go"`
	SQLite    string `json:"sqlite"`
}

// versionCommand says what was built.
func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Says what was built: commit, signature of all play, Go, SQLite",
		Long: `Says what was built. The signature is a fold of the games that all strategies
play with themselves over fixed fixtures under the default rules: two programs
with the same signature play alike.`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			signature, err := playSignature(c.Context(), a.catalogue)
			if err != nil {
				return err
			}
			v := versionReport{commit(), signature, runtime.Version(), sqlitedb.EngineVersion()}
			if a.flags.asJSON {
				return a.printJSON(v)
			}
			_, err = fmt.Fprintf(a.out, "commit     %s\nsignature  %s\nGo         %s\nSQLite     %s\n", v.Commit, v.Signature, v.Go, v.SQLite)
			return err
		},
	}
}

// playSignature folds the signatures of all strategies of all games under the
// default rules: the first sixteen hexadecimal digits of the sha256 of the
// lines "game strategy:signature ...".
func playSignature(ctx context.Context, catalogue arena.Catalogue) (string, error) {
	h := sha256.New()
	for _, g := range catalogue {
		rs, err := openRules(g, nil)
		if err != nil {
			return "", err
		}
		var names []string
		for _, s := range g.Strategies {
			names = append(names, s.Name)
		}
		text, err := rs.Signatures(ctx, names...)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %s\n", g.Name, text)
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}
