package benchcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sakusen/bench"
	"sakusen/bench/comment"
	"sakusen/bench/runner"
	"sakusen/cmd/cmdline"

	"github.com/spf13/cobra"
)

// commentFlags are those of a comment.
type commentFlags struct {
	o        comment.Options
	pull     comment.Pull
	dir      string
	post     bool
	annotate bool
}

// CommentCommand returns the command comment.
func CommentCommand(p *Program) *cobra.Command {
	var f commentFlags
	c := &cobra.Command{
		Use:   "comment REPORT",
		Short: "Write one comment on a pull request: what a gate found",
		Long: `Writes a Markdown comment for a pull request from a gate's REPORT: the output of
gate --json, or gate.json of run --gate --out DIR; - is standard
input. --when says which reports need a comment; for any other report nothing is printed.

--post posts the comment on the pull request by curl. If --author has already posted a comment
with the same --key, that comment is edited; otherwise a new one is added. If a report no
longer needs a comment, an earlier comment is edited to say so. The pull request is
--pull, or the open one whose head is --head at commit --sha: with these, a workflow that
may write comments finds the pull request of a fork whose code another workflow has
measured without a token. The token is $GITHUB_TOKEN and
the API $GITHUB_API_URL.

--annotate prints a line ::error for each series that failed, with the file and
line of its benchmark, which GitHub shows in the diff.

Exit code: 0; 2 if the REPORT or the API fails; 4 if there is no such pull
request. The exit code does not depend on the verdict.`,
		Example: `  sakusen bench comment bench-results/gate.json --annotate
  sakusen bench comment gate.json --post --repo owner/name --head fork:branch --sha 4f2a...`,
		RunE: func(c *cobra.Command, args []string) error { return p.comment(c.Context(), &f, args[0]) },
	}
	fs := c.Flags()
	fs.StringVar(&f.o.Key, "key", "gate", "tells several comments under one pull request apart")
	fs.StringVar((*string)(&f.o.When), "when", string(comment.Regressions), "when to comment: regression, undecided (or a regression), always")
	fs.BoolVar(&f.annotate, "annotate", false, "print ::error lines instead of Markdown")
	fs.StringVarP(&f.dir, "dir", "C", ".", "folder of the module, for --annotate")
	fs.BoolVar(&f.post, "post", false, "post the comment on the pull request")
	fs.StringVar(&f.pull.Repo, "repo", "", "OWNER/NAME (default: $GITHUB_REPOSITORY)")
	fs.IntVar(&f.pull.Number, "pull", 0, "number of the pull request")
	fs.StringVar(&f.pull.Head, "head", "", "OWNER:BRANCH of the pull request's head, instead of --pull")
	fs.StringVar(&f.pull.SHA, "sha", "", "commit of the pull request's head that was measured")
	fs.StringVar(&f.pull.Author, "author", "github-actions[bot]", "whose comment is edited")
	cmdline.Need(c, "post", "pull", "head", "sha", "repo", "author")
	cmdline.Exclude(c, "post", "annotate")
	cmdline.Exclude(c, "pull", "head")
	return p.called(c)
}

func (p *Program) comment(ctx context.Context, f *commentFlags, source string) error {
	if f.o.When == comment.When(bench.Inconclusive) { // the word of the JSON
		f.o.When = comment.Undecided
	}
	switch f.o.When {
	case comment.Regressions, comment.Undecided, comment.Always:
	default:
		return cmdline.Usage(fmt.Errorf("--when: expected regression, undecided or always, got %q", f.o.When))
	}
	report, err := Patient(ctx, func() (bench.GateReport, error) {
		if source == "-" {
			return bench.ReadGateReport(p.In, source)
		}
		file, err := os.Open(source)
		if err != nil {
			return bench.GateReport{}, err
		}
		defer file.Close()
		return bench.ReadGateReport(file, source)
	})
	if err != nil {
		return err
	}
	if f.annotate {
		root, err := runner.Repo{Dir: f.dir}.Root(ctx)
		if err != nil {
			return cmdline.Usage(err)
		}
		for _, line := range comment.Annotations(report, f.dir, root) {
			fmt.Fprintln(p.Out, line)
		}
		return nil
	}
	f.o.Commit = f.pull.SHA
	body := comment.Body(report, f.o)
	if !f.post {
		_, err := io.WriteString(p.Out, body)
		return err
	}
	f.pull.API, f.pull.Token = p.envOr("GITHUB_API_URL", "https://api.github.com"), p.envOr("GITHUB_TOKEN", "")
	if f.pull.Repo == "" {
		f.pull.Repo = p.envOr("GITHUB_REPOSITORY", "")
	}
	if f.pull.Token == "" || f.pull.Repo == "" || f.pull.Number <= 0 && f.pull.Head == "" {
		return cmdline.Usage(errors.New("--post: expected $GITHUB_TOKEN, --repo and one of --pull and --head"))
	}
	did, err := f.pull.Post(ctx, comment.Mark(f.o.Key), body, comment.Resolved(report, f.o))
	if errors.Is(err, comment.ErrNoPull) {
		return cmdline.Exit(cmdline.Nothing, err)
	}
	if err != nil {
		return cmdline.Usage(err)
	}
	p.Say("%s", did)
	return nil
}

// envOr returns a variable of the environment, or else a text.
func (p *Program) envOr(name, other string) string {
	if value, ok := p.Env(name); ok && value != "" {
		return value
	}
	return other
}
