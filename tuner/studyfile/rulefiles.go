package studyfile

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
)

// maxRuleFile bounds a file that rules name, bytes; the largest map of TUBSTAP
// takes a hundredth of it.
const maxRuleFile = 1 << 20

// FilesIn reads the files that rules name, seen from a folder: that of a study
// file, or the working directory for a command line.
func FilesIn(folder string) func(path string) ([]byte, error) {
	return func(path string) ([]byte, error) {
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		data, err := io.ReadAll(io.LimitReader(f, maxRuleFile+1))
		if err == nil && len(data) > maxRuleFile {
			err = fmt.Errorf("%s is larger than %d bytes", path, maxRuleFile)
		}
		return data, err
	}
}

// gameLine is the line of a study or tournament file that names the game, and
// ruleLines a rule in its usual forms: on one line or on two, with quotes or
// without.
var (
	gameLine  = regexp.MustCompile(`(?m)^game:[ ]*["']?([a-z0-9-]+)`)
	ruleLines = regexp.MustCompile(`(name:[ ]*["']?([a-zA-Z0-9_.-]+)["']?[ ]*(?:,|\n)[ ]*value:[ ]*)("[^"\n]+"|'[^'\n]+'|[^"',}\n]+)`)
)

// SettleFiles replaces each path of a file in the rules of a study file by the file's
// content, so that the text means the same wherever it is sent or stored. What cannot be
// read is reported by the reader of the study file.
func SettleFiles(text []byte, plain, reading arena.Catalogue) []byte {
	line := gameLine.FindSubmatch(text)
	if line == nil {
		return text
	}
	name := string(line[1])
	read, err := reading.Game(name)
	if err != nil {
		return text
	}
	unread, err := plain.Game(name)
	if err != nil {
		return text
	}
	return ruleLines.ReplaceAllFunc(text, func(rule []byte) []byte {
		parts := ruleLines.FindSubmatch(rule)
		given := param.Value{Name: string(parts[2]), Text: strings.Trim(strings.TrimSpace(string(parts[3])), `"'`)}
		if _, errs := unread.Open(param.Values{given}); len(errs) == 0 {
			return rule // it names no file
		}
		rs, errs := read.Open(param.Values{given})
		if len(errs) > 0 {
			return rule
		}
		canonical, _ := rs.Rules.Get(given.Name)
		return fmt.Appendf(nil, "%s'%s'", parts[1], strings.ReplaceAll(canonical, "'", "''"))
	})
}
