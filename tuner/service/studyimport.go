package service

import "sakusen/tuner/export"

// ImportHelp is what the command study import says of itself.
const ImportHelp = `Writes a study file from a file of another tuner, to standard output:

  name, int, 50, 0, 100, 5, 0.002    lines of OpenBench: name, int or float,
                                     value, min, max, c_end, r_end; fishtest's
                                     have no type
  {"P": {"value": 50, ...}}          config.json of weather-factory
  {"parameter_ranges": {...}}        JSON of chess-tuning-tools

With --engine NAME it is a study of chess that tunes the options of this engine of the
registry, against the values of the file; the JSON of chess-tuning-tools brings its
engines itself. Otherwise, and where a parameter is a real number, the games are played
elsewhere (sakusen ask --help). sakusen export writes results in the same forms.`

// ImportStudy is a study file made of another tuner's file. The name, unless given, is
// that of the file.
func ImportStudy(file string, text []byte, t export.Target) ([]byte, error) {
	if t.Name == "" {
		t.Name = export.StudyNameOf(file)
	}
	f, err := export.ReadForeign(file, text)
	if err != nil {
		return nil, Mistakes("the file has mistakes", err)
	}
	out, err := f.Study(t)
	return []byte(out), Wrap(Invalid, err)
}
