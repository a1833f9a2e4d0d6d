package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/bench"
	"sakusen/bench/comment"
	"sakusen/bench/ledger"
	"sakusen/bench/runner"
	"sakusen/bench/site"
	"sakusen/tuner/service"
	"sakusen/tuner/view"
)

// historyFlags are those of the history.
type historyFlags struct {
	changepointFlags
	branch, machine string
	all             bool
}

func benchHistoryCommand(a *app) *cobra.Command {
	var f historyFlags
	c := &cobra.Command{
		Use:   "history [SERIES]",
		Short: "Show the medians of each run as a chart, and where their level changed",
		Long: `Shows the recorded medians of each series whose title "package.Name unit" contains
SERIES, run by run, on the baseline branch, and where their level changed. A
change is reported as an alarm once four runs are on the new level. The history of
an accepted series begins anew where it was accepted. Runs of trees with
uncommitted changes belong to no branch; --all-branches shows them too.

Exit code: 0, or 4 if nothing is recorded.`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.o.Check(); err != nil {
				return usage(err)
			}
			return a.bench.history(c.Context(), &f, strings.Join(args, ""))
		},
	}
	f.add(c)
	fs := c.Flags()
	fs.StringVar(&f.branch, "branch", "", "branch (default: the setting bench.baseline_branch, or git's default branch)")
	fs.BoolVar(&f.all, "all-branches", false, "runs of all branches, and of none")
	fs.StringVar(&f.machine, "machine", "", "machine class (default: all)")
	return c
}

func (a benchCommands) history(ctx context.Context, f *historyFlags, series string) error {
	q := ledger.HistoryQuery{Series: series, Branch: f.branch, Machine: f.machine, Changes: f.o}
	if q.Branch == "" {
		q.Branch = a.baselineBranch(ctx, "")
	}
	if f.all {
		q.Branch = ""
	}
	reports, err := readBench(a.app, ctx, func(b *service.Benchmarks) ([]ledger.History, error) { return b.Histories(ctx, q) })
	if err != nil {
		return err
	}
	sections := view.Histories(reports)
	if err := a.show(view.With{Result: map[string]any{"series": reports}, Sections: sections}, sections...); err != nil {
		return err
	}
	if len(reports) == 0 {
		a.say("no series recorded on branch %q has %q in its title (--all-branches looks everywhere)", q.Branch, series)
		return verdict(exitNothing)
	}
	return nil
}

func benchSiteCommand(a *app) *cobra.Command {
	var f historyFlags
	var webhook, title, baseline string
	c := &cobra.Command{
		Use:   "site DIR",
		Short: "Write histories, verdicts and change points as static pages",
		Long: `Writes a page for each recorded series of the baseline branch into DIR, and
index.html with all of them, what got worse first: the change of the last run
against the baseline in per cent, histories, where the level changed, and in which
functions the time went. The baseline of a series is the run with which it begins,
the first one or the one accepted last, or that of --baseline. The pages need no
server and no script.

--webhook sends each alarm (a change of level that four runs confirm) once, as a
POST of JSON with event, series, unit, machine, run, commit, before, after, what,
p and text. DIR/alarms.json lists those that were sent: keep it between runs.

Exit code: 0; 4 if nothing is recorded; 5 if the webhook fails.`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.o.Check(); err != nil {
				return usage(err)
			}
			if u, err := url.Parse(webhook); webhook != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
				return usage(errors.New("--webhook: expected an address that begins with http:// or https://"))
			}
			return a.bench.site(c.Context(), &f, args[0], title, baseline, webhook)
		},
	}
	f.add(c)
	fs := c.Flags()
	fs.StringVar(&f.branch, "branch", "", "branch (default: the setting bench.baseline_branch, or git's default branch)")
	fs.StringVar(&f.machine, "machine", "", "machine class (default: all)")
	fs.StringVar(&baseline, "baseline", "", "name of the baseline (default: the run with which a series begins)")
	fs.StringVar(&title, "title", "Benchmarks", "heading of the pages")
	fs.StringVar(&webhook, "webhook", "", "address to which new alarms are sent")
	return c
}

