package clitest

import (
	"os"
	"testing"
	"time"
)

// silentWhile is a variable that names a file: while it is there, a sampler that is asked
// never answers, and a file of that name with ".met" at its end says that one was asked.
const silentWhile = "SAKUSEN_TEST_SILENT"

// silent is the hook of a program whose samplers do not answer while a file is there.
func silent(file string) func(point string) {
	return func(point string) {
		if point != "sampler" {
			return
		}
		if _, err := os.Stat(file); err == nil {
			if err := os.WriteFile(file+".met", nil, 0o600); err != nil {
				panic(err)
			}
			select {}
		}
	}
}

// Silenced is a program whose samplers do not answer.
type Silenced struct {
	t    *testing.T
	file string
}

// Silence has samplers not answer from now on, by a file.
func Silence(t *testing.T, file string) *Silenced {
	t.Helper()
	s := &Silenced{t, file}
	s.Again()
	return s
}

// Variable is what the program's environment needs.
func (s *Silenced) Variable() string { return silentWhile + "=" + s.file }

// Await returns when a sampler was asked, and does not answer.
func (s *Silenced) Await() {
	for {
		if _, err := os.Stat(s.file + ".met"); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Over has those samplers answer that are asked from now on.
func (s *Silenced) Over() {
	s.t.Helper()
	for _, name := range []string{s.file, s.file + ".met"} {
		if err := os.Remove(name); err != nil {
			s.t.Fatal(err)
		}
	}
}

// Again has samplers not answer from now on.
func (s *Silenced) Again() {
	s.t.Helper()
	if err := os.WriteFile(s.file, nil, 0o600); err != nil {
		s.t.Fatal(err)
	}
}
