package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"sakusen/bench"
)

// lineup measures the benchmarks of a module at any number of commits beside each
// other. Base and Head of its options mean nothing.
type lineup struct {
	o     Options
	temp  string
	built []*version
}

// version is the module at one commit, built.
type version struct {
	Commit string
	// Sum is a digest of all its test binaries and their testdata.
	Sum  string
	side *side
	tree *tree
}

// errBuild says that a commit does not build, or has no such benchmark.
var errBuild = errors.New("does not build")

// newLineup creates a lineup. Its files lie in a temporary folder that Close removes.
func newLineup(ctx context.Context, o Options) (*lineup, error) {
	l := &lineup{o: o}
	l.o.fill()
	l.o.Base, l.o.Head = "", ""
	l.o.warn = func(format string, args ...any) {
		l.o.Say("warning: "+format, args...)
	}
	if err := l.o.check(ctx); err != nil {
		return nil, err
	}
	var err error
	l.temp, err = Repo{Dir: l.o.Dir}.temporary(ctx)
	return l, err
}

// build builds a commit. An error that is errBuild is the commit's own.
func (l *lineup) build(ctx context.Context, commit string) (*version, error) {
	name := fmt.Sprintf("%.10s", commit)
	dir := filepath.Join(l.temp, fmt.Sprint(len(l.built)))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	t, err := l.o.checkout(ctx, commit, dir, name)
	if errors.Is(err, ErrNothing) || errors.Is(err, errPrepare) && ctx.Err() == nil { // the module was not there yet, or is not made so
		err = fmt.Errorf("%s %w: %w", name, errBuild, err)
	}
	if err != nil {
		return nil, err
	}
	v := &version{Commit: t.commit, tree: t, side: &side{name: name}}
	l.built = append(l.built, v)
	if v.side.binaries, err = build(ctx, t, l.o.Packages, filepath.Join(dir, name+"-binaries"), true, &l.o); err == nil && len(v.side.binaries) == 0 {
		err = errors.New("it has no benchmarks there")
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%s %w: %w", name, errBuild, err)
	}
	for _, pkg := range slices.Sorted(maps.Keys(v.side.binaries)) {
		v.Sum += pkg + " " + v.side.binaries[pkg].sum + "\n"
	}
	return v, nil
}

// same reports whether two versions measure the same: their binaries are equal, and read nothing
// that differs.
func (l *lineup) same(ctx context.Context, one, other *version) (bool, error) {
	if one.Sum != other.Sum || one.Commit == other.Commit {
		return one.Sum == other.Sum, nil
	}
	t, err := pairOf(ctx, one.tree.dir, other.tree.dir, one.Commit, "HEAD")
	if err != nil {
		return false, err
	}
	for _, pkg := range slices.Sorted(maps.Keys(one.side.binaries)) {
		if path := t.reads(ctx, &l.o, one.side.binaries[pkg]); path != "" {
			l.o.Say("%.10s has the binary of %.10s, and %s is another, which it may read", other.Commit, one.Commit, path)
			return false, ctx.Err()
		}
	}
	return true, ctx.Err()
}

// Measure measures versions round by round, each once a round, in a drawn order
// that the next round reverses. After each round look sees what each version has
// printed until then and tells whether that is enough.
func (l *lineup) Measure(ctx context.Context, versions []*version, look func(rounds int, texts []string) (enough bool, err error)) error {
	sides := make([]*side, len(versions))
	for i, v := range versions {
		sides[i] = &side{name: fmt.Sprintf("%s#%d", v.side.name, i), binaries: v.side.binaries}
	}
	jobs, err := list(ctx, &l.o, sides)
	if err != nil {
		return err
	}
	if len(jobs) == 0 {
		return fmt.Errorf("%w: no benchmark has a name like %q", ErrNothing, l.o.Bench)
	}
	_, err = play(ctx, &l.o, jobs, nil, newClock(l.o.Budget), func(rounds int) (func(*job) bool, error) {
		texts := make([]string, len(sides))
		for i, s := range sides {
			if texts[i] = s.text.String(); texts[i] != "" {
				texts[i] += l.o.ending() + "\n"
			}
		}
		enough, err := look(rounds, texts)
		return func(*job) bool { return !enough }, err
	})
	return err
}

// drop removes a version, which is not measured again.
func (l *lineup) drop(v *version) error {
	if v == nil || v.tree == nil {
		return nil
	}
	err := v.tree.remove()
	v.tree = nil
	for _, b := range v.side.binaries {
		err = errors.Join(err, os.Remove(b.path))
	}
	return err
}

// Close removes all that was made.
func (l *lineup) Close() error {
	var errs []error
	for _, v := range l.built {
		if v.tree != nil {
			errs = append(errs, v.tree.remove())
		}
	}
	return errors.Join(append(errs, os.RemoveAll(l.temp))...)
}

// subject returns the first line of a commit's message.
func (r Repo) subject(ctx context.Context, commit string) string {
	text, err := r.git(ctx, "log", "-1", "--format=%s", commit)
	if err != nil {
		return ""
	}
	return text
}

// ending returns the last line of the text of a side that is whole.
func (o *Options) ending() string {
	if o.Bench != "." || o.Skip != "" || !slices.Equal(o.Packages, []string{"./..."}) {
		return bench.EndOfSelection
	}
	return bench.EndOfRun
}