func (a benchCommands) site(ctx context.Context, f *historyFlags, dir, title, baseline, webhook string) error {
	q := ledger.HistoryQuery{Branch: f.branch, Machine: f.machine, Changes: f.o}
	if q.Branch == "" {
		q.Branch = a.baselineBranch(ctx, "")
	}
	series := 0
	alarms, err := readBench(a.app, ctx, func(b *service.Benchmarks) (alarms []site.Alarm, err error) {
		alarms, series, err = b.Site(ctx, dir, title, baseline, q)
		return alarms, err
	})
	if err != nil {
		return err
	}
	told := 0
	if webhook != "" {
		if told, err = site.Tell(ctx, dir, webhook, alarms); err != nil {
			return &coded{exitInternal, err}
		}
	}
	if a.flags.asJSON {
		err = a.printJSON(map[string]any{"dir": dir, "series": series, "alarms": append([]site.Alarm{}, alarms...), "told": told})
	} else {
		_, err = fmt.Fprintf(a.out, "%s: %d series, %d alarms, %d sent\n", dir, series, len(alarms), told)
	}
	if err == nil && series == 0 {
		a.say("no run is recorded on branch %s: --branch and the setting bench.baseline_branch name another", q.Branch)
		return verdict(exitNothing)
	}
	return err
}

// commentFlags are those of a comment.
type commentFlags struct {
	o        comment.Options
	pull     comment.Pull
	dir      string
	post     bool
	annotate bool
}

func benchCommentCommand(a *app) *cobra.Command {
	var f commentFlags
	c := &cobra.Command{
		Use:   "comment REPORT",
		Short: "Tell a pull request what a gate found, in one comment",
		Long: `Writes a Markdown comment for a pull request from a gate's REPORT: the output of
bench gate --json, or gate.json of bench run --gate --out DIR; - is standard
input. If the report has nothing that matters (--when), nothing is printed.

--post puts the comment under the pull request. A comment that an earlier run of
--author left, with the same --key, is edited; otherwise one is added. If nothing
matters any more, the earlier comment is edited to say so. The pull request is
--pull, or the open one whose head is --head at commit --sha: with these a
workflow that may write comments can find the pull request of a fork whose code
was measured by another workflow, without a token. The token is $GITHUB_TOKEN and
the API $GITHUB_API_URL.

--annotate prints a line ::error for each series that failed, with the file and
line of its benchmark, which GitHub shows in the diff.

Exit code: 0; 2 if the REPORT or the API fails; 4 if there is no such pull
request. The exit code does not depend on the verdict.`,
		Example: `  sakusen bench comment bench-results/gate.json --annotate
  sakusen bench comment gate.json --post --repo owner/name --head fork:branch --sha 4f2a...`,
		RunE: func(c *cobra.Command, args []string) error { return a.bench.comment(c.Context(), &f, args[0]) },
	}
	fs := c.Flags()
	fs.StringVar(&f.o.Key, "key", "gate", "tells several comments under one pull request apart")
	fs.StringVar((*string)(&f.o.When), "when", string(comment.Regressions), "what matters: regression, inconclusive (and regression), always")
	fs.BoolVar(&f.annotate, "annotate", false, "print ::error lines instead of Markdown")
	fs.StringVarP(&f.dir, "dir", "C", ".", "folder of the module, for --annotate")
	fs.BoolVar(&f.post, "post", false, "put the comment under the pull request")
	fs.StringVar(&f.pull.Repo, "repo", "", "OWNER/NAME (default: $GITHUB_REPOSITORY)")
	fs.IntVar(&f.pull.Number, "pull", 0, "number of the pull request")
	fs.StringVar(&f.pull.Head, "head", "", "OWNER:BRANCH of its head, instead of --pull")
	fs.StringVar(&f.pull.SHA, "sha", "", "commit of its head that was measured")
	fs.StringVar(&f.pull.Author, "author", "github-actions[bot]", "whose comment is edited")
	need(c, "post", "pull", "head", "sha", "repo", "author")
	exclude(c, "post", "annotate")
	exclude(c, "pull", "head")
	return c
}

