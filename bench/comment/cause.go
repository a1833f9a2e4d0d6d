package comment

import (
	"fmt"
	"path/filepath"
	"strings"

	"sakusen/bench"
)

// gainers is how many functions a line names.
const gainers = 3

// mostCauses and mostFunctions bound what a report from elsewhere can fill.
const mostCauses, mostFunctions = 10, 10

// causes says in a line for each benchmark which functions gained most, and below,
// to be opened, all that matter as tables.
func causes(b *strings.Builder, list []bench.Cause) {
	list = list[:min(mostCauses, len(list))]
	for _, c := range list {
		var names []string
		for _, p := range c.Functions[:min(gainers, len(c.Functions))] {
			if p.Gained() > 0 {
				names = append(names, fmt.Sprintf("%s (%s%s)", code(p.Function), c.Show(p.Gained(), "+"), bytesUnit(c)))
			}
		}
		if len(names) > 0 {
			fmt.Fprintf(b, "%s, %s: more in %s\n\n", code(titleOf(c.Pkg, c.Name)), plain(c.Kind), strings.Join(names, ", "))
		}
	}
	if len(list) == 0 {
		return
	}
	b.WriteString("<details><summary>where it comes from</summary>\n\n")
	for _, c := range list {
		if len(c.Functions) == 0 {
			continue
		}
		fmt.Fprintf(b, "%s, %s, %s (profiles %s and %s)\n\n| old | new | gained | function |\n|---:|---:|---:|---|\n",
			code(titleOf(c.Pkg, c.Name)), plain(c.Kind), plain(c.Unit()), code(filepath.Base(c.Files[0])), code(filepath.Base(c.Files[1])))
		for _, p := range c.Functions[:min(mostFunctions, len(c.Functions))] {
			fmt.Fprintf(b, "| %s | %s | %s | %s |\n", c.Show(p.Old, ""), c.Show(p.New, ""), c.Show(p.Gained(), "+"), code(p.Function))
		}
		b.WriteString("\n")
	}
	b.WriteString("</details>\n\n")
}

// bytesUnit is the unit of a number that does not show it itself.
func bytesUnit(c bench.Cause) string {
	if c.Kind == bench.CauseAllocated {
		return " " + c.Unit()
	}
	return ""
}
