// Package comment tells a pull request what a benchmark gate found: as Markdown
// for one comment that is edited from push to push, and as annotations of the
// lines where the benchmarks stand.
//
// Flow: a gate wrote its report as JSON where the change was measured, without
// any token, since a change from a fork must not have one. Elsewhere [Body] makes
// Markdown of it and a [Pull] puts it under the pull request, by curl. A hidden mark in the
// first line finds the comment again. Where nothing matters there is no comment,
// and one that is there is edited to say so.
//
//	text := comment.Body(report, comment.Options{Key: "linux"})
//	did, err := (&comment.Pull{Repo: "owner/name", Number: 7, Token: token}).Post(ctx, comment.Mark("linux"), text, comment.Resolved(report, comment.Options{Key: "linux"}))
//
// The text of a report comes from code of others: names stand in code spans, so that they
// are no markup and notify no user.
package comment
