package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"sakusen/cmd/cmdline"
	"sakusen/engines/param"
	"sakusen/tuner/contest"
	"sakusen/tuner/insight/replay"
	"sakusen/tuner/service"
	"sakusen/tuner/stats"
	"sakusen/tuner/view"
)

// patchFlags are the flags of the command test.
type patchFlags struct {
	asked    contest.PatchAsked
	rules    []string
	seed     uint64
	priority int
	record   bool
}

func (a contestCommands) testCommand() command {
	return command{
		use: "test FILE|NEW BASE", short: "Test a patch: is the new player stronger than the one it would replace?", bind: a.patch,
		long: `Plays NEW against BASE until a sequential test (SPRT) decides. Exit code: 0
passed, 1 failed, 3 undecided at --max-games.

NEW and BASE are engines of config.yaml, with or without options, or strategies of --game.
Each --limit is a stage; a stage begins when the one before has passed, so that a short
time control comes before a long one. FILE (with a slash, or ending in .yaml) holds the
same settings; docs/engines.md has its keys. Bounds are gain (0
against 5), no-loss (-5 against 0), simplification (-3 against 1) or ELO0,ELO1, in
normalized Elo unless --model says otherwise.

Blocks are kept in the database, so that an interrupted test continues where it stopped. While a daemon holds the database, the daemon plays the test beside its
studies and shows it at /tests; interrupting the command does not stop it, and the
same command waits for it again. A test that has ended is not played again
while its players are the same; another --seed plays other games. With --record=false the command plays the test
itself and keeps nothing.`,
		example: `  sakusen test dev main --limit clock:8+0.08 --limit clock:40+0.4 --sprt gain
  sakusen test 'dev("LMR"=3)' dev --limit nodes:20000 --sprt no-loss --rules book=book.epd
  sakusen test lmr-tweak.yaml --json`,
	}
}

// patch tests a patch.
func (a contestCommands) patch(c *cobra.Command) action {
	var f patchFlags
	fs := c.Flags()
	fs.StringVar(&f.asked.Name, "name", "", "name of the test (default NEW-vs-BASE)")
	fs.StringVar(&f.asked.Game, "game", "chess", "the game")
	fs.StringArrayVar(&f.asked.Limits, "limit", nil, "limit of a stage, such as clock:8+0.08 or nodes:20000 (repeatable: a stage each)")
	fs.StringArrayVar(&f.asked.Bounds, "sprt", nil, "bounds: gain, no-loss, simplification or ELO0,ELO1 (default gain; repeatable: one for each stage)")
	fs.StringArrayVar(&f.rules, "rules", nil, "option of the rules, name=value (repeatable)")
	fs.Int64Var(&f.asked.MaxGames, "max-games", 0, "games at which a stage ends undecided (default 200000)")
	fs.StringVar(&f.asked.Model, "model", string(stats.Normalized), "unit of the bounds: normalized or logistic Elo")
	fs.Float64Var(&f.asked.Alpha, "alpha", 0.05, "chance of passing although the strength is ELO0")
	fs.Float64Var(&f.asked.Beta, "beta", 0.05, "chance of failing although the strength is ELO1")
	cmdline.Seed(fs, &f.seed, 1, "seed of all chance")
	fs.IntVar(&f.priority, "priority", 0, "priority in the daemon, -10 to 10")
	fs.BoolVar(&f.record, "record", true, "keep the blocks in the database, and play only blocks that are not there yet")
	engines := addEngineFlags(c, "an engine for this test, which then runs in this command and not in a daemon")
	c.Args = func(_ *cobra.Command, args []string) error {
		if n := len(args); n < 1 || n > 2 {
			return usage(fmt.Errorf("expected FILE, or NEW and BASE, got %d arguments", n))
		}
		return nil
	}
	return func(ctx context.Context, args []string) error {
		if f.priority < -10 || f.priority > 10 {
			return usage(fmt.Errorf("--priority: expected -10 to 10, got %d", f.priority))
		}
		if err := engines.open(a.engine, studyFile{}); err != nil {
			return usage(err)
		}
		text, name, dir, err := a.patchText(c, &f, args)
		if err != nil {
			return usage(err)
		}
		test, err := contest.ReadPatch(name, text, a.catalogueOf(dir))
		if err != nil && len(args) == 2 {
			err = contest.InFlags(err)
		}
		if err != nil {
			return usage(err)
		}
		own := len(engines.given) > 0 || engines.file != ""
		return a.runPatch(ctx, test, service.PatchRequest{File: string(a.settleFiles(text, dir)), FileName: filepath.Base(name)}, &f, own)
	}
}

