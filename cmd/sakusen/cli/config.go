package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"sakusen/tuner/config"
	"sakusen/tuner/view"
)

// settingReport is an effective setting in JSON.
type settingReport struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Origin string `json:"origin"` // default, a file, a variable of the environment, flag
	Doc    string `json:"doc"`
}

// configCommand shows the settings.
func configCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Show every setting, its value and where the value comes from",
		Long: `Shows every setting, its value and where the value comes from. A setting is
looked for in flags, then SAKUSEN_* in the environment, then config.yaml (or
--config), and has its default if it is in none of them.`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			if a.flags.asJSON {
				reports := []settingReport{}
				for _, v := range a.settings.All() {
					reports = append(reports, settingReport{v.Key, v.Value, v.Origin, v.Doc})
				}
				return a.printJSON(map[string]any{"settings": reports})
			}
			return view.Table(a.out, func(line func(...any)) {
				line("setting", "value", "origin", "meaning")
				for _, v := range a.settings.All() {
					line(v.Key, settingText(v), v.Origin, v.Doc)
				}
			})
		},
	}
}

// settingText is a value for people.
func settingText(v config.Value) string {
	if text := fmt.Sprint(v.Value); text != "" {
		return text
	}
	return "(none)"
}
