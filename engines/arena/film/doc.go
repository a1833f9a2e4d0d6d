// Package film turns games into frames that people look at, each a caption and
// a drawing in SVG. It knows no game: a game is played again, which gives the
// same game to the digest, its referee shows what happens event by event, and
// the game's own drawer (a Scene of the catalogue) makes frames of the events.
//
//	one, err := film.Shoot(ctx, scene, series, rotation, film.Limits{}, nil)
//	for _, f := range one.Frames {
//		fmt.Println(f.Step, f.Text, len(f.SVG))
//	}
//
// A game without a drawer is told line by line, so that a new game can be
// watched before it is drawn.
//
// # Drawings
//
// All drawings are ours. They carry classes and no colours, for the pages'
// style has both light and dark: see tuner/web/static/watch.css for the classes
// there are. Every square has a <title>, which a pointer resting on it shows
// and a screen reader says. Text is escaped. What only who sees everything may
// see (in Battleship the ships not yet found) has the class secret, so that a
// switch of the page hides it: the frame itself is the same.
package film