// gameKey is where a test file names its game, in YAML or JSON.
var gameKey = regexp.MustCompile(`(?m)(?:^|[{,]\s*)["']?game["']?\s*:`)

// patchText returns the file of a test, read or made of the command line, with its name and
// folder.
func (a contestCommands) patchText(c *cobra.Command, f *patchFlags, args []string) (text []byte, name, dir string, err error) {
	if len(args) == 1 {
		if !isPath(args[0]) {
			return nil, "", "", fmt.Errorf("test: expected FILE (with a slash, or ending in .yaml), or NEW and BASE, got %q", args[0])
		}
		for _, flag := range []string{"name", "game", "limit", "sprt", "rules", "max-games", "model", "alpha", "beta", "seed"} {
			if c.Flags().Changed(flag) {
				return nil, "", "", fmt.Errorf("--%s: expected it in %s", flag, args[0])
			}
		}
		if text, err = os.ReadFile(args[0]); err != nil {
			return nil, "", "", fmt.Errorf("test file: %w", err)
		}
		if head := bytes.TrimSpace(text); gameKey.Match(text) || !utf8.Valid(text) || bytes.HasPrefix(head, []byte("[")) || bytes.HasPrefix(head, []byte("- ")) {
			return text, args[0], filepath.Dir(args[0]), nil
		} else if bytes.HasPrefix(head, []byte("{")) { // files are settled by their game
			text = bytes.Replace(text, []byte("{"), []byte(`{"game": "chess", `), 1)
		} else {
			text = append(text, "\ngame: chess\n"...)
		}
		return text, args[0], filepath.Dir(args[0]), nil
	}
	if f.asked.Rules, err = parseRules(f.rules); err != nil {
		return nil, "", "", err
	}
	if f.asked.MaxGames < 0 || c.Flags().Changed("max-games") && f.asked.MaxGames < 2 {
		return nil, "", "", fmt.Errorf("--max-games: expected at least 2, got %d", f.asked.MaxGames)
	}
	for _, flag := range []string{"name", "game", "model", "sprt"} {
		if x := c.Flags().Lookup(flag); x.Changed && strings.Trim(x.Value.String(), "[], ") == "" {
			return nil, "", "", fmt.Errorf("--%s: expected a text, got none", flag)
		}
	}
	if f.asked.Alpha == 0 || f.asked.Beta == 0 {
		return nil, "", "", fmt.Errorf("--alpha, --beta: expected a number in 1e-12..0.5, got 0")
	}
	f.asked.New, f.asked.Base, f.asked.Seed = args[0], args[1], (*param.Seed)(&f.seed)
	whole, err := f.asked.File()
	if err != nil {
		err = fmt.Errorf("--sprt: %w", err)
	}
	return []byte(whole), "test", ".", err
}

// runPatch plays a test, or has the daemon play it, and prints it.
func (a contestCommands) runPatch(ctx context.Context, test *contest.Patch, request service.PatchRequest, f *patchFlags, own bool) error {
	host, err := a.link.openRecorder(ctx, f.record)
	if err != nil {
		return err
	}
	if host.daemon != nil {
		if own {
			return errors.Join(usage(fmt.Errorf("--engine: the daemon at %s plays with the engines of its own config.yaml: name them there, or add --record=false", host.daemon.Address())), host.end())
		}
		r, at, err := a.link.patchAtDaemon(ctx, host.daemon, request, f.priority)
		if err := errors.Join(err, host.end()); err != nil {
			return err
		}
		r.Text += at + "\n"
		return a.tellPatch(r)
	}
	watch := newTicker(a.app, 0)
	sample := &replay.Sample{Host: host}
	err = test.Play(ctx, contest.PatchOptions{Host: sample, Progress: func(blocks, of, games int64) { watch.TickOf(of, blocks, games) }})
	watch.Clear()
	if closed := host.end(); closed != nil {
		return errors.Join(err, closed)
	}
	if err != nil {
		if ctx.Err() != nil {
			return host.interrupted("the test")
		}
		return err
	}
	told, err := service.PatchReplayed(ctx, test, sample, a.pool())
	if err != nil {
		return err
	}
	r, err := test.Report()
	if err != nil {
		return err
	}
	r.Replayed = told
	return a.tellPatch(r)
}

// tellPatch prints a test and returns its verdict.
func (a contestCommands) tellPatch(r *contest.PatchReport) error {
	for _, note := range r.Notes {
		a.say("note: %s", note)
	}
	if err := a.show(r, view.Patch(r)...); err != nil {
		return err
	}
	switch r.Verdict {
	case contest.PatchPasses:
		return nil
	case contest.PatchFails:
		return cmdline.Verdict(cmdline.Negative)
	}
	return cmdline.Verdict(cmdline.Inconclusive)
}
