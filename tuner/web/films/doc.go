// Package films is the use case of watching games: fresh ones, again those that
// a study has played, and those that a game's own replay files hold. It knows no
// game: drawers come from the catalogue (engines/arena/catalogue), and are told
// what happens by engines/arena/film.
//
// The pages and the API (tuner/web) ask it which games there are (Stages), what a trial has
// played (Games), and for a film (Open). A film is played when it is watched, and compared with
// what is stored.
//
//	studio := films.New(store, games)
//	showing, err := studio.Open(ctx, films.Ticket{Game: "battleship", Entrants: []string{"MP70", "EX"}, Seed: "1"})
//	end, err := showing.Play(ctx, func(f films.FilmFrame) error { ... })
package films
