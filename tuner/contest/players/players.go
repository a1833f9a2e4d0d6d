// Package players makes engines, programs of other people, players of the games of
// a catalogue: those of the settings, of a study file and of a command line.
//
//	registered, games, err := players.Open(games, 0, []string{"toga=toga2"}, settings.Engines, nil)
//	defer registered.Close()
package players

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"sakusen/bench/enginespeed"
	"sakusen/engines/arena"
	"sakusen/engines/arena/catalogue"
	"sakusen/engines/chess"
	"sakusen/engines/external"
	"sakusen/engines/param"
	"sakusen/engines/plain"
	"sakusen/tuner/config"
	"sakusen/tuner/contest"
)

// Open joins engines to the games that they play: those given as
// NAME=PROGRAM [ARGUMENT...], which go before, and those of files and settings, of
// which the first of a name counts; packages are those of a store, which come last. memory is what
// the processes of all engines may hold together, bytes. Nothing is started, and games itself is
// not changed.
func Open(games catalogue.Games, memory int64, given []string, engines []config.Engine, packages []external.Entry) (*external.Engines, catalogue.Games, error) {
	var entries []external.Entry
	for _, text := range given {
		name, command, ok := strings.Cut(text, "=")
		if !ok {
			return nil, games, fmt.Errorf("--engine: expected NAME=PROGRAM [ARGUMENT...], got %q", text)
		}
		entries = append(entries, external.Entry{Name: name, Command: plain.Command(command)})
	}
	for _, e := range engines {
		if !slices.ContainsFunc(entries, func(x external.Entry) bool { return x.Name == e.Name }) {
			entries = append(entries, entryOf(e))
		}
	}
	registered, err := external.Open(entries)
	if err == nil {
		_, err = registered.Replace(packages)
	}
	if err == nil {
		err = registered.SetMemory(memory)
	}
	if err != nil || len(entries)+len(packages) == 0 {
		return registered, games, err
	}
	games, err = Join(games, registered)
	return registered, games, err
}

// Join joins registered engines to the games that they play; games itself is not changed.
func Join(games catalogue.Games, registered *external.Engines) (catalogue.Games, error) {
	joined := slices.Clone(games)
	var err error
	for i := range joined {
		if joined[i].Game, err = registered.Joined(joined[i].Game); err != nil {
			return games, err
		}
	}
	for _, g := range []*arena.Game{registered.External(), registered.Go(), registered.UGI()} {
		if g != nil {
			joined = append(joined, catalogue.Game{Game: g})
		}
	}
	return joined, nil
}

// OfFile reads the engines of a file, which has to have some.
func OfFile(file string) ([]config.Engine, error) {
	text, err := plain.ReadFile(file, plain.MostText)
	if err != nil {
		return nil, err
	}
	engines, err := config.EnginesOf(file, text)
	if err == nil && len(engines) == 0 {
		err = fmt.Errorf("%s: expected the key engines, got none", file)
	}
	return engines, err
}

// OfStudy reads the engines that a study file brings itself. Only one on disk may,
// in a folder; their programs may stand beside it.
func OfStudy(file string, text []byte, folder string) ([]config.Engine, error) {
	if folder == "" {
		return nil, nil
	}
	engines, err := config.EnginesOf(file, text)
	for i := range engines {
		if engines[i].Directory == "" {
			engines[i].Directory = folder
		}
	}
	return engines, err
}

// entryOf returns an engine of the settings as it is registered.
func entryOf(e config.Engine) external.Entry {
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	out := external.Entry{
		Name: e.Name, Protocol: e.Protocol, Command: e.Command, Directory: e.Directory, Environment: e.Environment, Fresh: e.Fresh, Recorded: e.Recorded,
		Memory: e.Memory << 20, Files: e.Files, Metrics: e.Metrics, Setup: e.Setup, Game: e.Game, ClearHash: e.ClearHash,
		Deadlines: external.Deadlines{Start: seconds(e.Deadlines.Start), Ready: seconds(e.Deadlines.Ready), Move: seconds(e.Deadlines.Move), Stop: seconds(e.Deadlines.Stop)},
	}
	for _, p := range e.Params {
		out.Params = append(out.Params, param.Declared{Name: p.Name, Kind: p.Kind, Doc: p.Doc, Default: param.Text(p.Default), Low: p.Low, High: p.High, Step: p.Step, Log: p.Log, Choices: p.Choices})
	}
	for _, o := range e.Options {
		out.Options = append(out.Options, external.Setting(o))
	}
	return out
}

