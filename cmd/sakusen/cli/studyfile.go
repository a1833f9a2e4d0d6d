package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"sakusen/engines/param"
	"sakusen/studies"
	"sakusen/tuner"
	"sakusen/tuner/export"
	"sakusen/tuner/store"
	"sakusen/tuner/studyfile"
)

// studyFile is a study file's name for messages and its text.
type studyFile struct {
	name string
	text []byte
	dir  string  // the folder of a file on disk, empty for an embedded one
	seed *uint64 // in place of the file's
}

// findStudy finds a study file: a path (it has a slash or ends in .yaml), a
// file of studies_dir by name, or an embedded study.
func (a studyCommands) findStudy(arg string) (studyFile, error) {
	if strings.ContainsAny(arg, `/\`) || strings.HasSuffix(arg, ".yaml") || strings.HasSuffix(arg, ".yml") {
		text, err := os.ReadFile(arg)
		if err != nil {
			return studyFile{}, usage(fmt.Errorf("study file: %w", err))
		}
		return a.settled(arg, text)
	}
	path := filepath.Join(a.settings.Text("studies_dir"), arg+".yaml")
	text, err := os.ReadFile(path)
	if err == nil {
		return a.settled(path, text)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return studyFile{}, usage(fmt.Errorf("study file: %w", err))
	}
	if text, err = studies.Read(arg); err != nil {
		return studyFile{}, usage(err)
	}
	return studyFile{name: arg + ".yaml", text: text}, nil
}

// settled is a study file on disk with the content of the files that it names.
func (a studyCommands) settled(name string, text []byte) (studyFile, error) {
	dir := filepath.Dir(name)
	text, err := studyfile.SettleFix(name, text, func(path, game, strategy string) (param.Values, error) {
		w, err := export.ReadFile(path, dir, game, strategy)
		if err != nil {
			return nil, err
		}
		return w.Params, nil
	})
	return studyFile{name: name, text: a.settleFiles(text, dir), dir: dir}, usage(err)
}

// spec reads the file. The defaults are those of the given budget, or of the file's own if
// scale is nil.
func (f studyFile) spec(a *app, scale *tuner.Budget) (*tuner.Setup, error) {
	s, err := studyfile.ReadScaled(f.name, f.text, a.catalogueOf(f.dir), a.samplers, scale)
	if err == nil && f.seed != nil {
		s.Sampler.Seed = *f.seed
	}
	return s, usage(err)
}

// source is the file as the database stores it; nothing is stored if another seed than the
// file's is used.
func (f studyFile) source() store.Source {
	if f.seed != nil {
		return store.Source{}
	}
	return store.Source{Name: filepath.Base(f.name), Text: string(f.text)}
}
