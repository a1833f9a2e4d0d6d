package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"sakusen/tuner/manual"
	"sakusen/tuner/service"
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
		Short: "Print the commit, the signature of all play, and the versions of Go and SQLite",
		Long: `Prints what this program was built from. The signature is a hash of games that
every strategy plays against itself with fixed seeds under the default rules: two
programs with the same signature play alike.`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			signature, err := service.PlaySignature(c.Context(), a.catalogue)
			if err != nil {
				return err
			}
			v := versionReport{service.BuildCommit(), signature, runtime.Version(), sqlitedb.EngineVersion()}
			if a.flags.asJSON {
				return a.printJSON(v)
			}
			_, err = fmt.Fprintf(a.out, "commit     %s\nsignature  %s\nGo         %s\nSQLite     %s\n", v.Commit, v.Signature, v.Go, v.SQLite)
			return err
		},
	}
}

// manCommand writes the manual.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual page of every command to a directory, for man(1)",
		Long:  "Writes sakusen.1, sakusen-tune.1 and so on to DIR. Read one with man DIR/sakusen-tune.1.",
		Args:  exactly(1, "one DIR"),
		RunE:  func(c *cobra.Command, args []string) error { return manual.Write(c.Root(), args[0]) },
	}
}
