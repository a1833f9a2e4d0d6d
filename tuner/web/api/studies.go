package api

import (
	"sakusen/tuner/insight"
	"sakusen/tuner/service"
)

// studies are the operations on studies.
type studies struct {
	ListStudies     Op[StudiesPage, StudyList]                     `GET:"/studies" help:"Lists studies in the order of their creation."`
	SubmitStudy     Op[Body[service.Submission], Named]            `POST:"/studies" role:"submit" help:"Queues a study. An existing study with the same spec is not changed." 201:"Queued." 200:"Checked, without a mistake."`
	ForecastStudy   Op[Body[service.Submission], insight.Forecast] `POST:"/forecast" role:"submit" help:"Returns how many games and how much time a study would need, and which gain it could prove. A few games are played to measure their speed and their variance; nothing is stored."`
	GetStudy        Op[OfStudy, service.StudyDetail]               `GET:"/studies/{study}" help:"Returns a study: state, spec, result."`
	DeleteStudy     Op[OfStudy, Deleted]                           `DELETE:"/studies/{study}" help:"Deletes a study that is not running. Its blocks and the count of its validation attempts are kept."`
	ListTrials      Op[TrialsPage, TrialList]                      `GET:"/studies/{study}/trials" help:"Lists trials by number."`
	ListEntries     Op[LogPage, EntryList]                         `GET:"/studies/{study}/log" help:"Lists the entries of the study's log, in order."`
	ExportStudy     Op[Exporting, File]                            `GET:"/studies/{study}/export" type:"application/json,application/yaml,text/plain,text/csv,application/vnd.sqlite3" help:"Returns the best parameters as a file; 409 if the validation was not passed, unless force is set." 200:"The file."`
	ReportStudy     Op[Reporting, File]                            `GET:"/studies/{study}/report" type:"text/html,text/markdown,image/svg+xml" help:"Returns a report of one or several studies as one self-contained file." 200:"The file."`
	PauseStudy      Op[ActOnStudy, StudyState]                     `POST:"/studies/{study}/pause" help:"Pauses a study, and answers when it no longer runs."`
	ResumeStudy     Op[ActOnStudy, StudyState]                     `POST:"/studies/{study}/resume" help:"Puts a paused, stopped or failed study back into the queue."`
	StopStudy       Op[ActOnStudy, StudyState]                     `POST:"/studies/{study}/stop" help:"Stops a study, and answers when it no longer runs."`
	PrioritiseStudy Op[PrioritisedStudy, StudyState]               `POST:"/studies/{study}/priority" help:"Changes the priority of a study: each step upwards doubles its share of the workers."`
	ProveStudy      Op[Proving, service.FurtherProof]              `POST:"/studies/{study}/prove" role:"submit" help:"Queues a study that validates the answer of this one again, on new seeds. It is for studies whose validation was inconclusive, and counts as a further attempt with its own alpha." 201:"Queued." 200:"Calculated; nothing is queued."`
	TryPoint        Op[Trying, service.TryPoint]                   `POST:"/studies/{study}/points" help:"Adds a parameter set to the next batch of a study that is not done. Parameters that are not given have the baseline's values or the defaults." 201:"Accepted."`
	PutNote         Op[Noting, Named]                              `PUT:"/studies/{study}/note" help:"Replaces a user's note on a study; an empty text deletes the note."`
	ListAsks        Op[OfStudy, service.Asked]                     `GET:"/studies/{study}/asks" help:"Lists the asks of a study that have no results yet."`
	Ask             Op[Asking, service.Asked]                      `POST:"/studies/{study}/asks" role:"submit" help:"Hands out games that are played outside Sakusen. The study's file must declare its parameters (tune.declare)."`
	Tell            Op[Telling, service.Accepted]                  `POST:"/studies/{study}/results" role:"submit" help:"Stores results of games that were handed out. If one of the results is wrong, none is stored. At most 1 MiB."`
	ListBlocks      Op[BlocksPage, BlockList]                      `GET:"/studies/{study}/blocks" help:"Lists the stored blocks of the study's game and seeds, in runs of consecutive blocks. While the study plays, a run that has grown may be listed again."`
	DropWorker      Op[Dropping, service.Dropped]                  `POST:"/studies/{study}/drop" help:"Deletes all blocks that a worker played, and starts the study again from the beginning. The present log is kept under another name. The study must not be running."`
}

