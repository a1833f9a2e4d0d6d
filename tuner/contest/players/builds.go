package players

import (
	"regexp"
	"slices"
	"strings"

	"sakusen/bench/enginespeed"
	"sakusen/engines/external/registry"
	"sakusen/tuner/config"
	"sakusen/tuner/contest/match"
)

// namedProgram is NAME=PROGRAM [ARGUMENT...].
var namedProgram = regexp.MustCompile(`^([a-z0-9._-]+)=(.+)$`)

// Builds reads two builds of an engine: each is a registered engine, with values
// for options in parentheses or without, NAME=PROGRAM with its arguments, or a
// program alone, which is then named by its role, old or new. What is not
// registered is given, as NAME=PROGRAM, to be opened; entrants are the texts of
// both.
func Builds(registered []config.Engine, before, after string) (given []string, entrants [2]string) {
	for i, text := range []string{before, after} {
		name, _, _ := strings.Cut(text, "(")
		if slices.ContainsFunc(registered, func(e config.Engine) bool { return e.Name == name }) {
			entrants[i] = text
			continue
		}
		name, command := []string{"old", "new"}[i], text
		if m := namedProgram.FindStringSubmatch(text); m != nil {
			name, command = m[1], m[2]
		}
		given, entrants[i] = append(given, name+"="+strings.Join(strings.Fields(command), " ")), name
	}
	return given, entrants
}

// Prepare starts both builds of a match of the new one against the old one to see
// what they are, and says in speed how they search. If they are one program with
// the same options, there is nothing to play.
func Prepare(stable *registry.Stable, m *match.Match, speed *enginespeed.Options) error {
	order := [2]int{1, 0} // of old and new among the entrants
	var infos [2]*registry.Info
	var names [2]string
	for i, e := range order {
		names[i] = m.Series.Entrants[e].Strategy
		var err error
		if infos[i], err = stable.Describe(names[i]); err != nil {
			return err
		}
		speed.Wall = speed.Wall || infos[i].Threads > 1
	}
	if e := m.Series.Entrants; infos[0].Identity == infos[1].Identity && e[0].Params.String() == e[1].Params.String() {
		e[0].Strategy = e[1].Strategy
	}
	speed.Start = func(i int) (enginespeed.Searcher, error) {
		return stable.Searcher(names[i], m.Series.Entrants[order[i]].Params, enginespeed.Patience)
	}
	return nil
}
