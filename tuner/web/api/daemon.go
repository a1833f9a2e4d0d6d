package api

import (
	"time"

	"sakusen/tuner/queue/fleet"
	"sakusen/tuner/service"
	"sakusen/tuner/store/blocks"
)

// daemon are the operations on what serves, and on what goes on in it.
type daemon struct {
	GetServer      Op[None, About]                            `GET:"" help:"What serves."`
	GetDescription Op[None, any]                              `GET:"/openapi.json" help:"This description."`
	WatchEvents    Op[EventsSince, Stream]                    `GET:"/events" type:"text/event-stream" help:"Server-sent events: state, progress, deleted, each of a study (study: its name) or a job (job: tournament/12, experiment/12), recorded where benchmarks were recorded, named, accepted or removed, and reset where events were missed that are no longer remembered." 200:"A stream."`
	GetNow         Op[NowSince, service.Now]                  `GET:"/now" help:"What goes on: what runs and waits, what ended since a time, and what needs somebody. Each list has the first 12."`
	GetWorkers     Op[None, fleet.Fleet]                      `GET:"/workers" help:"The workers on other machines, and what was played again of their games. Nobody is listed where the daemon takes no workers."`
	ListGames      Op[None, GameList]                         `GET:"/games" help:"The games with their rules and metrics."`
	ListStrategies Op[OfGame, StrategyList]                   `GET:"/games/{game}/strategies" help:"The strategies of a game with their parameters."`
	Prune          Op[Body[Pruning], blocks.Pruned]           `POST:"/prune" help:"Deletes blocks of series that nobody has added to for so many days: a cache, played again where it is needed." 200:"Done, or counted."`
	PostBlocks     Op[Body[service.PlayedBlocks], BlocksKept] `POST:"/blocks" role:"submit" limit:"16777216" help:"Keeps blocks of a match that were played elsewhere. Those of studies are not taken. At most 16 MiB."`
}

// About says what serves.
type About struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Running int    `json:"running" help:"Studies and other jobs that run now."`
}

// EventsSince says which events a client has seen.
type EventsSince struct {
	Header string `header:"Last-Event-ID" help:"The last event that was seen; those after it are told first."`
	Query  string `query:"last" help:"The same, for clients that cannot set headers."`
}

// Stream is an answer that goes on.
type Stream struct{}

// NowSince says how far back somebody wants to see.
type NowSince struct {
	Since time.Time `query:"since" help:"Since when ended studies are listed; a day ago if absent."`
}

// GameList are all games.
type GameList struct {
	Games []service.GameInfo `json:"games"`
}

// OfGame names a game.
type OfGame struct {
	Game string `path:"game"`
}

// StrategyList are the strategies of a game.
type StrategyList struct {
	Strategies []service.StrategyInfo `json:"strategies"`
}

// Pruning says what is to be deleted: what is older than so many days.
type Pruning struct {
	Days int  `json:"days" min:"1" max:"36500"`
	Dry  bool `json:"dry_run,omitempty" help:"Only count."`
}

// BlocksKept counts the blocks that were kept.
type BlocksKept struct {
	Blocks int `json:"blocks"`
}
