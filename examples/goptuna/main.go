// Command goptuna opens a database of Sakusen's with goptuna's own API: it prints
// the best trial and all trials of a study that Sakusen has tuned, and adds a
// trial to a study of its own in the same file.
//
//	go run . sakusen.db mp-threshold
//
// While a daemon or a command writes the database, open it with
// goptunadb.OpenReadOnly and leave the second part out.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/c-bata/goptuna"

	"sakusen/tuner/store/goptunadb"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: goptuna DATABASE STUDY")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Stdout, os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "goptuna:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, path, name string) (err error) {
	s, err := goptunadb.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := show(w, s, name); err != nil {
		return err
	}
	return add(w, s, name+"-by-hand")
}

// show prints a study's best trial, and all of them.
func show(w io.Writer, s goptuna.Storage, name string) error {
	study, err := goptuna.LoadStudy(name, goptuna.StudyOptionStorage(s))
	if err != nil {
		return err
	}
	best, err := s.GetBestTrial(study.ID)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "best: trial %d with %.4f at %s\n", best.Number, best.Value, values(best))
	trials, err := study.GetTrials()
	if err != nil {
		return err
	}
	for _, t := range trials {
		fmt.Fprintf(w, "%4d %-8v %8.4f %s\n", t.Number, t.State, t.Value, values(t))
	}
	return nil
}

// values returns a trial's parameters in the order of their names.
func values(t goptuna.FrozenTrial) string {
	text := ""
	for _, name := range slices.Sorted(maps.Keys(t.Params)) {
		text += fmt.Sprintf("%s=%v ", name, t.Params[name])
	}
	return text
}

// add adds one trial to a study of the program's own, which it creates if need be.
func add(w io.Writer, s goptuna.Storage, name string) error {
	study, err := goptuna.CreateStudy(name, goptuna.StudyOptionStorage(s), goptuna.StudyOptionLoadIfExists(true),
		goptuna.StudyOptionDirection(goptuna.StudyDirectionMaximize), goptuna.StudyOptionLogger(nil),
		goptuna.StudyOptionSampler(goptuna.NewRandomSampler(goptuna.RandomSamplerOptionSeed(1))))
	if err != nil {
		return err
	}
	err = study.Optimize(func(t goptuna.Trial) (float64, error) {
		x, err := t.SuggestFloat("x", -1, 1)
		return 1 - x*x, err
	}, 1)
	if err != nil {
		return err
	}
	trials, err := study.GetTrials()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "study %s has %d trials\n", name, len(trials))
	return nil
}
