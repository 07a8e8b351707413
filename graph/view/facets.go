package view

import (
	"afterimage/graph/scalar"
	"afterimage/vcd"
)

// maxFacets is how many groups or websites are listed.
const maxFacets = 100

// The counts of comparisons by a criterion.
type (
	// StatusFacet counts the comparisons in a status.
	StatusFacet struct {
		Status vcd.ComparisonStatus
		Count  int
	}
	// DeviceFacet counts the comparisons on a device.
	DeviceFacet struct {
		Device vcd.Device
		Count  int
	}
	// CategoryFacet counts the comparisons by their gravest verdict, if any.
	CategoryFacet struct {
		Category *scalar.Word
		Count    int
	}
	// GroupFacet counts the comparisons of a group.
	GroupFacet struct {
		GroupID vcd.ID
		Count   int
	}
	// WebsiteFacet counts the comparisons of a website, or of none.
	WebsiteFacet struct {
		WebsiteID *vcd.ID
		Count     int
	}
	// ComparisonFacets counts comparisons by several criteria.
	ComparisonFacets struct {
		*vcd.ComparisonFacets
	}
)

// TotalCount is how many there are.
func (f *ComparisonFacets) TotalCount() int { return f.Total }

// Statuses counts them by status.
func (f *ComparisonFacets) Statuses() []*StatusFacet {
	return facets(f.ComparisonFacets.Statuses, func(v vcd.ComparisonStatus, n int) *StatusFacet { return &StatusFacet{v, n} })
}

// Devices counts them by device.
func (f *ComparisonFacets) Devices() []*DeviceFacet {
	return facets(f.ComparisonFacets.Devices, func(v vcd.Device, n int) *DeviceFacet { return &DeviceFacet{v, n} })
}

// Categories counts them by their gravest verdict.
func (f *ComparisonFacets) Categories() []*CategoryFacet {
	return facets(f.ComparisonFacets.Categories, func(v vcd.Category, n int) *CategoryFacet {
		if v == vcd.CategoryNone {
			return &CategoryFacet{Count: n}
		}
		word := scalar.Word(v)
		return &CategoryFacet{&word, n}
	})
}

// Groups counts them by group.
func (f *ComparisonFacets) Groups() []*GroupFacet {
	return facets(f.ComparisonFacets.Groups, func(v vcd.ID, n int) *GroupFacet { return &GroupFacet{v, n} })
}

// Websites counts them by website.
func (f *ComparisonFacets) Websites() []*WebsiteFacet {
	return facets(f.ComparisonFacets.Websites, func(v vcd.ID, n int) *WebsiteFacet {
		if v == "" {
			return &WebsiteFacet{Count: n}
		}
		return &WebsiteFacet{&v, n}
	})
}

func facets[T, F any](counted []vcd.Facet[T], show func(T, int) F) []F {
	shown := make([]F, 0, len(counted))
	for _, c := range counted[:min(len(counted), maxFacets)] {
		shown = append(shown, show(c.Value, c.Count))
	}
	return shown
}
