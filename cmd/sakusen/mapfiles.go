package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
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

// catalogueOf is the catalogue for what the user wrote in a folder: rules name
// files relative to it, "." for a command line. What has no folder, an embedded
// file or what came through the API, names none.
func (a *app) catalogueOf(folder string) arena.Catalogue {
	if folder == "" || a.catalogueIn == nil {
		return a.catalogue
	}
	return a.catalogueIn(folder)
}

// mapRule is a rule of a study file that names a map, in its usual forms: on one
// line or on two, with quotes or without.
var mapRule = regexp.MustCompile(`(name:[ ]*["']?map["']?[ ]*(?:,|\n)[ ]*value:[ ]*)("[^"\n]+"|'[^'\n]+'|[^"',}\n]+)`)

// tubstapStudy is a study file's game.
var tubstapStudy = regexp.MustCompile(`(?m)^game:[ ]*["']?tubstap\b`)

// settleMaps puts the map itself where a study file on disk names one by its
// path, so that the text says the same wherever it is sent or kept. What cannot
// be read is left for the reader of the file to explain.
func (a *app) settleMaps(text []byte, folder string) []byte {
	game, err := a.catalogueOf(folder).Game("tubstap")
	if err != nil || !tubstapStudy.Match(text) {
		return text
	}
	return mapRule.ReplaceAllFunc(text, func(rule []byte) []byte {
		parts := mapRule.FindSubmatch(rule)
		name := strings.Trim(strings.TrimSpace(string(parts[2])), `"'`)
		if !strings.ContainsAny(name, `/\`) && !strings.HasSuffix(name, ".tbsmap") {
			return rule
		}
		rs, errs := game.Open(param.Values{{Name: "map", Text: name}})
		if len(errs) > 0 {
			return rule
		}
		canonical, _ := rs.Rules.Get("map")
		return append(slices.Clone(parts[1]), "'"+canonical+"'"...)
	})
}