// namedProgram is NAME=PROGRAM [ARGUMENT...].
var namedProgram = regexp.MustCompile(`^([a-z0-9._-]+)=(.+)$`)

// Builds reads two builds of an engine: each is a registered engine, with values
// for options in parentheses or without, NAME=PROGRAM with its arguments, or a
// program alone, which is then named by its role, old or new. What is not
// registered is given, as NAME=PROGRAM, to be opened; entrants are the texts of
// both.
func Builds(registered []config.Engine, before, after string) (given []string, entrants [2]string) {
	for i, text := range []string{before, after} {
		name, _, _ := strings.Cut(text, "(")
		if slices.ContainsFunc(registered, func(e config.Engine) bool { return e.Name == name }) {
			entrants[i] = text
			continue
		}
		name, command := []string{"old", "new"}[i], text
		if m := namedProgram.FindStringSubmatch(text); m != nil {
			name, command = m[1], m[2]
		}
		given, entrants[i] = append(given, name+"="+strings.TrimSpace(command)), name
	}
	return given, entrants
}

// Prepare starts both builds of a match of the new one against the old one to see
// what they are, and says in speed how they search. If they are one program with
// the same options, there is nothing to play.
func Prepare(registered *external.Engines, m *contest.Match, speed *enginespeed.Options) error {
	order := [2]int{1, 0} // of old and new among the entrants
	var infos [2]*external.Info
	var names [2]string
	for i, e := range order {
		names[i] = m.Series.Entrants[e].Strategy
		var err error
		if infos[i], err = registered.Describe(names[i]); err != nil {
			return err
		}
		speed.Wall = speed.Wall || infos[i].Threads > 1
	}
	if e := m.Series.Entrants; infos[0].Identity == infos[1].Identity && e[0].Params.String() == e[1].Params.String() {
		e[0].Strategy = e[1].Strategy
	}
	speed.Start = func(i int) (enginespeed.Searcher, error) {
		return registered.Searcher(names[i], m.Series.Entrants[order[i]].Params, enginespeed.Patience)
	}
	return nil
}

// KeptGames is the games of a match of chess in a PGN file. Each is appended when it
// ends, so that a match which is killed loses none; at the end the file is put in order.
// A match that goes on keeps those of its games that the file holds.
type KeptGames struct {
	path   string
	series arena.Series
	games  chess.Games
	mu     sync.Mutex
	file   *os.File
	failed error
}

// KeepGames opens the file of a match that is about to be played, which it watches.
func KeepGames(path string, s *arena.Series) (*KeptGames, error) {
	k := &KeptGames{path: path}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %d\n", s.Ruleset.Hash(), s.Seed)
	for _, e := range s.Entrants {
		fmt.Fprintln(sum, e.Canonical())
	}
	k.games.Match = fmt.Sprintf("%x", sum.Sum(nil)[:8])
	k.games.Ended = k.append
	k.games.Of(s)
	k.series = *s
	text, err := plain.ReadFile(path, 1<<30)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if foreign := k.games.Read(string(text)); foreign > 0 {
		return nil, fmt.Errorf("%s: expected no file, or games of this match, got %d others: give another name", path, foreign)
	}
	k.file, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	return k, err
}

// append writes a game that has ended.
func (k *KeptGames) append(text string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, err := k.file.WriteString(text); err != nil && k.failed == nil {
		k.failed = err
	}
}

// Finish plays the games of the first blocks again that were taken from a database,
// where they can be, and writes all in order. missing is how many blocks have no games.
func (k *KeptGames) Finish(ctx context.Context, host arena.Host, blocks int64, again bool) (missing int64, err error) {
	for b := int64(0); b < blocks && ctx.Err() == nil; b++ {
		if k.games.Has(b) {
			continue
		}
		if !again {
			missing++
			continue
		}
		s := k.series
		s.From, s.To = b, b+1
		if _, err := host.Play(ctx, s, nil); err != nil {
			return 0, err
		}
	}
	if err := errors.Join(k.file.Close(), k.failed, ctx.Err()); err != nil {
		return missing, err
	}
	return missing, plain.WriteFile(k.path, func(w io.Writer) error { return k.games.Write(w, blocks) })
}

// Missing reports for people that blocks have no games.
func Missing(blocks int64) string {
	return fmt.Sprintf("%d blocks were played before without this file: their games are not kept and cannot be played again", blocks)
}
