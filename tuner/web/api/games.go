package api

import "sakusen/tuner/web/films"

// games are the operations that show games.
type games struct {
	GetTrialGames Op[GamesPage, films.TrialGames] `GET:"/studies/{study}/trials/{number}/games" help:"What a trial has played: all its meetings, and the games of one of them, a page of blocks at a time."`
	WatchFilm     Op[StoredFilm, Stream]          `GET:"/films" type:"application/x-ndjson" refusal:"the game cannot be shown" help:"Shows a game that a study has played: it is played again and compared with the record. A fresh game can be asked for in the same way, with game, entrant (repeated), rule.NAME and seed." 200:"Lines of JSON: {\"film\": FilmHeader}, {\"frame\": FilmFrame} for each step as it is made, and {\"end\": FilmEnd} or {\"error\": text}."`
	MakeFilm      Op[FreshFilm, Stream]           `POST:"/films" role:"read" type:"application/x-ndjson" help:"Shows a fresh game, or one that a replay file holds. It ends when the asker leaves; two are played at once, and one asker more gets 429." 200:"Lines of JSON: {\"film\": FilmHeader}, {\"frame\": FilmFrame} for each step as it is made, and {\"end\": FilmEnd} or {\"error\": text}."`
}

// OfTrial names a trial of a study.
type OfTrial struct {
	OfStudy
	Number int `path:"number" what:"trial"`
}

// GamesPage asks for games of a trial.
type GamesPage struct {
	OfTrial
	Meeting *int   `query:"meeting" help:"The meeting whose games are listed, the first if absent."`
	Phase   string `query:"phase" schema:"Phase" help:"The first meeting of this phase, if there is one, where no meeting is named."`
	From    *int64 `query:"from" help:"The first block, the meeting's first if absent."`
	Result  string `query:"result" enum:"won,lost,drawn,fault" open:"true" help:"Only games that the trial won, lost or drew, or in which somebody made an illegal move; of at most 5 000 blocks from the first on."`
	Order   string `query:"order" most:"60" help:"A metric, the least first; with a hyphen before it, the most first. Absent, by blocks."`
	Limit   int    `query:"limit" min:"1" max:"1000" default:"25" help:"Blocks of a page, 25 if absent; games, with result or order."`
}

// Frames are those of a film that are wanted.
type Frames struct {
	From  int `query:"from" help:"The first frame."`
	Limit int `query:"limit" min:"1" max:"1073741824" default:"1073741824" help:"Frames at most, all if absent."`
}

// StoredFilm names a game as an address has it.
type StoredFilm struct {
	Study    string                `query:"study"`
	Trial    int                   `query:"trial" help:"The trial's number."`
	Phase    string                `query:"phase" schema:"Phase" help:"Tune if absent."`
	Opponent int                   `query:"opponent" max:"1048576" help:"Of several that were met on the same blocks, as the list of games says."`
	Instead  string                `query:"instead" enum:"baseline" open:"true" help:"baseline: the study's baseline sits in the trial's place, so that both games of one chance can be compared."`
	Block    int64                 `query:"block" help:"The block."`
	Rotation int                   `query:"rotation" max:"64" help:"The rotation in it."`
	Game     string                `query:"game"`
	Entrants []string              `query:"entrant" most:"64" help:"An entrant a seat."`
	Rules    map[string]films.Text `query:"rule."`
	Seed     string                `query:"seed" schema:"Decimal"`
	Record   string                `query:"record" help:"The key of a replay file that was brought to the page /watch, beside game."`
	Frames
}

// FreshFilm is a game that is played for whoever watches.
type FreshFilm struct {
	Frames
	Body films.Ticket `body:"json"`
}
