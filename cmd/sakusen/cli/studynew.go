package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sakusen/engines/external"
	"sakusen/engines/plain"
	"sakusen/tuner/config"
	"sakusen/tuner/numeral"
	"sakusen/tuner/service"
	"sakusen/tuner/studyfile"
)

// template prints a study file to begin with.
func (a fileCommands) template(c *cobra.Command) action {
	engines := addEngineFlags(c, "an engine besides those of config.yaml")
	return func(ctx context.Context, args []string) error {
		name, program := "", ""
		known := func(e config.Engine) bool { return e.Name == args[0] }
		own := func(text string) bool { return strings.HasPrefix(text, name+"=") }
		if len(args) == 1 {
			name = args[0]
			if !slices.ContainsFunc(a.settings.Engines, known) && !slices.ContainsFunc(engines.given, own) {
				name, program = engineOf(name)
			}
			if program != "" {
				engines.given = append([]string{program}, engines.given...)
			}
		}
		if err := engines.open(a.engine, studyFile{}); err != nil {
			return usage(err)
		}
		if len(args) == 1 {
			p, err := a.engines.Propose(ctx, name)
			if ctx.Err() != nil { // whatever the engine's error then is
				return ctx.Err()
			}
			if err != nil {
				return usage(withArgument(err, program))
			}
			text, err := a.firstStudy(ctx, p, slices.ContainsFunc(engines.given, own))
			if err != nil {
				return err
			}
			return a.print(map[string]string{"file": text}, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
		}
		text, err := studyfile.Template(args[0], args[1], a.catalogue, a.samplers)
		if err != nil {
			return usage(err)
		}
		return a.print(map[string]string{"file": text}, func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
	}
}

// withArgument adds to the error of a program that did not shake hands how one is given that speaks UCI
// only with an argument, as GNU Chess does.
func withArgument(err error, program string) error {
	if program == "" || strings.Contains(program, " ") || !strings.Contains(err.Error(), "handshake") {
		return err
	}
	return fmt.Errorf("%w. If the program speaks UCI only with an argument, give it too, such as: study new %q", err, program+" --uci")
}

// engineOf returns the name of an engine that is given as a program, or as NAME=PROGRAM, and
// how --engine has it; the latter is empty of what is no program.
func engineOf(text string) (name, given string) {
	name, program, named := strings.Cut(text, "=")
	if !named {
		name, program = filepath.Base((append(plain.Command(text), text))[0]), text
		name = strings.Trim(strings.Map(func(r rune) rune {
			if r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' {
				return r
			}
			return '-'
		}, strings.ToLower(name)), "-.")
	}
	words := plain.Command(program)
	if len(words) == 0 || name == "" {
		return text, ""
	}
	if _, err := (&external.Entry{Name: name, Command: words}).Find(); err != nil {
		return text, ""
	}
	if strings.ContainsRune(words[0], filepath.Separator) {
		if path, err := filepath.Abs(words[0]); err == nil {
			words[0] = path
		}
	}
	return name, name + "=" + plain.Quoted(words)
}

const (
	// firstTime is how long a first study of an engine plays at most: its answer is there within the hour.
	firstTime = 40 * time.Minute
	// firstGames are the most games of a first study, as in a study without a budget.
	firstGames = 20000
)

// firstStudy returns the study file of an engine that was asked what it offers, with a budget of
// games for which there is time. The engine plays some of them, to know their speed.
func (a fileCommands) firstStudy(ctx context.Context, p *external.Proposal, own bool) (string, error) {
	text := proposedStudy(p, own, fmt.Sprintf("{games: %d}", firstGames))
	f := studyFile{name: "the study", text: []byte(text), dir: "."}
	if own {
		if err := a.engine.studyEngines(f, nil, ""); err != nil { // they have what was found of the engine
			return "", err
		}
	}
	setup, err := f.spec(a.app, nil)
	if err != nil {
		return "", err
	}
	a.wait.Step("the speed of "+p.Info.Name, 0, 0)
	defer a.wait.Step("", 0, 0)
	c, err := service.CheckStudy(ctx, nil, a.samplers, setup, a.pool(), func(done, of int) {
		a.wait.Step(setup.Tune.Strategy+" with the ends of its ranges", done, of)
	})
	if err != nil || c.Forecast.Seconds == nil {
		return text, err
	}
	games := float64(c.Forecast.Games.Most) * min(1, firstTime.Seconds()/c.Forecast.Seconds[1])
	return proposedStudy(p, own, firstBudget(games, c.Forecast.Seconds[1]/float64(c.Forecast.Games.Most))), nil
}

// firstBudget returns a budget of about so many games, with how long they take.
func firstBudget(games, secondsEach float64) string {
	unit := math.Pow(10, math.Floor(math.Log10(max(games, 1)))-1)
	n := max(math.Floor(games/unit)*unit, leastFirst)
	return fmt.Sprintf("{games: %.0f}   # at most %s, at the speed measured now; more games prove smaller gains",
		n, strings.TrimPrefix(numeral.About(time.Duration(n*secondsEach*float64(time.Second))), "about "))
}

// leastFirst are the fewest games of a first study, whatever time they take: fewer prove no gain that one
// may hope for.
const leastFirst = 400

// proposedStudy returns the study file of an engine that was asked what it offers; own says
// that the file brings the engine itself.
func proposedStudy(p *external.Proposal, own bool, budget string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	quote := func(v any) string { text, _ := json.Marshal(v); return string(text) }
	onLine := func(text string) string { return strings.Join(strings.Fields(text), " ") } // of a comment
	line("# A first study of %s: of the options that change how it plays, those that change the", onLine(p.Info.Title))
	line("# most moves. \"sakusen study check FILE\" says what it takes and can prove, \"sakusen tune FILE\" runs it.")
	line("# Change what is tuned and its ranges as you like: fewer parameters need fewer games.")
	line("version: 1\nname: %s\ngame: chess", quote(p.Info.Name))
	if own {
		recorded := ""
		if p.Recorded != "" {
			recorded = ", recorded: true"
		} else if p.Fresh != "" {
			recorded = ", fresh: true"
		}
		options := "[]"
		if slices.ContainsFunc(p.Info.Options(), func(name string) bool { return name == "Hash" }) {
			options = `[{name: Hash, value: "16"}]`
		}
		line("engines:\n  %s: {command: %s, options: %s%s}", p.Info.Name, quote(p.Info.Command), options, recorded)
	}
	if p.Recorded != "" {
		line("# Its games cannot be played again: %s.", onLine(p.Recorded))
	}
	if p.Fresh != "" && own {
		line("# fresh: true, a process for every game, as it carries something over from one game to the next.")
	} else if p.Fresh != "" {
		line("# %s.", onLine(p.Fresh))
	}
	seed := crc32.ChecksumIEEE([]byte(p.Info.Title + p.Info.Name))
	limit := "the shortest that tells"
	if p.NoNodes != "" {
		limit += " (no nodes:N: " + plain.Near(p.NoNodes, "", 120) + ")"
	}
	line("rules:\n  - {name: limit, value: %q}   # %s", p.Limit.String(), limit)
	line("  # An answer by the clock is proved with validation: {rules: [{name: limit, value: \"clock:8+0.08\"}, ...]}.")
	line("  - {name: book, value: own}   # openings drawn for this study; or the path of a book in EPD or PGN")
	line("  - {name: opening_seed, value: %d}", seed)
	line("tune:\n  strategy: %s\n  params:", p.Info.Name)
	for _, x := range p.Params {
		values := fmt.Sprintf("low: %s, high: %s", x.Low, x.High)
		if x.Choices != nil {
			values = "choices: " + quote(x.Choices)
		}
		line("    - {name: %s, %s}   # default %s, takes %s; changes the move in %d of %d positions", quote(x.Name), values, onLine(x.Default), onLine(x.Takes), x.Moves, external.Positions)
	}
	line("baseline: %s   # whom the answer must beat: here the defaults", p.Info.Name)
	line("budget: %s", budget)
	if len(p.LeftOut) > 0 {
		line("# Left out, and tuned where they are named under params:")
	}
	for _, text := range p.LeftOutLines() {
		line("#   %s", plain.Wrap(text, "#     ", 100))
	}
	return b.String()
}
