package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/engines/external/registry"
)

// conformanceCommand tries a program of somebody else.
func conformanceCommand(a *app) *cobra.Command {
	var file, protocol string
	c := &cobra.Command{
		Use:   "conformance NAME | PROGRAM [ARGUMENT...]",
		Short: "Try whether a program of somebody else can play here, and how",
		Long: `Starts a program and tries what playing needs of it: the handshake, moves under
each kind of limit, legal moves over many plies, the same games twice. NAME is an
engine of config.yaml or of --engine-file; else the words are the program and its
arguments.

Exit code: 0 if all that is needed passed, 1 if not. A check that is not needed
says how the program can be used: one that ignores "go nodes" can play by depth,
one that does not play the same games twice is recorded.`,
		Example: `  sakusen conformance toga2
  sakusen conformance --protocol jsonl python3 lines.py`,
		Args: atLeast(1, "a program"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.engine.studyEngines(studyFile{}, nil, file); err != nil {
				return usage(err)
			}
			name := args[0]
			if _, known := a.engines.Find(name); !known || len(args) > 1 || c.Flags().Changed("protocol") {
				name = "program"
				s, err := registry.Open([]registry.Entry{{Name: name, Protocol: protocol, Command: args}})
				if err != nil {
					return usage(err)
				}
				a.engine.closeEngines()
				a.engines = s
			}
			return a.engine.conform(name)
		},
	}
	c.Flags().StringVar(&file, "engine-file", "", "a YAML file with the key engines, as in config.yaml")
	c.Flags().StringVar(&protocol, "protocol", "uci", "what PROGRAM speaks: uci, usi, uai, ugi, gtp, command or jsonl")
	c.Flags().SetInterspersed(false)
	return c
}

// conform prints what a program was found to do.
func (a engineCommands) conform(name string) error {
	checks, failed := []registry.Check{}, false
	err := a.engines.Conform(name, func(c registry.Check) {
		checks = append(checks, c)
		failed = failed || c.Needed && !c.Passed
		if a.flags.asJSON {
			return
		}
		word := "ok"
		if !c.Passed {
			word = "no"
			if c.Needed {
				word = "FAILED"
			}
		}
		fmt.Fprintf(a.out, "%-16s %-7s %s\n", c.Name, word, strings.ReplaceAll(c.Said, "\n", " "))
	})
	if err != nil {
		return usage(err)
	}
	if a.flags.asJSON {
		if err := a.printJSON(map[string]any{"checks": checks, "passed": !failed}); err != nil {
			return err
		}
	}
	if failed {
		return verdict(exitNegative)
	}
	return nil
}
