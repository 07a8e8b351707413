package view

import (
	"time"

	"afterimage/graph/scalar"
	"afterimage/vcd"
)

// Storage shows what an account stores.
type Storage struct {
	*vcd.Storage
	freed []vcd.FreedDay
}

// NewStorage shows s and what was freed.
func NewStorage(s *vcd.Storage, freed []vcd.FreedDay) *Storage { return &Storage{s, freed} }

// Bytes is the size of all files.
func (s *Storage) Bytes() float64 { return float64(s.Storage.Bytes) }

// Files is their number.
func (s *Storage) Files() float64 { return float64(s.Storage.Files) }

// Limit is the limit in bytes.
func (s *Storage) Limit() *float64 {
	if s.Storage.Limit == nil {
		return nil
	}
	limit := float64(*s.Storage.Limit)
	return &limit
}

// Freed is what expired runs freed, by day.
func (s *Storage) Freed() []*FreedStorage {
	out := make([]*FreedStorage, len(s.freed))
	for i, d := range s.freed {
		out[i] = &FreedStorage{d}
	}
	return out
}

// FreedStorage shows what expired runs freed on a day.
type FreedStorage struct{ vcd.FreedDay }

// Day is the day, in UTC.
func (f *FreedStorage) Day() scalar.Date { return scalar.Date(f.FreedDay.Day.Format(time.DateOnly)) }

// Bytes is the size of the files that nothing refers to any more.
func (f *FreedStorage) Bytes() float64 { return float64(f.FreedDay.Bytes) }
