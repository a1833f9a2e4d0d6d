// Package chart draws what a study, an experiment or a benchmark has measured, as
// SVG without scripts. It knows data alone: a chronicle, a result, rows, a series.
// The pages of tuner/web put the drawings into their templates, and the classes
// of study.css give the colours.
//
//	v := plot.Draw(log, plot.Subject{Name: "mp70"}, plot.Wanted{})
//	v.History // an <svg>, empty where there is nothing to draw
//
// A drawing takes the same room for any number of trials: above some hundred they
// are summed up by columns.
package chart
