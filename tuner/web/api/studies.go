package api

import (
	"sakusen/tuner/insight"
	"sakusen/tuner/service"
	"sakusen/tuner/web/chart"
)

// studies are the operations on studies.
type studies struct {
	ListStudies     Op[StudiesPage, StudyList]                     `GET:"/studies" help:"Studies in the order of their creation."`
	SubmitStudy     Op[Body[service.Submission], Named]            `POST:"/studies" role:"submit" help:"Queues a study. One that is there with the same spec is left as it is." 201:"Queued." 200:"Checked, and nothing is wrong."`
	ForecastStudy   Op[Body[service.Submission], insight.Forecast] `POST:"/forecast" role:"submit" help:"What a study would take, and which gain it could prove, were it submitted now. A few of its games are played to know how fast they are and how they spread; nothing is stored."`
	GetStudy        Op[OfStudy, service.StudyDetail]               `GET:"/studies/{study}" help:"A study: state, spec, result."`
	DeleteStudy     Op[OfStudy, Deleted]                           `DELETE:"/studies/{study}" help:"Deletes a study that does not run. Its blocks stay, and its validation attempts stay counted."`
	ListTrials      Op[TrialsPage, TrialList]                      `GET:"/studies/{study}/trials" help:"Trials by number."`
	GetHistory      Op[HistoryPart, chart.TrialHistory]            `GET:"/studies/{study}/history" help:"The trials' values in columns, as plots need them: one trial each, or the extremes and the best of several."`
	ListEntries     Op[LogPage, EntryList]                         `GET:"/studies/{study}/log" help:"The study's log: every piece of evidence, in order."`
	ExportStudy     Op[Exporting, File]                            `GET:"/studies/{study}/export" type:"application/json,application/yaml,text/plain,text/csv,application/vnd.sqlite3" help:"The best parameters; 409 where the validation was not passed, unless forced." 200:"The file."`
	ReportStudy     Op[Reporting, File]                            `GET:"/studies/{study}/report" type:"text/html,text/markdown,image/svg+xml" help:"A report of a study as one file that needs no other, alone or with others beside it." 200:"The file."`
	PauseStudy      Op[ActOnStudy, StudyState]                     `POST:"/studies/{study}/pause" help:"Pauses a study; answers when it no longer runs."`
	ResumeStudy     Op[ActOnStudy, StudyState]                     `POST:"/studies/{study}/resume" help:"Puts a paused, stopped or failed study back into the queue."`
	StopStudy       Op[ActOnStudy, StudyState]                     `POST:"/studies/{study}/stop" help:"Stops a study; answers when it no longer runs."`
	PrioritiseStudy Op[PrioritisedStudy, StudyState]               `POST:"/studies/{study}/priority" help:"Changes how urgent a study is: each step doubles its share of the workers."`
	ProveStudy      Op[Proving, service.FurtherProof]              `POST:"/studies/{study}/prove" role:"submit" help:"Queues a study that proves the answer of this one, whose validation could not tell, on new seeds. It is a further attempt at the question, with an alpha of its own." 201:"Queued." 200:"Worked out, and nothing is queued."`
	TryPoint        Op[Trying, service.TryPoint]                   `POST:"/studies/{study}/points" help:"Has a study that is not done try a point: parameters and their values, the others being the baseline's or the defaults. It is one of the next batch's trials." 201:"Taken."`
	PutNote         Op[Noting, Named]                              `PUT:"/studies/{study}/note" help:"Keeps what somebody has written about a study, in place of what was there; an empty text takes that away."`
	ListAsks        Op[OfStudy, service.Asked]                     `GET:"/studies/{study}/asks" help:"Games of a study that are handed out to be played elsewhere, and not told yet."`
	Ask             Op[Asking, service.Asked]                      `POST:"/studies/{study}/asks" role:"submit" help:"Hands out games to be played elsewhere, of a study whose file declares a program (tune.declare)."`
	Tell            Op[Telling, service.Accepted]                  `POST:"/studies/{study}/results" role:"submit" help:"Takes results of games that were handed out: all of them, or where one is wrong none. At most 1 MiB."`
	ListBlocks      Op[BlocksPage, BlockList]                      `GET:"/studies/{study}/blocks" help:"The stored blocks of the study's game and seeds, in runs. Of a study that runs, a run may come again when it has grown."`
	DropWorker      Op[Dropping, service.Dropped]                  `POST:"/studies/{study}/drop" help:"Takes all blocks that a worker played out of the database and has the study begin anew; the log so far is kept under another name. The study must not run."`
}

// Body is the input of an operation that takes a body alone.
type Body[T any] struct {
	Body T `body:"json"`
}

// None is the input of an operation that takes nothing.
type None struct{}

// OfStudy names a study.
type OfStudy struct {
	Study string `path:"study" what:"study named" least:"1" most:"512" pattern:"^[^\\x00-\\x1f\\x7f-\\x9f]+$" help:"A name as a study file has it, or as the program has it that keeps the study with Goptuna's API."`
}

// Named is the name of a study.
type Named struct {
	Study string `json:"study"`
}

// Deleted names a study or a baseline that is gone.
type Deleted struct {
	Deleted string `json:"deleted"`
}

// Page bounds the entries of a page.
type Page struct {
	Limit int `query:"limit" min:"1" max:"1000" default:"100" help:"Entries of a page, 100 if absent."`
}

// StudiesPage asks for a page of studies.
type StudiesPage struct {
	After int `query:"after" help:"The id after which the page begins."`
	Page
	Wanted
}