func (a benchCommands) comment(ctx context.Context, f *commentFlags, source string) error {
	switch f.o.When {
	case comment.Regressions, comment.Inconclusive, comment.Always:
	default:
		return usage(fmt.Errorf("--when: expected regression, inconclusive or always, got %q", f.o.When))
	}
	text, err := a.readFile(source)
	if err != nil {
		return usage(err)
	}
	report, err := bench.ReadGateReport(bytes.NewReader(text), source)
	if err != nil {
		return usage(err)
	}
	if f.annotate {
		root, err := runner.Repo{Dir: f.dir}.Root(ctx)
		if err != nil {
			return usage(err)
		}
		for _, line := range comment.Annotations(report, f.dir, root) {
			fmt.Fprintln(a.out, line)
		}
		return nil
	}
	f.o.Commit = f.pull.SHA
	body := comment.Body(report, f.o)
	if !f.post {
		_, err := io.WriteString(a.out, body)
		return err
	}
	f.pull.API, f.pull.Token = a.envOr("GITHUB_API_URL", "https://api.github.com"), a.envOr("GITHUB_TOKEN", "")
	if f.pull.Repo == "" {
		f.pull.Repo = a.envOr("GITHUB_REPOSITORY", "")
	}
	if f.pull.Token == "" || f.pull.Repo == "" || f.pull.Number <= 0 && f.pull.Head == "" {
		return usage(errors.New("--post: expected $GITHUB_TOKEN, --repo and one of --pull and --head"))
	}
	did, err := f.pull.Post(ctx, comment.Mark(f.o.Key), body, comment.Resolved(report, f.o))
	if errors.Is(err, comment.ErrNoPull) {
		return &coded{exitNothing, err}
	}
	if err != nil {
		return usage(err)
	}
	a.say("%s", did)
	return nil
}

// envOr is a variable of the environment, or else a text.
func (a benchCommands) envOr(name, other string) string {
	if value, ok := a.env(name); ok && value != "" {
		return value
	}
	return other
}

func benchBisectCommand(a *app) *cobra.Command {
	var o runner.BisectOptions
	c := &cobra.Command{
		Use:   "bisect SERIES GOOD..BAD",
		Short: "Find the commit at which a benchmark changed",
		Long: `Finds the commit in GOOD..BAD at which a SERIES "package.Name unit" (default unit:
sec/op) changed from the level of GOOD to that of BAD, following first parents. A
branch as GOOD means the commit at which BAD left it.
First GOOD and BAD are measured side by side; if they do not differ there is
nothing to find. Then commits in between are measured together with both, round by
round, until it is clear which of the two a commit is nearer to. Commits that do
not build are skipped, and a commit whose binary equals an earlier one is not
measured again. At the end the commit found is measured against the one before it;
if the two do not differ, the answer is not reproducible.

Exit code: 0 found; 2 bad usage, or GOOD or BAD does not build; 3 not
reproducible; 130 if interrupted.`,
		Example: `  sakusen bench bisect "example.com/m/parser.Decode-8 sec/op" v1.2.0..HEAD
  sakusen bench bisect "example.com/m/parser.Decode allocs/op" main~40..main --benchtime 100x`,
		RunE: func(c *cobra.Command, args []string) error {
			if o.Rounds < 5 || !(o.Least >= 0) {
				return usage(fmt.Errorf("expected --rounds of at least 5 and --least of at least 0, got %d and %g", o.Rounds, o.Least))
			}
			o.Series, o.Range, o.Say = args[0], args[1], a.say
			return a.bench.bisect(c.Context(), o)
		},
	}
	fs := c.Flags()
	fs.StringVarP(&o.Dir, "dir", "C", "", "folder of the module (default: the current one)")
	fs.StringVar(&o.BenchTime, "benchtime", "100ms", "time or number of iterations of one sample, as for go test")
	fs.StringVar(&o.CPU, "cpu", "", "number of processors, as for go test (default: GOMAXPROCS)")
	fs.IntVar(&o.Rounds, "rounds", 20, "most samples of a commit in one step")
	fs.BoolVar(&o.BaseTip, "base-tip", false, "a branch as GOOD means its tip, not the commit at which BAD left it")
	fs.Float64Var(&o.Least, "least", 0.02, "relative change below which there is nothing to find")
	seedFlag(fs, &o.Seed, 1, "seed of the order")
	return c
}

func (a benchCommands) bisect(ctx context.Context, o runner.BisectOptions) error {
	r, err := runner.Bisect(ctx, o)
	if ctx.Err() != nil {
		return &coded{exitInterrupted, fmt.Errorf("interrupted; the same command begins again")}
	}
	if err != nil {
		return usage(err)
	}
	code := exitDone
	if !r.Reproducible {
		code = exitInconclusive
	}
	if a.flags.asJSON {
		err = a.printJSON(r)
	} else {
		err = r.WriteText(a.out)
	}
	if err != nil {
		return err
	}
	return verdict(code)
}