// Body is the input of an operation that takes a body alone.
type Body[T any] struct {
	Body T `body:"json"`
}

// None is the input of an operation that takes nothing.
type None struct{}

// OfStudy names a study.
type OfStudy struct {
	Study string `path:"study" what:"study named" least:"1" most:"512" pattern:"^[^\\x00-\\x1f\\x7f-\\x9f]+$" help:"The study's name: that of its file, or the name that another program gave it through Goptuna's API."`
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
	Limit int `query:"limit" min:"1" max:"1000" default:"100" help:"The largest number of entries in the page; 100 if absent."`
}

// StudiesPage asks for a page of studies.
type StudiesPage struct {
	After int `query:"after" help:"The page begins after this id."`
	Page
	Wanted
}

// StudyList is a page of studies.
type StudyList struct {
	Studies []service.Study `json:"studies"`
	Next    *int            `json:"next" help:"The value of after for the next page; null on the last page."`
}

// TrialsPage asks for a page of trials.
type TrialsPage struct {
	OfStudy
	From int `query:"from" help:"The number of the first trial."`
	Page
	Order string `query:"order" enum:"latest,first,best" open:"true" help:"Sorts the pages, which then continue by after instead of from. In the order best, complete trials come before stopped ones."`
	Show  string `query:"show" enum:"all,complete,stopped,running" help:"With order: which trials are listed; all if absent."`
	After *int   `query:"after" help:"With order: the page begins after this trial."`
	// Min and Max bound the values of parameters, by their names.
	Min map[string]string `query:"min."`
	Max map[string]string `query:"max."`
}

// TrialList is a page of trials.
type TrialList struct {
	Trials []service.Trial `json:"trials"`
	Next   *int            `json:"next" help:"The value of from (with order: of after) for the next page; null on the last page."`
}

// LogPage asks for a page of a study's log.
type LogPage struct {
	OfStudy
	After int `query:"after" help:"The page begins after this entry."`
	Page
}

// EntryList is a page of a study's log.
type EntryList struct {
	Entries []service.LogEntry `json:"entries"`
	Next    *int               `json:"next" help:"The value of after for the next page; null on the last page."`
}

// Exporting asks for the best parameters of a study.
type Exporting struct {
	OfStudy
	Format string `query:"format" open:"true" schema:"ExportFormat" help:"The format of the file; yaml if absent."`
	Front  bool   `query:"front" help:"Return the Pareto front of several objectives instead of the best parameters; as json or csv."`
	Force  bool   `query:"force" help:"Export also without a passed validation."`
}

// Reporting asks for a report of a study.
type Reporting struct {
	OfStudy
	Format string   `query:"format" enum:"html,md,svg" help:"The format of the file; html if absent."`
	Beside []string `query:"beside" most:"7" bytes:"512" help:"Further studies to compare with this one."`
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
		Blocks int64 `json:"blocks,omitempty" min:"0" max:"1099511627776" help:"The largest number of blocks; if 0, as many as the measured gain needs."`
		Check  bool  `json:"check,omitempty" help:"Only calculate how many games are needed; queue nothing."`
	} `body:"json"`
}

// Trying names a point that is added to a study's next batch.
type Trying struct {
	OfStudy
	Body struct {
		Point map[string]any `json:"point" help:"Values by parameter name, such as {\"x\": 0.7}."`
	} `body:"json"`
}

// Noting is a user's note on a study.
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
	After  int64 `query:"after" help:"The page begins after the run with this id."`
	Limit  *int  `query:"limit" min:"1" max:"1000" help:"The largest number of runs in the page; 100 if absent. With detail at most 20, the default then."`
	Detail bool  `query:"detail" help:"Return every game: transcript digest, scores, faults and components of metrics."`
}

// mostDetailed is the largest page of runs with all their games: a run may have thousands.
const mostDetailed = 20

// Check sets the default of the limit, and bounds it, by the detail.
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
	Next   *int64             `json:"next" help:"The value of after for the next page; null on the last page."`
}