// StudyList is a page of studies.
type StudyList struct {
	Studies []service.Study `json:"studies"`
	Next    *int            `json:"next" help:"The next page's after; null on the last page."`
}

// TrialsPage asks for a page of trials.
type TrialsPage struct {
	OfStudy
	From int `query:"from" help:"The first trial's number."`
	Page
	Order string `query:"order" enum:"latest,first,best" open:"true" help:"With it, pages are of this order, and after is the key; of the best, complete trials come before stopped ones."`
	Show  string `query:"show" enum:"all,complete,stopped,running" help:"Which trials, beside order; all if absent."`
	After *int   `query:"after" help:"The trial after which the page begins, beside order."`
	// Min and Max bound the values of parameters, by their names.
	Min map[string]string `query:"min."`
	Max map[string]string `query:"max."`
}

// TrialList is a page of trials.
type TrialList struct {
	Trials []service.Trial `json:"trials"`
	Next   *int            `json:"next" help:"The next page's from, or after; null on the last page."`
}

// HistoryPart asks for the columns of some trials.
type HistoryPart struct {
	OfStudy
	From    int    `query:"from" help:"The first trial's number."`
	To      int    `query:"to" default:"9007199254740992" help:"The number behind the last trial."`
	Columns int    `query:"columns" min:"1" max:"2000" default:"500" help:"Columns at most, 500 if absent."`
	Unit    string `query:"unit" enum:"elo" help:"elo puts scores against a baseline into Elo above it; otherwise values are the objective's."`
}

// LogPage asks for a page of a study's log.
type LogPage struct {
	OfStudy
	After int `query:"after" help:"The entry after which the page begins."`
	Page
}

// EntryList is a page of a study's log.
type EntryList struct {
	Entries []service.LogEntry `json:"entries"`
	Next    *int               `json:"next" help:"The next page's after; null on the last page."`
}

// Exporting asks for the best parameters of a study.
type Exporting struct {
	OfStudy
	Format string `query:"format" open:"true" schema:"ExportFormat" help:"Of the file; yaml if absent."`
	Front  bool   `query:"front" help:"The Pareto front of several objectives in place of the best parameters, as json or csv."`
	Force  bool   `query:"force" help:"Also where no passed validation proves them."`
}

// Reporting asks for a report of a study.
type Reporting struct {
	OfStudy
	Format string   `query:"format" enum:"html,md,svg" help:"Of the file; html if absent."`
	Beside []string `query:"beside" most:"7" bytes:"512" help:"A further study that stands beside it."`
}

// File is an answer that is a file.
type File struct{}

// ActOnStudy names a study with which something is done.
type ActOnStudy struct {
	OfStudy
	Body struct{} `body:"json"`
}

// StudyState is a study after a change.
type StudyState struct {
	Study    string `json:"study"`
	State    string `json:"state" schema:"State"`
	Priority int    `json:"priority"`
}

// priority is how urgent something is to be.
type priority struct {
	Priority *int `json:"priority" need:"an integer from -10 to 10" min:"-10" max:"10"`
}

// PrioritisedStudy says how urgent a study is to be.
type PrioritisedStudy struct {
	OfStudy
	Body priority `body:"json"`
}

// Proving asks for a further proof.
type Proving struct {
	OfStudy
	Body struct {
		Blocks int64 `json:"blocks,omitempty" min:"0" max:"1099511627776" help:"At most; 0 takes what the gain that was seen needs."`
		Check  bool  `json:"check,omitempty" help:"Only work out what it takes."`
	} `body:"json"`
}

// Trying names a point that a study is to try.
type Trying struct {
	OfStudy
	Body struct {
		Point map[string]any `json:"point" help:"Such as {\"x\": 0.7}."`
	} `body:"json"`
}

// Noting is what somebody has written about a study.
type Noting struct {
	OfStudy
	Body struct {
		Note string `json:"note,omitempty" most:"10000"`
	} `body:"json"`
}

// Asking asks for games to play elsewhere.
type Asking struct {
	OfStudy
	Body service.AskRequest `body:"json"`
}

// Telling are results of such games.
type Telling struct {
	OfStudy
	Body service.Results `body:"json"`
}

// Dropping names a worker whose blocks are taken out.
type Dropping struct {
	OfStudy
	Body struct {
		Worker string `json:"worker" line:"1-200"`
	} `body:"json"`
}

// BlocksPage asks for a page of stored blocks.
type BlocksPage struct {
	OfStudy
	After  int64 `query:"after" help:"The id of the run after which the page begins."`
	Limit  *int  `query:"limit" min:"1" max:"1000" help:"Runs of a page, 100 if absent; 20 at most with detail."`
	Detail bool  `query:"detail" help:"With every game: transcript digest, scores, faults and components."`
}

// mostDetailed is the largest page of runs with all their games: a run may have thousands.
const mostDetailed = 20

// Check holds the limit to the detail.
func (p *BlocksPage) Check() error {
	usual, most := 100, 1000
	if p.Detail {
		usual, most = mostDetailed, mostDetailed
	}
	if p.Limit == nil {
		p.Limit = &usual
	}
	if *p.Limit > most {
		return invalid("limit: expected an integer from 1 to %d, got \"%d\"", most, *p.Limit)
	}
	return nil
}

// BlockList is a page of stored blocks.
type BlockList struct {
	Blocks []service.BlockRun `json:"blocks"`
	Next   *int64             `json:"next" help:"The next page's after; null on the last page."`
}
