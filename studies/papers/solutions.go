package papers

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
)

// A solution is a stored answer of `sakusen solve daifugo --method positions`.
type solution struct {
	Players   int     `json:"players"`
	Cards     int     `json:"cards"`
	Ranks     int     `json:"ranks"`
	Method    string  `json:"method"`
	Solution  [][]int `json:"solution"`
	Positions string  `json:"positions"`

	seconds, mib string // of the process: processor time, greatest memory
}

var solutionName = regexp.MustCompile(`^solve-([0-9]+-[0-9]+-[0-9]+)\.seconds-([0-9]+)\.mib-([0-9]+)\.json$`)

// readSolutions reads all stored answers, by players, cards and ranks.
func readSolutions(results fs.FS) (map[string]solution, error) {
	files, err := fs.Glob(results, "solve-*.json")
	if err != nil {
		return nil, err
	}
	all := map[string]solution{}
	for _, file := range files {
		m := solutionName.FindStringSubmatch(path.Base(file))
		if m == nil {
			return nil, fmt.Errorf("%s: expected a name like solve-3-10-3.seconds-317.mib-2968.json", file)
		}
		text, err := fs.ReadFile(results, file)
		if err != nil {
			return nil, err
		}
		s := solution{seconds: m[2], mib: m[3]}
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, fmt.Errorf("%s: expected the JSON of solve daifugo: %w", file, err)
		}
		if name := fmt.Sprintf("%d-%d-%d", s.Players, s.Cards, s.Ranks); name != m[1] || s.Method != "positions" {
			return nil, fmt.Errorf("%s: expected %s by positions, got %s by %s", file, m[1], name, s.Method)
		}
		all[m[1]] = s
	}
	return all, nil
}

// everything tells whether every player can have every rank.
func (s solution) everything() bool {
	return len(s.Solution) == s.Players && !slices.ContainsFunc(s.Solution, func(ranks []int) bool { return len(ranks) != s.Ranks })
}

// solved is what a stored answer says and what it took, or other words where there is none.
func (p printer) solved(name, other string) string {
	s, ok := p.solutions[name]
	if !ok {
		return other
	}
	value := "everybody can have every rank"
	if !s.everything() {
		value = fmt.Sprint("ranks ", s.Solution)
	}
	return fmt.Sprintf("%s; %s positions, %s s of one core, %s MiB", value, s.Positions, s.seconds, s.mib)
}
