package view

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"sakusen/tuner"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/stats"
)

// Running returns the progress of a study that has not ended ("running"), and its answer so far
// as pages have it ("head"). The progress is its state with the phase, how much of it is done,
// how long the rest takes, the best so far and the state of its validation's test.
func Running(s *service.Study) []Section {
	out := Section{Key: "running"}
	state := stateOf(s)
	p := s.Progress
	if p != nil {
		state += ", " + phaseOf(p.Phase)
	}
	out.add("State", state)
	done := Far(s)
	if p != nil && p.PerSecond > 0 {
		done += ", " + speed(p.PerSecond)
	}
	out.put(Line{Label: "Done", Cell: Cell{Value: fmt.Sprintf("%d %%", Share(s)), Note: done}})
	out.add("Left", Left(s))
	if p != nil && p.Incumbent != nil && p.Value != nil {
		width := stats.Deviate95 * numeral.OrNaN(p.Error)
		out.put(Line{Label: "Best so far", Cell: Cell{Value: numeral.Rounded(*p.Value, width), Interval: between(*p.Value-width, *p.Value+width), Note: fmt.Sprintf("Trial %d: %s.", *p.Incumbent, p.Params)}})
	}
	out.add("Test", Test(p))
	return []Section{out, AnswerOf(*s).section()}
}

// Far returns how many trials and games a study has had, of how many at most.
func Far(s *service.Study) string {
	games := numeral.Count(gamesOf(s))
	if s.State != "done" {
		games += " of at most " + numeral.Count(s.MaxGames)
	}
	trials := numeral.Count(int64(s.Trials))
	if s.State != "done" && !s.Foreign {
		trials += " of at most " + numeral.Count(int64(max(s.Trials, s.MaxTrials)))
	}
	return trials + " trials, " + games + " games"
}

// Share returns how much of a study is done, in per cent, by whichever of trials, games and
// phase ends it.
func Share(s *service.Study) int {
	if s.State == "done" {
		return 100
	}
	if p := s.Progress; p != nil && p.Expected > 0 {
		return int(min(99, 100*p.Games/p.Expected))
	}
	share := int64(0)
	if s.MaxGames > 0 {
		share = 100 * gamesOf(s) / s.MaxGames
	}
	if n := max(s.Trials, s.MaxTrials); n > 0 {
		share = max(share, 90*int64(s.Trials)/int64(n)) // final and validation come after the trials
	}
	return int(min(99, share))
}

// Left returns how long a running study takes still, at its present pace; empty where that is
// not known.
func Left(s *service.Study) string {
	p := s.Progress
	switch {
	case p == nil:
		return ""
	case p.SecondsExpected > 0 && searchLeft(p) > 0:
		return fmt.Sprintf("search %s, proof at most %s", numeral.About(searchLeft(p)), strings.TrimPrefix(numeral.About(seconds(p.SecondsExpected)-searchLeft(p)), "about "))
	case p.SecondsExpected > 0 && (p.Phase == "final" || p.Phase == "validation" || p.Phase == "replay"): // it ends as soon as its test decides
		return "at most " + strings.TrimPrefix(numeral.About(seconds(p.SecondsExpected)), "about ") + " left"
	case p.SecondsExpected > 0:
		return numeral.About(seconds(p.SecondsExpected)) + " left"
	case p.Left > 0:
		return "at most " + numeral.Span(time.Duration(p.Left*float64(time.Second))) + " left"
	}
	return ""
}

