package service

import (
	"sakusen/tuner/export"
)

// AskHelp is what the command ask says of itself.
const AskHelp = `Hands out games for somebody else to play: a cluster, another program, a person.
The study file declares the parameters of a program that is never run here:

  game: external
  tune:
    strategy: bot
    declare:
      - {name: depth, kind: int, low: 1, high: 9, default: 3}
  baseline: bot

STUDY is such a file, which begins the study, or the name of one that has begun.
Each line of output is one parameter set with blocks of games to play, as JSON:
entrants with their parameters, games (by seat, which entrant sits there), blocks
with their seeds, and the phase. Play every game of every block with its seed, and
give the results to sakusen tell.

What is handed out waits for its results for ever, whatever restarts; --again hands
it out once more, and --deadline lets it go to others after some time. Whoever tells
first is believed.

With the verdict comes a last line {"done": ...}, as sakusen tune --json prints it.
Exit code: 0 games to play, 4 none until open ones are told; with the verdict 0 pass,
1 fail, 3 inconclusive. docs/asktell.md has an example.`

// TellHelp is what the command tell says of itself.
const TellHelp = `Takes results of games that sakusen ask handed out, one block a line, from FILE or
standard input:

  {"ask": 1, "block": 0, "params": [{"depth": 4}, {"depth": 3}],
   "games": [{"ranks": [1, 2]}, {"ranks": [2, 1]}]}

params are those that were played, by entrant, and must be the ones asked for. games
are in the order of the ask; each says by seat who was best ({"ranks": [1, 2]}, equal
ranks are a draw, or {"scores": [3, 4.5]}), with "errors" and "metrics" where there
are some. "worker" may name who played.

All lines are kept, or none: results of an ask that is not open, told twice, of other
parameters or impossible are refused, each with its line. The search goes on by
itself when all that is open has been told.
Exit code: 0 kept, 2 refused.`

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
