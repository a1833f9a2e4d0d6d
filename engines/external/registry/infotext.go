package registry

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// WriteText writes what is known of an engine for people.
func (info *Info) WriteText(w io.Writer) error {
	title := info.Title
	if info.Author != "" {
		title += " by " + info.Author
	}
	fmt.Fprintf(w, "%s: %s\n  command   %s (%s)\n  identity  %s\n  class     %s\n", info.Name, title,
		strings.Join(info.Command, " "), info.Protocol, info.Identity, info.means())
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	line := func(cells ...string) { fmt.Fprintln(t, strings.Join(cells, "\t")) }
	for _, s := range info.Set {
		line("  set", s.Name, s.Value)
	}
	for _, o := range info.Params {
		line("  parameter", o.Name, o.Values(), "default "+o.Default)
	}
	for _, p := range info.Fields {
		values := fmt.Sprintf("%g..%g", p.Low, p.High)
		if p.Kind == "bool" || p.Kind == "choice" {
			values = strings.Join(p.Choices, ", ")
		}
		line("  parameter", p.Name, p.Kind+" "+values, "default "+string(p.Default))
	}
	for _, name := range info.Other {
		line("  option", name, "only config.yaml sets it")
	}
	return t.Flush()
}
