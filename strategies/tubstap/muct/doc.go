// Package muct is M-UCT, the tree search over unit actions that won the
// tournaments of 2016 and 2017 and comes with TUBSTAP.
//
// A node is a position between two unit actions, not between two turns. For
// each unit action a search grows a tree of Simulations playouts: walk down
// by mean plus exploration, expand a child after more than Expansion visits,
// play out at random with a preference for attacks.
//
// Two trees are offered. The reference is the program's, bit for bit: every
// node, the enemy's too, prefers what the root side likes, exploration goes
// by the simulations finished in all, a lead equal to the threshold counts as
// won, and an annihilation is noticed only after both sides have moved. The
// corrected one is the textbook's, and may keep its tree within a turn.
//
//	s := muct.Search{Settings: muct.Program()}
//	a := s.Run(state, seed)
//
// Sources: Muto and Nishino, M-UCT (GAT 2016; Muto's thesis, UEC 2017);
// Sagehashi, Muto and Nishino 2017, section 3.2; TUBSTAP 0.108. Attack-first
// playouts: Okuda, Ikeda and Hashimoto (IPSJ GI 2022).
package muct
