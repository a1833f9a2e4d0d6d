// Package watch films games: it plays one fixture again, which gives the same
// game to the digest, and turns it into frames that a browser shows, each a
// caption and a drawing in SVG.
//
//	film, err := watch.Shoot(ctx, series, rotation, watch.Limits{}, nil)
//	for _, f := range film.Frames {
//		fmt.Println(f.Step, f.Text, len(f.SVG))
//	}
//
// A game that has a drawer (drawers.go) is drawn from the events that its
// referee shows; any other is told by its story, a line a frame, so that a new
// game needs nothing here.
//
// # Drawings
//
// All drawings are ours. They carry classes and no colours, for the pages'
// style has both light and dark: see tuner/web/static/watch.css for the classes
// there are. Every square has a <title>, which a pointer resting on it shows
// and a screen reader says. Text is escaped. What only who sees everything may
// see (the ships not yet found) has the class secret, so that a switch of the
// page hides it: the frame itself is the same.
package watch
