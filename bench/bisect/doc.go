// Package bisect finds the commit at which the level of a benchmark changed.
//
// Flow: both ends of the range are measured beside each other; unless their
// levels differ there is nothing to find, and that is said. Then the commit in
// the middle is measured beside both ends, and is good or bad by the nearer
// level; a commit that does not build is skipped, one whose binary equals one
// that was judged is not measured again. At the end the commit that was found
// and the one before it are measured beside each other: unless they differ, it
// is not reproducible.
//
//	report, err := bisect.Run(ctx, bisect.Options{Series: "example.com/m.Decode-8 sec/op", Range: "v1.2.0..HEAD"})
package bisect
