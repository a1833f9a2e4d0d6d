package papers

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sakusen/tuner/contest/experiment"
	"sakusen/tuner/stats"
)

// A run is the stored output of one run of an experiment.
type run struct {
	experiment string // its name, and what it was asked for beyond its defaults, as flags
	seed       string // empty where there is no chance, or none was asked for
	games      int64  // of each ordering; 0 where none are played
	report     experiment.Report
}

// runName matches a name, which has, each if it was asked for, the simulations, one option of the rules, the seed
// and the games.
var runName = regexp.MustCompile(`^([a-z0-9-]+?)(?:\.simulations-([0-9]+))?(?:\.([A-Za-z_.]+=[A-Za-z0-9_-]+))?(?:\.seed-([0-9]+))?(?:\.games-([0-9]+))?\.json$`)

// readRuns reads all stored runs by experiment and flags, the seeds in ascending order.
func readRuns(results fs.FS) (map[string][]run, error) {
	files, err := fs.Glob(results, "*.json")
	if err != nil {
		return nil, err
	}
	runs := map[string][]run{}
	for _, file := range files {
		if solutionName.MatchString(path.Base(file)) {
			continue
		}
		m := runName.FindStringSubmatch(path.Base(file))
		if m == nil {
			return nil, fmt.Errorf("%s: expected a name like battleship-table1.seed-71.games-100000.json", file)
		}
		r := run{experiment: m[1], seed: m[4]}
		if m[2] != "" {
			r.experiment += " --simulations " + m[2]
		}
		if m[3] != "" {
			r.experiment += " --rules " + m[3]
		}
		if m[5] != "" {
			if r.games, err = strconv.ParseInt(m[5], 10, 64); err != nil {
				return nil, fmt.Errorf("%s: games: %w", file, err)
			}
		}
		text, err := fs.ReadFile(results, file)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &r.report); err != nil {
			return nil, fmt.Errorf("%s: expected the JSON of experiment run: %w", file, err)
		}
		if r.report.Name != m[1] {
			return nil, fmt.Errorf("%s: expected a run of %s, got one of %s", file, m[1], r.report.Name)
		}
		runs[r.experiment] = append(runs[r.experiment], r)
	}
	for _, list := range runs {
		slices.SortFunc(list, func(a, b run) int {
			if len(a.seed) != len(b.seed) {
				return len(a.seed) - len(b.seed)
			}
			if a.seed < b.seed {
				return -1
			}
			return 1
		})
		for _, r := range list[1:] {
			if len(r.report.Rows) != len(list[0].report.Rows) {
				return nil, fmt.Errorf("%s: the runs have different rows", r.experiment)
			}
		}
	}
	return runs, nil
}

// command returns what was run.
func (r *run) command() string {
	text := "sakusen paper experiment run " + r.experiment
	if r.seed != "" {
		text += " --seed " + r.seed
	}
	if r.games > 0 {
		text += fmt.Sprintf(" --games %d", r.games)
	}
	return text
}

// pooled returns the rows of several runs as one: means weighted by games, and the verdict
// that follows from the mean and its error.
func pooled(runs []run) ([]experiment.Row, error) {
	if len(runs) == 1 {
		return runs[0].report.Rows, nil
	}
	out := slices.Clone(runs[0].report.Rows)
	for i := range out {
		row := &out[i]
		sum, variance, weights, known := 0.0, 0.0, 0.0, true
		for _, r := range runs {
			other := r.report.Rows[i]
			if other.Label != row.Label || other.Metric != row.Metric {
				return nil, fmt.Errorf("%s: the runs have different rows", r.experiment)
			}
			x, err := strconv.ParseFloat(other.Measured.String(), 64)
			if err != nil || !other.CI.Defined() {
				known = false
				break
			}
			w, se := float64(max(1, r.games)), other.CI.Half()/stats.Deviate95
			sum, variance, weights = sum+w*x, variance+w*w*se*se, weights+w
			if row.Note == "" {
				row.Note = other.Note
			}
		}
		if !known {
			continue
		}
		mean, half := sum/weights, stats.Deviate95*math.Sqrt(variance)/weights
		*row = held(*row, mean, stats.Around(mean, half))
	}
	return out, nil
}

// results prints every row of an experiment, or those whose label begins with a text, which is
// left out. It has only columns that say something: the metric if there are several, the
// printed value and the verdict if one is printed, and notes if there are any.
func (p printer) results(name string, prefix ...string) (string, error) {
	return p.listed(name, strings.Join(prefix, ""), false)
}

// longestRow is the length of a row, in characters, above which its note is a list item below the
// table.
const longestRow = 195

// claims returns results without the rows of which nothing is printed.
func (p printer) claims(name string) (string, error) { return p.listed(name, "", true) }

func (p printer) listed(name, prefix string, claims bool) (string, error) {
	rows, err := p.of(name)
	if err != nil {
		return "", err
	}
	var list []experiment.Row
	var metrics, printed, notes bool
	for _, row := range rows {
		label, ok := strings.CutPrefix(row.Label, prefix)
		if !ok || claims && row.Printed.Nothing() {
			continue
		}
		row.Label = strings.TrimLeft(label, ": ")
		list = append(list, row)
		metrics = metrics || row.Metric != list[0].Metric
		printed = printed || !row.Printed.Nothing()
		notes = notes || row.Note != ""
	}
	if len(list) == 0 {
		return "", fmt.Errorf("%s has no row whose label begins with %q", name, prefix)
	}
	head := []string{""}
	measured := list[0].Metric
	if metrics {
		head, measured = append(head, "value"), "measured"
	}
	if printed {
		head = append(head, "printed")
		if !metrics {
			measured += ", measured"
		}
	}
	head = append(head, measured)
	if printed {
		head = append(head, "verdict")
	}
	if notes {
		head = append(head, "note")
	}
	var b strings.Builder
	var below string
	b.WriteString("| " + strings.Join(head, " | ") + " |\n|" + strings.Repeat("---|", len(head)))
	for i := range list {
		row := &list[i]
		was, _ := row.Texts()
		is := measuredText(row)
		cells := []string{row.Label}
		if metrics {
			cells = append(cells, row.Metric)
		}
		if printed {
			cells = append(cells, was)
		}
		cells = append(cells, is)
		if printed {
			cells = append(cells, told(row))
		}
		if line := strings.Join(append(cells, row.Note), " | "); len(line) > longestRow {
			below += fmt.Sprintf("\n- %s: %s.", row.Label, row.Note)
			cells = append(cells, "below")
		} else if notes {
			cells = append(cells, row.Note)
		}
		b.WriteString("\n| " + strings.Join(cells, " | ") + " |")
	}
	if below != "" {
		below = "\n\nRun by run:\n" + below
	}
	return b.String() + below, nil
}
