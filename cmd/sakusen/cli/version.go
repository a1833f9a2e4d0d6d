package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"sakusen/tuner/build"
	"sakusen/tuner/service"
	"sakusen/tuner/store/sqlitedb"
	"sakusen/tuner/view/manual"
)

// versionReport is the JSON of the version command.
type versionReport struct {
	Version   string  `json:"version"`
	Commit    string  `json:"commit"`
	Signature *string `json:"signature"` // nil unless it was asked for
	Go        string  `json:"go"`
	SQLite    string  `json:"sqlite"`
}

// versionCommand prints what the program was built from.
func versionCommand(a *app) *cobra.Command {
	var sign bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version, the commit, and the versions of Go and SQLite",
		Long: `Prints the version of this program and what it was built from: the commit, "unknown"
where the build has none, and the versions of Go and SQLite.

With --signature it also plays the games of which the signature of all play is a hash,
which takes seconds: every strategy against itself with fixed seeds under the default
rules. Two programs with the same signature play alike.`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			v := versionReport{Version: build.Version, Commit: build.Commit(), Go: runtime.Version(), SQLite: sqlitedb.EngineVersion()}
			if sign {
				signature, err := service.PlaySignature(c.Context(), a.catalogue)
				if err != nil {
					return err
				}
				v.Signature = &signature
			}
			if a.flags.asJSON {
				return a.printJSON(v)
			}
			text := fmt.Sprintf("version    %s\ncommit     %s\nGo         %s\nSQLite     %s\n", v.Version, v.Commit, v.Go, v.SQLite)
			if sign {
				text += fmt.Sprintf("signature  %s\n", *v.Signature)
			}
			_, err := fmt.Fprint(a.out, text)
			return err
		},
	}
	c.Flags().BoolVar(&sign, "signature", false, "play the games of the signature and print it")
	return c
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
