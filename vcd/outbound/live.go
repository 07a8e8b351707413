package outbound

import (
	"context"
	"fmt"
	"hash/crc32"
	"slices"
	"time"

	"afterimage/vcd"
)

// livePace is the time between two messages of a live stream. What happens meanwhile is in the next one. The streams of an account
// keep the same beat, so that they share their reads: a thousand open dashboards cost the database what one does.
const livePace = 500 * time.Millisecond

// mostLiveRuns limits the runs of a live message. maxLiveReach limits the groups that a stream is narrowed to, and the websites.
const (
	mostLiveRuns = 50
	maxLiveReach = 100
)

// Live is what goes on in an account, and what happened there since the message before. All of it is read at one moment, and
// shared between readers: it is not to be changed.
type Live struct {
	Number     int64        // of the newest event that it covers
	Events     []*vcd.Event // oldest first
	Runs       []*vcd.Batch // under way, newest first
	OpenAlarms int          // comparisons that nobody has reviewed
	ChecksLeft int
}

// LiveReach narrows a live stream to groups and to those of websites. The zero value is the whole account.
type LiveReach struct {
	Groups, Websites []vcd.ID
}

func (r LiveReach) narrow() bool { return len(r.Groups)+len(r.Websites) > 0 }

// FollowLive sends how things stand in the actor's account, and again whenever something has happened, until ctx ends; then it
// closes the channel. With after, the first message has the events with a higher number, so that a reader that goes on from the
// last number it received misses and repeats none. Errors are those of Stream.
func (s *Service) FollowLive(ctx context.Context, actor vcd.Actor, reach LiveReach, after *int64) (<-chan *Live, error) {
	wake, stop := s.feed.Watch(actor.Account)
	position, err := s.startLive(ctx, actor, reach, after)
	if err != nil {
		stop()
		return nil, err
	}
	out := make(chan *Live)
	go func() {
		defer stop()
		defer close(out)
		l := live{service: s, actor: actor, reach: reach, position: position, out: out}
		s.follow(ctx, wake, l.drain)
	}()
	return out, nil
}

func (s *Service) startLive(ctx context.Context, actor vcd.Actor, reach LiveReach, after *int64) (int64, error) {
	v := &vcd.Validation{}
	for _, list := range []struct {
		path string
		ids  []vcd.ID
	}{{"groupIds", reach.Groups}, {"websiteIds", reach.Websites}} {
		v.Check(len(list.ids) <= maxLiveReach, list.path, "max",
			fmt.Sprintf("The {field} field must not have more than %d items.", maxLiveReach))
	}
	if err := v.Err(); err != nil {
		return 0, err
	}
	if !reach.narrow() {
		return s.startOf(ctx, actor, after)
	}
	err := s.store.Read(ctx, actor, func(ctx context.Context, tx Tx) error {
		if err := checkKnownGroups(ctx, tx, v, &reach.Groups); err != nil {
			return err
		}
		return checkKnownWebsites(ctx, tx, v, &reach.Websites)
	})
	if err != nil {
		return 0, err
	}
	if err := v.Err(); err != nil {
		return 0, err
	}
	return s.startOf(ctx, actor, after)
}

type live struct {
	service  *Service
	actor    vcd.Actor
	reach    LiveReach
	position int64
	last     *Live // the message sent before; nil at first
	out      chan<- *Live
}

// drain sends messages until nothing has happened since the last one.
func (l *live) drain(ctx context.Context) (finished bool, err error) {
	for {
		next, err := l.next(ctx)
		if err != nil || next == nil {
			return false, err
		}
		l.position = next.Number
		if !l.changed(next) {
			continue
		}
		select {
		case l.out <- next:
		case <-ctx.Done():
			return true, nil
		}
		l.last = next
		if !vcd.Pause(ctx, untilBeat(l.actor.Account, time.Now())) {
			return true, nil
		}
	}
}

// untilBeat is the time to the next beat of an account. The beats of accounts are spread.
func untilBeat(account vcd.ID, now time.Time) time.Duration {
	offset := time.Duration(crc32.ChecksumIEEE([]byte(account))) % livePace
	return livePace - (time.Duration(now.UnixNano())+offset)%livePace
}

// changed reports whether there is anything in a message that the last one did not tell.
func (l *live) changed(next *Live) bool {
	return l.last == nil || len(next.Events) > 0 || next.ChecksLeft != l.last.ChecksLeft
}

// next reads the next message, together with all streams that are as far; nil when nothing has happened since the last one.
func (l *live) next(ctx context.Context) (*Live, error) {
	position, first := l.position, l.last == nil
	key := fmt.Sprint(l.actor.Account, position, first, l.reach)
	return l.service.lives.do(ctx, key, func(ctx context.Context) (*Live, error) {
		return vcd.Read(ctx, l.service.store, l.actor, func(ctx context.Context, tx Tx) (*Live, error) {
			return l.reach.read(ctx, tx, position, first)
		})
	})
}

// read reads the message with the events after a position; nil if there are none and it is not the first message.
func (r LiveReach) read(ctx context.Context, tx Tx, position int64, first bool) (*Live, error) {
	events, err := tx.EventsAfter(ctx, position, nil, eventPage)
	if err != nil || len(events) == 0 && !first {
		return nil, err
	}
	next := &Live{Number: position, Events: events}
	if len(events) > 0 {
		next.Number = events[len(events)-1].Number
	}
	return next, r.fill(ctx, tx, next)
}

// fill leaves out the events beyond the reach and adds how things stand.
func (r LiveReach) fill(ctx context.Context, tx Tx, next *Live) error {
	groups, err := r.groups(ctx, tx)
	if err != nil {
		return err
	}
	if groups != nil {
		if next.Events, err = r.within(ctx, tx, *groups, next.Events); err != nil {
			return err
		}
	}
	runs, err := tx.Batches(ctx, vcd.BatchFilter{Unfinished: true, GroupIDs: groups}, vcd.Page{Size: mostLiveRuns})
	if err != nil {
		return err
	}
	alarms, err := tx.CountOpenAlarms(ctx, groups)
	if err != nil {
		return err
	}
	account, err := tx.Account(ctx)
	if err != nil {
		return err
	}
	next.Runs, next.OpenAlarms, next.ChecksLeft = runs.Items, alarms, account.ChecksLeft()
	return nil
}

// groups lists the groups that the stream is narrowed to, as the websites are now; nil when it is not.
func (r LiveReach) groups(ctx context.Context, tx reachStore) (*[]vcd.ID, error) {
	if !r.narrow() {
		return nil, nil
	}
	groups := slices.Clone(r.Groups)
	websites, err := tx.WebsitesByIDs(ctx, r.Websites)
	if err != nil {
		return nil, err
	}
	for _, w := range websites {
		groups = append(groups, w.GroupIDs()...)
	}
	return &groups, nil
}

// within keeps the events of the account as a whole, of the websites, and of the groups and what belongs to them.
func (r LiveReach) within(ctx context.Context, tx reachStore, groups []vcd.ID, events []*vcd.Event) ([]*vcd.Event, error) {
	of, err := groupsOf(ctx, tx, events)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(events, func(e *vcd.Event) bool {
		switch e.SubjectType {
		case vcd.SubjectAccount:
			return false
		case vcd.SubjectWebsite:
			return !slices.Contains(r.Websites, e.SubjectID)
		}
		return !slices.ContainsFunc(of[e.SubjectID], func(id vcd.ID) bool { return slices.Contains(groups, id) })
	}), nil
}
