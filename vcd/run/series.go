package run

import (
	"context"
	"fmt"
	"time"

	"afterimage/vcd"
)

// maxSeriesDays limits a series.
const maxSeriesDays = 366

// SeriesOf returns the figures of the account, or of each group or website, for each day of a period: dates in UTC, both
// included, of days in the account's time zone.
func (s *Service) SeriesOf(
	ctx context.Context, actor vcd.Actor, of vcd.Holder, ids []vcd.ID, first, last time.Time,
) (map[vcd.ID][]*vcd.DayFigures, error) {
	if last.Before(first) {
		return nil, vcd.Invalid("to", "after_or_equal", "The {field} field must not be before from.")
	}
	days := int(last.Sub(first)/(24*time.Hour)) + 1
	if days > maxSeriesDays {
		return nil, vcd.Invalid("to", "max", fmt.Sprintf("The {field} field must be within %d days of from.", maxSeriesDays))
	}
	found, err := vcd.Read(ctx, s.store, actor, func(ctx context.Context, tx Tx) (map[vcd.ID][]*vcd.DayFigures, error) {
		account, err := tx.Account(ctx)
		if err != nil {
			return nil, err
		}
		return tx.Series(ctx, of, ids, vcd.Period{First: first, Last: last, Zone: account.Zone()})
	})
	if err != nil {
		return nil, err
	}
	series := make(map[vcd.ID][]*vcd.DayFigures, len(ids))
	for _, id := range ids {
		series[id] = everyDay(found[id], first, days)
	}
	return series, nil
}

// everyDay adds the days without figures.
func everyDay(found []*vcd.DayFigures, first time.Time, days int) []*vcd.DayFigures {
	all := make([]*vcd.DayFigures, days)
	for i := range all {
		all[i] = &vcd.DayFigures{Day: first.AddDate(0, 0, i)}
	}
	for _, d := range found {
		if i := int(d.Day.Sub(first) / (24 * time.Hour)); i >= 0 && i < days {
			all[i] = d
		}
	}
	return all
}
