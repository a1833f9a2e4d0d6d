package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"sakusen/strategies"
	"sakusen/tuner"
	"sakusen/tuner/config"
	"sakusen/tuner/serve"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/studyfile"
)

// Inside is what the tests of package cli_test reach of the program behind its
// commands. Those tests share helpers that import this package.
type Inside struct{ a *app }

// NewInside returns the program after it has read its settings, which may be nil where a
// test needs none.
func NewInside(settings *config.Config, said io.Writer) Inside {
	a := &app{
		in: strings.NewReader(""), out: io.Discard, err: said, settings: settings,
		env:   func(string) (string, bool) { return "", false },
		games: strategies.All(), catalogue: strategies.Catalogue(), readIn: studyfile.FilesIn,
	}
	a.group()
	return Inside{a}
}

// Root returns the tree of commands.
func (i Inside) Root() *cobra.Command { return i.a.root() }

// ReadIn changes how rules look for files.
func (i Inside) ReadIn(read func(folder string) func(path string) ([]byte, error)) { i.a.readIn = read }

// DaemonOptions returns those with which the daemon is started.
func (i Inside) DaemonOptions() serve.Options { return i.a.daemon.daemonOptions() }

// ServiceOptions returns those with which commands open the service.
func (i Inside) ServiceOptions() service.Options { return i.a.database.options(i.a.pool(), nil) }

// Settled returns the text of a study file in a folder, with the files that its rules name.
func (i Inside) Settled(text []byte, folder string) []byte { return i.a.settleFiles(text, folder) }

// Spec reads a study file that stands in a folder, or, without one, was sent.
func (i Inside) Spec(text []byte, folder string) (*tuner.Setup, store.Source, error) {
	f := studyFile{name: "x.yaml", text: text, dir: folder}
	s, err := f.spec(i.a, nil)
	return s, f.source(), err
}

// FirstBudget and WithArgument are parts of "study new ENGINE".
var FirstBudget, WithArgument = firstBudget, withArgument
