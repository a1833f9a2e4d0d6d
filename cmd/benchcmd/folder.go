package benchcmd

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sakusen/bench"
	"sakusen/bench/runner"
	"sakusen/cmd/cmdline"
)

// Folder keeps runs as files of benchmark text, which a build server may cache or git may have: the
// run of a commit is HASH.txt, with a digest behind HASH for one of a second machine class or of other
// benchmarks, and baseline:NAME is the file NAME.txt.
type Folder struct {
	Dir string
	Say func(format string, args ...any)
	Env runner.Env
}

// IsRecorded reports whether a SOURCE means a kept run: latest, run:N, baseline:NAME or
// commit:HASH.
func IsRecorded(source string) bool {
	kind, _, found := strings.Cut(source, ":")
	return source == "latest" || found && (kind == "run" || kind == "baseline" || kind == "commit")
}

// Place returns what the folder is to people.
func (f *Folder) Place() string { return "the folder --db" }

// Run reads the run that commit:HASH or baseline:NAME means.
func (f *Folder) Run(_ context.Context, source string) (*bench.Run, error) {
	kind, name, _ := strings.Cut(source, ":")
	if kind != "commit" && kind != "baseline" || name == "" || strings.ContainsAny(name, `/\*?[`) {
		return nil, cmdline.Usage(fmt.Errorf("%s: expected a file, -, commit:HASH or baseline:NAME (runs in a folder of text files have no numbers)", source))
	}
	if kind == "commit" {
		name += "*"
	}
	found, err := filepath.Glob(filepath.Join(f.Dir, name+".txt"))
	slices.SortStableFunc(found, func(a, b string) int { return len(a) - len(b) }) // the first class before others
	if of := len(found); of > 1 && !slices.ContainsFunc(found, func(file string) bool {
		return !strings.HasPrefix(file, strings.TrimSuffix(found[0], ".txt")+"-") && file != found[0]
	}) {
		f.Say("%s: %s, and %d of other machine classes or benchmarks, such as commit:%s", source, found[0], of-1, strings.TrimSuffix(filepath.Base(found[1]), ".txt"))
		found = found[:1]
	}
	if err != nil || len(found) != 1 {
		return nil, cmdline.Usage(errors.Join(err, fmt.Errorf("%s: expected one file %s, got %d: %s", source, filepath.Join(f.Dir, name+".txt"), len(found), strings.Join(found[:min(5, len(found))], " "))))
	}
	return f.read(found[0])
}

func (f *Folder) read(file string) (*bench.Run, error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, cmdline.Usage(err)
	}
	defer in.Close()
	run, err := bench.Read(in, file, bench.ReadOptions{})
	return run, cmdline.Usage(err)
}

// Old reads such a run; nothing is accepted later in a folder.
func (f *Folder) Old(ctx context.Context, source string) (*bench.Run, error) {
	return f.Run(ctx, source)
}

// Before reads the complete runs of commits of a machine class, unless that is empty, up to one of all
// benchmarks, and returns the baseline of a run among them, nil for none.
func (f *Folder) Before(_ context.Context, of *bench.Run, commits []string, machine string) (*bench.Run, error) {
	var runs []*bench.Run
find:
	for _, commit := range commits {
		files, _ := filepath.Glob(filepath.Join(f.Dir, commit+"*.txt"))
		slices.SortStableFunc(files, func(a, b string) int { return len(a) - len(b) })
		var selected []*bench.Run
		for _, file := range files {
			run, err := f.read(file)
			if err != nil {
				f.Say("left out: %v", err)
				continue
			}
			if len(run.Incomplete()) > 0 || run.Part || !run.Whole && !run.Ended || machine != "" && run.Machine() != machine {
				continue
			}
			if !run.Selected {
				runs = append(runs, run)
				break find
			}
			selected = append(selected, run)
		}
		for i, run := range selected {
			if !slices.ContainsFunc(selected[:i], func(r *bench.Run) bool { return r.Machine() == run.Machine() }) {
				runs = append(runs, bench.Joined(run, selected[i+1:]...))
			}
		}
	}
	if len(runs) == 0 {
		return nil, nil
	}
	run := runs[of.Baseline(runs, machine == "")]
	f.Say("comparing with %s", run.Name)
	return run, nil
}

// Record writes the base and the head.
func (f *Folder) Record(ctx context.Context, o runner.Options, d *runner.Decided, branch string) error {
	repo, head := runner.Repo{Dir: o.Dir}, d.Result.HeadCommit
	if head == "" {
		dirty, err := repo.Dirty(ctx)
		if err == nil && !dirty {
			head, err = repo.Commit(ctx, "HEAD")
		}
		if err != nil {
			return err
		}
	}
	if head == "" {
		f.Say("head: not kept, since it has uncommitted changes")
	}
	branch = cmp.Or(branch, repo.BuiltBranch(ctx, repo.DefaultBranch(ctx, f.Env), f.Env))
	return errors.Join(f.write("base", d.Result.BaseCommit, "", d.Sides["base"]), f.write("head", head, branch, d.Sides["head"]))
}

// Fill writes the commits of a range.
func (f *Folder) Fill(_ context.Context, _ runner.Options, past []runner.Past, read func(text, name string) (*bench.Run, error)) error {
	for _, p := range past {
		if p.Text == "" {
			continue
		}
		run, err := read(p.Text, p.Commit[:10])
		if err == nil {
			err = f.write(p.Commit[:10], p.Commit, "", run)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// write writes a run, with its machine class where the text says another.
func (f *Folder) write(name, commit, branch string, run *bench.Run) error {
	if run == nil || commit == "" {
		return nil
	}
	head := "commit: " + commit + "\n"
	if branch != "" {
		head += "branch: " + branch + "\n"
	}
	if machine := run.Machine(); machine != "" {
		head += "machine-class: " + machine + "\n"
	}
	var file string
	var kept *bench.Run
	var err error
	for _, of := range []string{"", run.Machine(), run.Machine() + "\n" + strings.Join(run.Benchmarks(), "\n")} {
		file = filepath.Join(f.Dir, commit+".txt")
		if of != "" { // a commit has a file for each machine class, and for each of several selections
			sum := sha256.Sum256([]byte(of))
			file = filepath.Join(f.Dir, commit+"-"+hex.EncodeToString(sum[:4])+".txt")
		}
		if kept, err = f.read(file); err != nil || kept.Machine() == run.Machine() && !apart(kept, run) {
			break
		}
	}
	if err == nil && fuller(kept, run) {
		f.Say("%s: %s stays, since it has more", name, file)
		return nil
	}
	err = errors.Join(os.MkdirAll(f.Dir, 0o755), bench.WriteFile(file, []byte(head+run.Raw)))
	if err == nil {
		f.Say("%s: recorded as %s", name, file)
	}
	return err
}

// apart reports whether each of two runs has benchmarks that the other one lacks, and the kept one is
// a baseline.
func apart(kept, run *bench.Run) bool {
	all, shared := kept.Shared(run)
	return shared < all && shared < len(run.Benchmarks()) && len(kept.Incomplete()) == 0 && !kept.Part
}

// fuller reports whether a kept run is a baseline for a benchmark for which a new one is none.
func fuller(kept, run *bench.Run) bool {
	if len(kept.Incomplete()) > 0 || kept.Part {
		return false
	}
	if run.Part || len(run.Incomplete()) > 0 || run.Selected && !kept.Selected {
		return true
	}
	all, shared := kept.Shared(run)
	return shared < all
}