// searchLeft returns how long the search takes still, 0 where that is not known or it is over.
func searchLeft(p *service.Progress) time.Duration {
	rest := p.Expected - p.Proof - p.Games
	if p.Phase != "tune" || p.Proof == 0 || rest <= 0 {
		return 0
	}
	return numeral.Left(rest, p.PerSecond)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// Until returns when a running study's search ends, and when its proof at the latest; zero where
// that is not known, or for the search where it is over.
func Until(p *service.Progress, now time.Time) (search, proof time.Time) {
	if p == nil || p.SecondsExpected <= 0 {
		return search, proof
	}
	if left := searchLeft(p); left > 0 {
		search = now.Add(left)
	}
	return search, now.Add(seconds(p.SecondsExpected))
}

// Test returns how far the test of a validation is from its bounds; empty where it has not
// looked yet.
func Test(p *service.Progress) string {
	if p == nil || len(p.Looks) == 0 || p.Phase != "validation" && p.Phase != "" { // it has decided
		return ""
	}
	times := "once"
	if n := len(p.Looks); n > 1 {
		times = fmt.Sprintf("%d times, the last", n)
	}
	l := p.Looks[len(p.Looks)-1]
	side := func(x float64, more, less string) string {
		if x < 0 {
			more = less
		}
		return fmt.Sprintf("%.2f %s", math.Abs(x), more)
	}
	return fmt.Sprintf("The test has looked %s after %s of at most %s blocks: %s the first bound, a pass needs %.2f above it; %s the second, a failure needs %.2f below it.",
		times, numeral.Count(l.Blocks), numeral.Count(l.Most), side(l.Above, "standard errors above", "standard errors below"), l.Needs, side(l.Below, "below", "above"), l.Fails)
}

// Progress returns how far a study is on one line: what matters most first, since a narrow
// terminal cuts it.
func Progress(s *service.Study) string {
	p := s.Progress
	if p == nil {
		p = &service.Progress{Trials: s.Trials, Games: s.Games, Phase: s.State}
	}
	parts := []string{fmt.Sprintf("%s: %d/%d trials, %d games", phaseOf(p.Phase), p.Trials, max(p.Trials, s.MaxTrials), gamesOf(s))}
	if left := p.Expected - gamesOf(s); left > 0 && slices.Contains(afterSearch[:], p.Phase) {
		parts[0] = fmt.Sprintf("%s: at most %d games", phaseOf(p.Phase), left)
	}
	if left := Left(s); left != "" {
		if strings.HasPrefix(left, "search ") {
			parts[0] = strings.TrimPrefix(parts[0], "search: ")
		}
		parts = append(parts, left)
	}
	if p.Incumbent != nil && p.Value != nil {
		parts = append(parts, "best "+numeral.PlusMinus(*p.Value, stats.Deviate95*numeral.OrNaN(p.Error))+" "+few(p.Params))
	}
	if !p.Passed() { // where the time left says enough, and fills the line
		parts = append(parts, speed(p.PerSecond))
	}
	return strings.Join(parts, ", ")
}

// few returns at most four of a trial's parameters, with short numbers.
func few(params string) string {
	parts := strings.Split(params, ",")
	for i, part := range parts {
		name, value, _ := strings.Cut(part, "=")
		parts[i] = strings.TrimSuffix(name+"="+short(value), "=")
	}
	n := min(len(parts), 4)
	return strings.Join(parts[:n], " ") + strings.Repeat(" ...", min(1, len(parts)-n))
}

// afterSearch are the phases in which the trials have ended.
var afterSearch = [...]string{"validation", "replay", "estimate", "set back"}

// stage is a phase of a study.
type stage struct {
	Name      string
	Now, Done bool
}

// Steps returns the phases of a study that runs.
func Steps(s service.Study) (out []stage) {
	if s.Progress == nil {
		return nil
	}
	phase := cmp.Or(map[string]string{"set back": "estimate", "replay": "validation", "tune": "search"}[s.Progress.Phase], s.Progress.Phase)
	all := []string{"search", "final", "validation", "estimate"}
	at := slices.Index(all, phase)
	for i, name := range all {
		out = append(out, stage{name, i == at, i < at})
	}
	return out
}

// Proving returns what a study proves now, and why, when its search has ended.
func Proving(spec *tuner.Spec, p *tuner.Progress) string {
	then := ""
	if after := p.Expected - p.Games - p.Proof; after > 0 {
		then = fmt.Sprintf(". If it passes, what is left of these and at most %d more tell by how much, and what each parameter is worth", after)
	}
	return fmt.Sprintf("study %s: the search has ended. Whether %s is better than the baseline is found out in at most %d games that the search has not seen (validation)%s", spec.Name, setting(spec, p.Answer), p.Proof, then)
}

// phaseOf returns a study's phase in words.
func phaseOf(phase string) string {
	return cmp.Or(map[string]string{"tune": "search", "replay": "validation, some blocks a second time", "estimate": "passed, the gain is measured", "set back": "passed, worth of each parameter"}[phase], phase)
}

// speed returns a number of games a second, of slow games that in a minute or an hour.
func speed(perSecond float64) string {
	switch {
	case perSecond >= 0.95 || perSecond == 0:
		return fmt.Sprintf("%.0f games/s", perSecond)
	case perSecond*60 >= 0.95:
		return fmt.Sprintf("%.0f games/min", perSecond*60)
	}
	return fmt.Sprintf("%.0f games/h", perSecond*3600)
}

// stateOf returns a study's state in words.
func stateOf(s *service.Study) string {
	if interrupted(s) {
		return "interrupted"
	}
	if s.Message == tuner.AwaitedMessage {
		return s.State + " (waits for results)"
	}
	return s.State
}

// interrupted reports whether a command that ran a study was interrupted or killed.
func interrupted(s *service.Study) bool {
	return s.Interrupted || s.State == "paused" && s.Message == tuner.InterruptedMessage
}

// gamesOf returns the games of a study by now.
func gamesOf(s *service.Study) int64 {
	if s.Progress != nil {
		return max(s.Games, s.Progress.Games)
	}
	return s.Games
}

// fallen returns the verdict of a study without a result, in a word: games that follow it are
// left; empty where none has fallen.
func fallen(s *service.Study) string {
	if s.State == "done" || s.Best == nil {
		return ""
	}
	return map[string]string{"pass": "passed", "fail": "failed", "inconclusive": "undecided"}[s.Best.Verdict]
}

// trialsOf returns the trials that a study has had, of how many that it can reach where it
// has no result yet.
func trialsOf(s *service.Study) string {
	if s.State == "done" || s.Foreign {
		return fmt.Sprint(s.Trials)
	}
	return fmt.Sprintf("%d/%d", s.Trials, max(s.Trials, s.MaxTrials))
}
