// Package decisions remembers what an attack decided, so that what is dear to
// work out is worked out once for all games.
//
// An attack that shoots by a fixed rule, ties included, is a decision tree: the
// answers so far say which square is next. A [Tree] holds the part of it that
// games have gone through, a [Walk] is one game's way through it:
//
//	tree := shelf.Tree(key, 64<<20)
//	walk := decisions.NewWalk(tree, 25)
//	walk.Reset()                            // before every game
//	next := walk.Next(v.Knowledge, chooser) // instead of chooser.Choose
//
// A tree is found by the answers in their order and by nothing else: no
// position is hashed, so none can be taken for another. Two orders of answers
// that lead to one position are two nodes; of 100,000 games of exact play that
// is rare, as other answers mean other squares.
//
// # Games at the same time
//
// Any number of goroutines may walk one tree. A node does not change once it
// can be seen, but for its links, which are set once, by compare and swap; the
// decision is a function of the answers, so it does not matter who enters it
// first. A full tree takes no more nodes and answers as before. What is in a
// tree therefore changes the time that a game takes, and nothing else.
//
// # Whose it is
//
// Trees are lent by a [Shelf], which belongs to the strategy that was entered
// into the catalogue and knows its trees weakly: a tree lives as long as a
// player walks it. Players of one strategy under the same rules share one, on
// both sides and in all workers.
package decisions
