package samplesite

// month is one cell of the bloom calendar: the state of a plant in a month.
type month struct {
	Name  string // three letters
	State string // "flower", "bud" or "rest"; also the cell's CSS class
	Word  string // what the cell says to those who do not see its colour
}

// calendarRow is one plant's year.
type calendarRow struct {
	plant
	Months []month
	Period string // such as "Jun–Jul"
}

var monthNames = []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

// bloomCalendar has a row for each plant that flowers. In the release "after"
// a mild spring has brought the foxglove forward by a month.
func bloomCalendar(changed bool) []calendarRow {
	var rows []calendarRow
	for _, p := range plants {
		if p.From == 0 {
			continue
		}
		if changed && p.Slug == "foxglove" {
			p.From--
			p.To--
		}
		rows = append(rows, calendarRow{plant: p, Months: year(p.From, p.To), Period: period(p.From, p.To)})
	}
	return rows
}

func year(from, to int) []month {
	months := make([]month, 0, len(monthNames))
	for i, name := range monthNames {
		m := month{Name: name, State: "rest", Word: "at rest"}
		switch number := i + 1; {
		case number >= from && number <= to:
			m.State, m.Word = "flower", "in flower"
		case number == from-1:
			m.State, m.Word = "bud", "in bud"
		}
		months = append(months, m)
	}
	return months
}

func period(from, to int) string {
	if from == to {
		return monthNames[from-1]
	}
	return monthNames[from-1] + "–" + monthNames[to-1]
}

// walk is one guided walk of the programme.
type walk struct {
	Day   string
	Time  string
	Name  string
	Note  string
	Meet  string
	Seats string
}

var walks = []walk{
	{"Sat", "7:00", "Dawn chorus", "Who sings first, and why the wren is so loud. Bring something warm.", "North gate", "12 places"},
	{"Sun", "11:00", "What is in flower", "The short round for everybody, an hour, no steps.", "Palm House", "no booking"},
	{"Wed", "17:30", "Grafting fruit trees", "A cut, a scion and some tape. You take your tree home with you.",
		"Walled Garden", "8 places"},
	{"Fri", "15:00", "Ferns and mosses", "On hands and knees with a lens. Lenses are lent out.", "Pond", "10 places"},
	{"Sat", "21:30", "Moths at the lamp", "A white sheet, a lamp and whatever comes. Only in calm weather.", "Arboretum", "15 places"},
	{"Sun", "14:00", "Draw a plant", "Pencil, paper and a patient model. For beginners of any age.", "Alpine House", "12 places"},
}
