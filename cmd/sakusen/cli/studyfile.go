package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"sakusen/engines/arena"
	"sakusen/engines/param"
	"sakusen/engines/plain"
	"sakusen/studies"
	"sakusen/tuner"
	"sakusen/tuner/export"
	"sakusen/tuner/service"
	"sakusen/tuner/store"
	"sakusen/tuner/studyfile"
	"sakusen/tuner/studyfile/yamlfile"
	"sakusen/tuner/view"
	"sakusen/tuner/web/api"
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
func (a fileCommands) findStudy(arg string) (studyFile, error) {
	if strings.ContainsAny(arg, `/\`) || strings.HasSuffix(arg, ".yaml") || strings.HasSuffix(arg, ".yml") {
		text, err := plain.ReadFile(arg, plain.MostText)
		if err != nil {
			return studyFile{}, usage(fmt.Errorf("study file: %w", err))
		}
		return a.settled(arg, text)
	}
	path := filepath.Join(a.settings.Text("studies_dir"), arg+".yaml")
	text, err := plain.ReadFile(path, plain.MostText)
	if err == nil {
		return a.settled(path, text)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return studyFile{}, usage(fmt.Errorf("study file: %w", err))
	}
	if text, err = studies.Read(arg); err != nil {
		return studyFile{}, usage(unknownStudy{fmt.Errorf("there is no %s, and %w", path, err)})
	}
	return studyFile{name: arg + ".yaml", text: text}, nil
}

// unknownStudy is the error of a name that no file has, on disk or in the program.
type unknownStudy struct{ error }

// storedFile returns the file of a study of the database, as it was when the study began or grew.
func (a databaseCommands) storedFile(ctx context.Context, name string) (studyFile, bool) {
	s, end, err := a.reading(ctx)
	if err != nil {
		return studyFile{}, false
	}
	defer end()
	d, err := s.Store().Studies.Details(ctx, name)
	if err != nil {
		return studyFile{}, false
	}
	source, err := s.Store().Study(d.ID).Source(ctx)
	return studyFile{name: source.Name, text: []byte(source.Text), dir: "."}, err == nil && source.Text != ""
}

// settled returns a study file on disk with the content of the files that it names.
func (a fileCommands) settled(name string, text []byte) (studyFile, error) {
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
	if err == nil {
		a.tellUntuned(s)
	}
	return s, usage(err)
}

// tellUntuned returns which parameters of a program are missing from a study of all of them, since
// they are not understood.
func (a *app) tellUntuned(s *tuner.Setup) {
	if a.engines == nil {
		return
	}
	info, err := a.engines.Describe(s.Tune.Strategy)
	if err != nil || info.LeftOut.Count() == 0 || len(s.Tune.Params)+len(s.Tune.Fix) < len(info.Params)+len(info.Fields) {
		return
	}
	a.tellOnce(fmt.Sprintf("warning: engine %s: not tuned, as it is not understood: %s", info.Name, strings.Join(info.LeftOut.Lines(3), "; ")))
}

// source returns the file as the database stores it; nothing is stored if another seed than the file's is used.
func (f studyFile) source() store.Source {
	if f.seed != nil {
		return store.Source{}
	}
	return store.Source{Name: filepath.Base(f.name), Text: string(f.text)}
}

// catalogueOf returns the catalogue for files of the user in a folder, "." for a command
// line: their rules may name files relative to it. Embedded files, and what came through
// the API, have no folder and cannot name files.
func (a *app) catalogueOf(folder string) arena.Catalogue {
	if folder == "" || a.readIn == nil {
		return a.catalogue
	}
	return a.catalogue.Reading(arena.Files{Read: a.readIn(folder), Tell: a.tellOnce})
}

// tellOnce prints a note only once, although it is found each time a file is read.
func (a *app) tellOnce(note string) {
	if !slices.Contains(a.notes, note) {
		a.notes = append(a.notes, note)
		a.say("%s", note)
	}
}

// settleFiles puts what a file holds where a rule of a file in a folder names one
// by its path.
func (a *app) settleFiles(text []byte, folder string) []byte {
	return studyfile.SettleFiles(text, a.catalogue, a.catalogueOf(folder))
}

// parseRules reads the values of repeated flags --rules name=value.
func parseRules(texts []string) (param.Values, error) {
	var values param.Values
	for _, t := range texts {
		name, value, ok := strings.Cut(t, "=")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, fmt.Errorf("--rules: expected name=value, got %q", t)
		}
		values = append(values, param.Value{Name: strings.TrimSpace(name), Text: strings.TrimSpace(value)})
	}
	return values, nil
}

// commands returns the commands about study files, and about points for studies.
func (a fileCommands) commands() []command {
	return []command{
		{
			use: "check STUDY", short: "Print what a study would do, how long it takes and which gain it can prove, without running it", do: a.check,
			long: `Prints what a study would do: its settings with every default filled in, the
size of the space, the number of games and about how long they take, and the gain that can
be proved. STUDY is a file, or the name of an embedded study or of one in the database. A
few games are played to measure their speed; nothing is stored. Exit code: 2 with all
mistakes of the file.`,
		},
		{
			use: "new [GAME] STRATEGY", short: "Print a study file to begin with: every parameter of a strategy or an engine, with its range", bind: a.template,
			long: `Prints a study file to begin with. For a GAME and a STRATEGY the file has every
parameter with its range. A chess engine (a UCI program, or the name of one in
config.yaml or the store) is given alone; the file then has the four options that change
the most moves in a number of positions, with ranges around their defaults, and tells which
are left out and why: settings (hash, threads, times, books, logs and the like), options
without an effect and, if the engine does not play by nodes, options of the search. The
file's limit is one under which the engine plays without faults, and moves within a few
milliseconds; its budget is the games of 40 minutes at the speed of some that are played.`,
			example: "  sakusen study new battleship mp > mp.yaml\n  sakusen study new ./my-engine > my-engine.yaml\n  sakusen study check my-engine.yaml",
		},
		{use: "embedded [NAME]", former: []string{"studies"}, short: "List the studies that come with the program, or print the file of one", do: a.embedded},
		{
			use: "try STUDY NAME=VALUE...", short: "Add a point of your choice to a study that has not ended", long: service.TryHelp, do: a.study.try,
			example: "  sakusen study try mp-threshold start_squares=40",
		},
		{
			use: "keys [NAME]", short: "List the keys of a study file with their values and defaults, or describe one", do: a.keys,
			long: `Lists the keys of a study file, or describes one key and those below it: its
values, its default, and what it does. sampler.options has
the options of every sampler; "sakusen game strategies GAME" has the parameters for
tune.params and tune.fix.`,
			example: "  sakusen study keys validation\n  sakusen study keys sampler.options",
		},
		{
			use: "schema", short: "Print the JSON Schema of study files, by which editors complete and check them", do: a.schema,
			example: "  sakusen study schema > study.schema.json",
		},
	}
}

// embedded lists the embedded studies, or prints the file of one.
func (a fileCommands) embedded(_ context.Context, args []string) error {
	if len(args) == 0 {
		list := service.EmbeddedStudies()
		return a.print(map[string]any{"studies": list}, func(w io.Writer) error { return view.Embedded(w, list) })
	}
	text, err := studies.Read(args[0])
	if err != nil {
		return usage(err)
	}
	return a.print(map[string]string{"study": args[0], "file": string(text)}, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// keys lists the keys of a study file, or tells all of one and of those below it.
func (a fileCommands) keys(_ context.Context, args []string) error {
	keys, err := studyfile.Describe(strings.Join(args, ""), a.samplers)
	if err != nil {
		return usage(err)
	}
	return a.print(map[string]any{"keys": keys}, func(w io.Writer) error {
		if len(args) == 0 {
			return view.Table(w, func(line func(cells ...any)) {
				for _, k := range keys {
					line(k.Path, k.Values+"; default: "+k.Default)
				}
			})
		}
		return a.printKeys(w, keys)
	})
}

// schema prints the JSON Schema of study files.
func (a fileCommands) schema(context.Context, []string) error {
	text, err := studyfile.Schema(a.samplers)
	if err == nil {
		_, err = a.out.Write(text)
	}
	return err
}

func (a fileCommands) check(ctx context.Context, args []string) error {
	var kept *store.Store
	if a.database.databaseExists() {
		s, end, err := a.database.reading(ctx)
		if err != nil {
			return err
		}
		defer end()
		kept = s.Store()
	}
	setup, err := a.checked(ctx, kept, args[0])
	if err != nil {
		return err
	}
	for _, name := range setup.Strategies() {
		if setup.Ruleset.Game.Outside(name) { // a program may not keep the limit
			if _, err := setup.Ruleset.Signature(ctx, name); err != nil {
				return err
			}
		}
	}
	c, err := service.CheckStudy(ctx, kept, a.samplers, setup, a.pool(), func(done, of int) {
		a.wait.Step(setup.Tune.Strategy+" with the ends of its ranges", done, of)
	})
	a.wait.Step("", 0, 0)
	if err != nil {
		return err
	}
	return a.show(c, view.Check(c))
}

// checked returns a study of a file or, where there is none, of the database.
func (a fileCommands) checked(ctx context.Context, s *store.Store, name string) (*tuner.Setup, error) {
	file, err := a.findStudy(name)
	if err != nil {
		if setup, ok := service.StoredSetup(ctx, s, name, a.catalogue); ok {
			return setup, nil
		}
		return nil, err
	}
	if err := a.engine.studyEngines(file, nil, ""); err != nil {
		return nil, usage(err)
	}
	return file.spec(a.app, nil)
}

func (a studyCommands) try(ctx context.Context, args []string) error {
	name, values := args[0], args[1:]
	point := studyfile.ParsePoint(strings.Join(values, ","))
	given, in := &service.TryPoint{}, &api.Trying{OfStudy: api.OfStudy{Study: name}}
	in.Body.Point = map[string]any{}
	for _, v := range point {
		in.Body.Point[v.Name] = v.Text
	}
	err := a.link.atDatabase(ctx,
		func(s *service.Service) (err error) {
			given, err = s.Studies().Try(ctx, name, point)
			return a.database.unnamed(err)
		},
		there(ctx, api.V1.TryPoint, in, given))
	if err != nil {
		return err
	}
	return a.told(given, "study %s: tries this point in its next batch", name)
}

// printKeys prints the full description of some keys, and of the options of samplers where they are among them.
func (a fileCommands) printKeys(w io.Writer, keys []yamlfile.Key) error {
	var b strings.Builder
	for _, k := range keys {
		fmt.Fprintf(&b, "%s: %s; default: %s\n  %s\n", k.Path, k.Values, k.Default, plain.Wrap(k.Doc, "  ", plain.Width))
		if k.When != "" {
			fmt.Fprintf(&b, "  Only with %s.\n", k.When)
		}
		if k.Path != "sampler.options" {
			continue
		}
		for _, name := range a.samplers.Names() {
			for _, o := range a.samplers.Options(name) {
				fmt.Fprintf(&b, "  %s, %s: default: %s\n    %s\n", name, o.Name, o.Default, plain.Wrap(o.Doc, "    ", plain.Width))
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
