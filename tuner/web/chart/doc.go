// Package chart draws what a study, an experiment or a benchmark has measured, as
// SVG without scripts. It knows data alone: a log, a result, rows, a series.
// The pages of tuner/web put the drawings into their templates, and the classes of
// style.css give the colours, also those of the dark scheme. Marks carry the numbers of
// their trials and their values, which static/charts.js shows, selects and saves.
//
//	v := chart.Draw(log, chart.Subject{Name: "mp70"}, chart.Wanted{})
//	v.History // an <svg>, empty where there is nothing to draw
//
// A drawing takes the same room for any number of trials: more than some hundred are
// summarised in columns.
//
// Reading order: axis.go and plot.go are what every drawing is made of: two axes, and marks of
// points (dots, bars, a line, a band, columns that summarise many, cells). study.go chooses the
// drawings of a study; history.go draws trials by number, parameters.go by parameter and by
// blocks, and model.go what a model of all games says. forest.go draws intervals below one
// another, comparison.go printed beside measured values, a benchmark's runs and a game's course.
package chart
