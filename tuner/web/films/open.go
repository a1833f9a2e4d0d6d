package films

import "context"

// Open checks a ticket; nothing is played yet.
func (t *Theatre) Open(ctx context.Context, ticket Ticket) (*Showing, error) {
	if ticket.Study != "" {
		return t.openStored(ctx, ticket)
	}
	if ticket.Record != "" {
		return t.openRecord(ticket)
	}
	return t.openFresh(ticket)
}
