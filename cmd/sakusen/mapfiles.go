package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"sakusen/engines/arena"
	"sakusen/strategies"
)

// maxMapFile bounds a file that rules name, in bytes; the largest map there can
// be takes a hundredth of it.
const maxMapFile = 1 << 20

// gamesIn is the catalogue whose rules may name files, seen from a folder: that
// of a study file, or the working directory for a command line.
func gamesIn(dir string) arena.Catalogue {
	return strategies.CatalogueReading(func(path string) ([]byte, error) {
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		data, err := io.ReadAll(io.LimitReader(f, maxMapFile+1))
		if err == nil && len(data) > maxMapFile {
			err = fmt.Errorf("%s is larger than %d bytes", path, maxMapFile)
		}
		return data, err
	})
}

// catalogueOf is the catalogue for a file of the user's: its rules name files
// relative to it. An embedded file has no folder and names none.
func (a *app) catalogueOf(folder string) arena.Catalogue {
	if folder == "" || a.catalogueIn == nil {
		return a.catalogue
	}
	return a.catalogueIn(folder)
}
