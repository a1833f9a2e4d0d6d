package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/engines/plain"
	"sakusen/tuner/studyfile"
	"sakusen/tuner/studyfile/yamlfile"
	"sakusen/tuner/view"
)

// studyKeysCommand tells of the keys of a study file.
func studyKeysCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "keys [NAME]", Short: "List the keys of a study file with their values and defaults, or tell all of one",
		Long: `Lists the keys of a study file, or tells all of one and of those below it: the
values that it takes, what holds without it, and what it does. sampler.options has
the options of every sampler; "sakusen game strategies GAME" has the parameters for
tune.params and tune.fix.`,
		Example: "  sakusen study keys validation\n  sakusen study keys sampler.options",
		RunE: func(_ *cobra.Command, args []string) error {
			keys, err := studyfile.Describe(strings.Join(args, ""), a.samplers)
			if err != nil {
				return usage(err)
			}
			return a.print(map[string]any{"keys": keys}, func(w io.Writer) error {
				if len(args) == 0 {
					return view.Table(w, func(line func(cells ...any)) {
						for _, k := range keys {
							line(k.Path, k.Values+"; default: "+k.Default)
						}
					})
				}
				return a.printKeys(w, keys)
			})
		},
	}
}

// printKeys tells all of some keys, and of the options of samplers where they are among them.
func (a *app) printKeys(w io.Writer, keys []yamlfile.Key) error {
	var b strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&b, "%s: %s; default: %s\n  %s\n", k.Path, k.Values, k.Default, plain.Wrap(k.Doc, "  ", plain.Width))
		if k.When != "" {
			fmt.Fprintf(&b, "  Only with %s.\n", k.When)
		}
		if k.Path != "sampler.options" {
			continue
		}
		for _, name := range a.samplers.Names() {
			for _, o := range a.samplers.Options(name) {
				fmt.Fprintf(&b, "  %s, %s: default: %s\n    %s\n", name, o.Name, o.Default, plain.Wrap(o.Doc, "    ", plain.Width))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// studySchemaCommand prints the JSON Schema of study files.
func studySchemaCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "Print the JSON Schema of study files, by which editors complete and check them",
		Example: "  sakusen study schema > study.schema.json",
		RunE: func(*cobra.Command, []string) error {
			text, err := studyfile.Schema(a.samplers)
			if err == nil {
				_, err = a.out.Write(text)
			}
			return err
		},
	}
}
