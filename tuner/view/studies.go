package view

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"sakusen/tuner"
	"sakusen/tuner/service"
)

// Studies lists studies, one line each.
func Studies(w io.Writer, list []service.Study) error {
	return Table(w, func(line func(...any)) {
		line("STUDY", "STATE", "GAME", "STRATEGY", "TRIALS", "GAMES", "CREATED")
		for _, l := range list {
			line(l.Study, stateOf(l), l.Game, l.Strategy, trialsOf(l), l.Games, l.Created)
		}
	})
}

// WholeStudy writes a study's state and its trials, without its result.
func WholeStudy(w io.Writer, s *service.WholeStudy, limit int) error {
	fmt.Fprintf(w, "%s: %s, %s trials, %d games, created %s\n", s.Study.Study, stateOf(s.Study), strings.Replace(trialsOf(s.Study), "/", " of at most ", 1), s.Games, s.Created)
	if s.Message != "" {
		fmt.Fprintln(w, s.Message)
	}
	if s.Foreign {
		fmt.Fprintln(w, "kept by a program with Goptuna's API; nothing is proved")
		if b := s.Best; b != nil {
			fmt.Fprintf(w, "best: trial %d with %s\n", b.Trial, b)
		}
	} else if s.Spec.Evaluate == nil {
		fmt.Fprintln(w, Wrap("race: "+s.Spec.Race.String(), "  ", Width))
	}
	for _, worker := range s.Workers {
		if worker.Suspicious {
			fmt.Fprintf(w, "suspicious: %s (sakusen study drop %s --worker %s takes them out)\n", worker, s.Study.Study, worker.Worker)
		}
	}
	left := len(s.Trial) - limit
	if limit <= 0 || left < 0 {
		left = 0
	}
	first := (len(s.Trial) - left + 1) / 2
	err := Table(w, func(line func(...any)) {
		line("TRIAL", "STATE", "VALUE", "BLOCKS", "PARAMETERS")
		for i, t := range s.Trial {
			if left > 0 && i == first {
				line("...")
			}
			if left == 0 || i < first || i >= first+left {
				line(t.Number, t.State, Estimate(t.Value, nil), t.Blocks, paramsOf(s, t))
			}
		}
	})
	if left > 0 {
		fmt.Fprintf(w, "%d trials in the middle are left out (--limit 0 prints all)\n", left)
	}
	return err
}

// paramsOf are a trial's parameters, those of a study without a spec by name.
func paramsOf(s *service.WholeStudy, t service.Trial) string {
	if s.Spec != nil {
		return Params(s.Spec, t.Params)
	}
	texts := make([]string, 0, len(t.Params))
	for _, name := range slices.Sorted(maps.Keys(t.Params)) {
		texts = append(texts, name+"="+t.Params[name])
	}
	return strings.Join(texts, " ")
}

// trialsOf are a study's trials: how many it has had, of how many that it can reach
// where it has no result yet.
func trialsOf(l service.Study) string {
	if l.State == "done" || l.Foreign {
		return fmt.Sprint(l.Trials)
	}
	return fmt.Sprintf("%d/%d", l.Trials, max(l.Trials, cmp.Or(l.Reachable, l.MaxTrials)))
}

// stateOf is a study's state for people.
func stateOf(l service.Study) string {
	if l.Interrupted {
		return l.State + " (interrupted)"
	}
	if l.Message == tuner.AwaitedMessage {
		return l.State + " (waits for results)"
	}
	return l.State
}
