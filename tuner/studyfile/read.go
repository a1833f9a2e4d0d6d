// Package studyfile reads study files: YAML that people write, in, and out a
// tuner.Setup with every default filled in, or all mistakes with their lines.
// Defaults that hang on the game, the sampler or the budget are settled here;
// docs/studies.md gives their reasons.
//
//	setup, err := studyfile.Read("mp.yaml", text, games, sampler.Kinds{})
//
// The flow: tuner/studyfile/yamlfile parses, each file here reads one block of the format,
// and tuner.Prepare opens what came out, as it opens a spec from a database.
package studyfile

import (
	"fmt"
	"strconv"

	"sakusen/engines/arena"
	"sakusen/tuner"
	"sakusen/tuner/studyfile/yamlfile"
)

// version is the version of the study file format that this program reads.
const version = 1

// Read reads and checks a study file. All mistakes are in the error, each a
// *yamlfile.Error with its line and column; with a mistake the setup is nil.
func Read(file string, text []byte, games arena.Catalogue, samplers Samplers) (*tuner.Setup, error) {
	return ReadScaled(file, text, games, samplers, nil)
}

// ReadScaled is Read with the defaults scaled to another budget than the file's:
// that with which the study was begun, where only the budget has grown since.
func ReadScaled(file string, text []byte, games arena.Catalogue, samplers Samplers, scale *tuner.Budget) (*tuner.Setup, error) {
	return ReadDocument(yamlfile.Read(file, text), games, samplers, scale)
}

// ReadDocument is ReadScaled of a file that has been parsed.
func ReadDocument(d *yamlfile.Document, games arena.Catalogue, samplers Samplers, scale *tuner.Budget) (*tuner.Setup, error) {
	s, declared := readDraft(d, games, samplers, scale, 0)
	if d.Mistakes() == 0 {
		s.checkBudget(d.Root, func(budget int64) (*draft, bool) {
			again := d.Again()
			s, _ := readDraft(again, games, samplers, scale, budget)
			return s, again.Mistakes() == 0
		})
		s.boundTrials(d.Root)
	}
	if err := d.Err(); err != nil {
		return nil, err
	}
	setup, err := tuner.Prepare(s.Spec, declared)
	if err == nil {
		setup.Warnings = s.Warnings
	}
	return setup, err
}

// readDraft reads the whole file, with other games than its budget's unless budget is 0,
// and returns the games with those that the file declares.
func readDraft(d *yamlfile.Document, games arena.Catalogue, samplers Samplers, scale *tuner.Budget, budget int64) (*draft, arena.Catalogue) {
	m := d.Root
	s := &draft{Setup: &tuner.Setup{Spec: &tuner.Spec{}}}
	if m.Require("version", "version: 1") {
		s.Version = int(m.Integer("version", version, version, version))
	}
	s.Name = m.Name()
	s.Doc = m.Text("doc", "")
	games, sound := s.readDeclared(m, games)
	if !sound {
		m.Take("game") // which the declaration makes
		m.Take("rules")
	} else if s.Ruleset = m.Rules(games); s.Ruleset != nil {
		s.Game, s.Rules = s.Ruleset.Game.Name, s.Ruleset.Rules
	}
	m.Take("engines") // programs that whoever runs the file has opened, or not
	s.readTune(m)
	s.readOpponents(m)
	s.readEvaluate(m)
	s.readObjective(m)
	s.checkPool(m)
	s.checkDuels(m)
	s.readBudget(m)
	if budget > 0 {
		s.Budget.Games = budget
	}
	s.scale = s.Budget
	if scale != nil {
		s.scale = *scale
		if !d.Mapping(m.Take("budget"), "budget").Has("trials") {
			// The number of trials that boundTrials computed had no part in the
			// choice of the sampler.
			s.scale.Trials = s.Budget.Trials
		}
	}
	s.readSampler(m, samplers)
	s.readRace(m)
	s.readFinal(m)
	s.readValidation(m)
	s.readBegin(m)
	m.Done()
	return s, games
}

// mostPool bounds the pool, as a tournament bounds its entrants: every candidate
// meets every one of them.
const mostPool = 256

// readOpponents reads the baseline and the pool.
func (s *draft) readOpponents(m *yamlfile.Mapping) {
	if n := m.Take("baseline"); n != nil && s.Ruleset != nil {
		if e, ok := m.Doc.Entrant(s.Ruleset, n, "baseline"); ok {
			s.BaselineEntrant, s.Baseline = e, e.Canonical()
		}
	}
	pool := m.Nodes("pool")
	if len(pool) > mostPool {
		m.Fail("pool", fmt.Sprintf("at most %d entrants", mostPool), strconv.Itoa(len(pool)))
		return
	}
	for i, n := range pool {
		if s.Ruleset == nil {
			break
		}
		if e, ok := m.Doc.Entrant(s.Ruleset, n, fmt.Sprintf("pool[%d]", i)); ok {
			s.PoolEntrants = append(s.PoolEntrants, e)
			s.Pool = append(s.Pool, e.Canonical())
		}
	}
}
