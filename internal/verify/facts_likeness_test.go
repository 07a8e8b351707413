package verify

import (
	"fmt"
	"image"
	"strconv"
	"strings"
	"testing"

	"afterimage/internal/page"
)

// likenesses are facts in several languages that look like what changes by itself: they greet, have the word of a counter or of a day,
// the arrow of a course, the sign of a copyright or the form of a key.
const likenesses = `
Welcome to Hamburg | Welcome to Bremen
Welcome to chapter two | Welcome to chapter three
Hello Spring | Hello Winter
Welcome Students | Welcome Parents
Hi Berlin! | Hi Potsdam!
Hey Jude | Hey Joe
Willkommen in Hamburg | Willkommen in Bremen
Willkommen im Herbst | Willkommen im Winter
Hallo Berlin | Hallo Potsdam
Bienvenue en Bretagne | Bienvenue en Normandie
Bienvenue à Paris | Bienvenue à Lyon
Bonjour Paris | Bonjour Lyon
Hola Madrid | Hola Bilbao
Ciao Roma | Ciao Milano
Today 20:00 | Today 18:00
Today, 7:30 pm | Today, 9:30 pm
Heute 20:00 | Heute 18:00
Heute, 20 Uhr | Heute, 18 Uhr
Heute 19.30 Uhr | Heute 20.30 Uhr
Oggi 20:00 | Oggi 18:00
Hoy 20:00 | Hoy 18:00
Aujourd'hui 20h00 | Aujourd'hui 18h00
Closed today | Closed tomorrow
Open today | Open tomorrow
Tonight: Hamlet | Tomorrow: Hamlet
Concert tomorrow | Concert today
Delivery tomorrow | Delivery today
Free until tomorrow | Free until tonight
Morgen geschlossen | Heute geschlossen
Lieferung heute | Lieferung morgen
Fermé aujourd'hui | Fermé hier
Chiuso oggi | Chiuso domani
We build 500 houses a year | We build 100 houses a year
Build 2030 homes | Build 2080 homes
They commit 100 hours | They commit 900 hours
11773016-11111018-00000000 | 11773016-11111018-00000001
Giro 12345678-1234567890123 | Giro 12345678-1234567890124
(c) from 2026 on | (c) from 2027 on
(c) Applications open in 2026 | (c) Applications open in 2027
© Harbour Ltd. Next festival: 2026 | © Harbour Ltd. Next festival: 2027
Copyright 2024. The fair opens in 2026 | Copyright 2024. The fair opens in 2027
© 2020 Anna Smith, exhibition 2026 | © 2020 Anna Smith, exhibition 2027
▼ 20 % off everything | ▼ 70 % off everything
▼ 20 % | ▼ 70 %
▲ 12 % gradient | ▲ 2 % gradient
▲ Pass: 2,450 m, 12 km | ▲ Pass: 1,450 m, 12 km
3 plays | 5 plays
4 Stimmen | 5 Stimmen
12 reviews needed | 15 reviews needed
Live online: 18:00 | Live online: 20:00
Online 24/7 | Online 24/5
Online 9–18 | Online 10–14
Online: 2026-05-01 | Online: 2026-06-01
♥ 18:00 | ♥ 20:00
👍 10 % | 👍 70 %
Comments: 3 to 5 | Comments: 7 to 9
Votes at 18 | Votes at 16
2 likes per person | 5 likes per person
It is 5 am | It is 7 am
Ends in 3 days | Ends in 10 days
3 days left | 10 days left
Noch 3 Stunden | Noch 10 Stunden
in 3 days | in 10 days
2 months ago | 20 years ago
Opened 3 years ago | Opened 13 years ago
Vor 3 Jahren | Vor 13 Jahren
il y a 3 ans | il y a 13 ans
hace 3 años | hace 13 años
3 anni fa | 13 anni fa
Good morning tours | Good evening tours
Guten Morgen Brunch | Guten Abend Brunch
Bonjour Bretagne | Bonsoir Bretagne
Scade il 31 dicembre 2026 | Scade il 3 dicembre 2026
Aperto dalle 9 alle 18 | Aperto dalle 10 alle 14
Aula B12 | Aula C4
Fino a 10 persone | Fino a 3 persone
Binario 7 | Binario 17
Mancano 3 giorni | Mancano 30 giorni
Lavare a 30 °C | Lavare a 90 °C
Sconto del 20 % | Sconto del 70 %
Via del Porto 12 | Via del Porto 21
Oggi aperto fino alle 20 | Oggi aperto fino alle 16
12 recensioni minime | 15 recensioni minime
Open van 9 tot 18 uur | Open van 10 tot 14 uur
Vandaag open tot 20 uur | Vandaag open tot 16 uur
Spoor 7 | Spoor 17
Hooguit 10 personen | Hooguit 3 personen
Korting 20 % | Korting 70 %
Garantie: 24 maanden | Garantie: 12 maanden
Inschrijven tot 31-12-2026 | Inschrijven tot 31-01-2027
Aberto das 9h às 18h | Aberto das 10h às 14h
Até 10 pessoas | Até 3 pessoas
Sala A3 | Sala B7
Garantia de 24 meses | Garantia de 12 meses
Plataforma 7 | Plataforma 17
Otwarte od 9 do 18 | Otwarte od 10 do 14
Peron 7 | Peron 17
Do 10 osób | Do 3 osób
Rabat 20 % | Rabat 70 %
営業時間 9:00–18:00 | 営業時間 10:00–14:00
定員 10 名 | 定員 3 名
开放时间 9:00–18:00 | 开放时间 10:00–14:00
Работаем с 9 до 18 | Работаем с 10 до 14
Скидка 20 % | Скидка 70 %
营业 | 歇业
開館 | 休館
Открыто | Закрыто
開館 9:00 | 休館 9:00
Открыто 24 часа | Закрыто 24 часа
Ανοιχτά | Κλειστά
مفتوح | مغلق
3 + 4 | 5 + 4
2 x 3 = | 2 x 4 =
3 + 4 = ? | 5 + 4 = ?
Monday | Tuesday
Montag geschlossen | Dienstag geschlossen
Closed on Monday | Closed on Sunday
May | June
Jan–Mar | Jan–May
Sat | Sun
12 h | 21 h
5 s | 8 s
3 d | 7 d
10 min | 20 min
GMT | CET
18:00 GMT | 18:00 CET
8 am | 8 pm
few places | 2 places
about 5 km | 5 km
morning only | evening only
Night rate | Day rate
Every day | Every week
Every month | Every year
per hour | per day
monthly: a month | monthly: a week
abc123 | abc124
a1b2c3d4 | a1b2c3d5
ISBN 978-3-16-148410-0 | ISBN 978-3-16-148411-0
FF00AA1 | FF00AB1
Key 123e4567-e89b-12d3-a456-426614174000 | Key 123e4567-e89b-12d3-a456-426614174001
Session a12b opens the day | Session a13b opens the day
Trace 12ab | Trace 13ab
Doors open at 20:00 local time | Doors open at 18:00 local time
© 2026 | © 2062
© 2016 Harbour | © 2026 Harbour
5 stars, 3 reviews | 2 stars, 3 reviews
4.8 (120 reviews) | 2.1 (121 reviews)
4.8 · 120 reviews | 2.1 · 121 reviews
★ 4.8 120 reviews | ★ 2.1 121 reviews
€ 12 · 3 reviews | € 120 · 3 reviews
12–18 years · 3 comments | 16–18 years · 3 comments
18:00 · 3 comments | 20:00 · 3 comments
12.05.2026 · 3 comments | 13.06.2026 · 3 comments
v2 · 3 downloads | v3 · 3 downloads
1,5 · 20 Bewertungen | 4,5 · 20 Bewertungen
20 Bewertungen, 4,9 | 20 Bewertungen, 2,9
Welcome to our spring menu | Welcome to our autumn menu
Bienvenidos a Sevilla | Bienvenidos a Granada
Benvenuti a Lucca | Benvenuti a Siena
Welkom in Utrecht | Welkom in Leiden
Vandaag 20:00 | Vandaag 18:00
Dzisiaj 20:00 | Dzisiaj 18:00
Tonight 8 pm | Tonight 9 pm
Tomorrow 10:00 | Tomorrow 11:00
Morgen 10:00 Uhr | Morgen 11:00 Uhr
Demain 10h00 | Demain 11h00
Mañana 10:00 | Mañana 11:00
Domani 10:00 | Domani 11:00
Good night stories for five nights | Good night stories for nine nights
Opened 2 years ago | Opened 12 years ago
Eröffnet vor 2 Jahren | Eröffnet vor 12 Jahren
Ouvert il y a 2 ans | Ouvert il y a 12 ans
Abierto hace 2 años | Abierto hace 12 años
Aperto 2 anni fa | Aperto 12 anni fa
Geopend 2 jaar geleden | Geopend 12 jaar geleden
8 months ago | 18 years ago
Copyright Act 1976 | Copyright Act 1986
© Hafen GmbH. Nächstes Fest: 2026 | © Hafen GmbH. Nächstes Fest: 2027
© Le Port, prochaine fête : 2026 | © Le Port, prochaine fête : 2027
(c) Anmeldung ab 2026 | (c) Anmeldung ab 2027
▼ 30 % auf alles | ▼ 50 % auf alles
▼ 30 % sur tout | ▼ 50 % sur tout
▼ 30 % en todo | ▼ 50 % en todo
▼ −30 % today only | ▼ −50 % today only
▲ Steigung 8 % | ▲ Steigung 18 %
▲ 2.450 m, Dauer 3 h | ▲ 2.450 m, Dauer 5 h
△ Hütte 1.820 m, 12 Betten | △ Hütte 1.280 m, 12 Betten
4,8 · 120 Bewertungen | 2,1 · 120 Bewertungen
4,8 · 120 avis | 2,1 · 120 avis
4,8 · 120 reseñas | 2,1 · 120 reseñas
4,8 · 120 recensioni | 2,1 · 120 recensioni
20:00 · 3 Kommentare | 18:00 · 3 Kommentare
12.05. 20:00 · 3 commentaires | 12.05. 18:00 · 3 commentaires
Chœur à 4 voix | Chœur à 5 voix
Chor mit 4 Stimmen | Chor mit 5 Stimmen
2 plays a season | 5 plays a season
Online 8–20 Uhr | Online 10–16 Uhr
En línea 8–20 | En línea 10–16
12 readers per lamp | 21 readers per lamp
Bauen 300 Wohnungen | Bauen 500 Wohnungen
Build 250 birdhouses with us | Build 150 birdhouses with us
Commit 10000 steps a day | Commit 20000 steps a day
Licence key 1b4e28ba-2fa1-11d2-883f-0016d3cca427 | Licence key 1b4e28ba-2fa1-11d2-883f-0016d3cca428
Konto 12345678-12345678-12345678 | Konto 12345678-12345678-12345679
Számlaszám 11773016-11111018-00000000 | Számlaszám 11773016-11111018-00000010
7 + 5 = ? | 7 + 6 = ?
12 − 4 = | 12 − 5 =
Aufgabe: 3 × 4 = ? | Aufgabe: 3 × 6 = ?
Orario 9–18 | Orario 10–14
Chiuso dal 1 al 14 agosto | Chiuso dal 1 al 28 agosto
Ultimo ingresso 17:30 | Ultimo ingresso 16:30
Cauzione: 200 | Cauzione: 500
Posti a sedere: 48 | Posti a sedere: 84
Durata 90 minuti | Durata 60 minuti
Scala 3, piano 2 | Scala 8, piano 2
Codice 7f3a9c | Codice 7f3b9c
Punteggio 88–79 | Punteggio 79–88
Rata 9,90 al mese | Rata 19,90 al mese
Da 12 anni | Da 16 anni
Cuocere a 180 °C | Cuocere a 220 °C
Dal 3 marzo 2027 | Dal 3 maggio 2027
Gesloten van 1 tot 14 augustus | Gesloten van 1 tot 28 augustus
Laatste toegang 17:30 | Laatste toegang 16:30
Borg: 200 | Borg: 500
Zaal B2 | Zaal C2
Havenstraat 12 | Havenstraat 21
Vanaf 12 jaar | Vanaf 16 jaar
Duur 90 minuten | Duur 60 minuten
Wassen op 30 °C | Wassen op 90 °C
Rij 12, stoel 8 | Rij 21, stoel 8
Nog 3 dagen | Nog 30 dagen
Bijdrage 9,90 per maand | Bijdrage 19,90 per maand
Fechado de 1 a 14 de agosto | Fechado de 1 a 28 de agosto
Última entrada 17h30 | Última entrada 16h30
Caução: 200 | Caução: 500
Rua do Porto 12 | Rua do Porto 21
Duração 90 minutos | Duração 60 minutos
A partir de 12 anos | A partir de 16 anos
Desconto de 20 % | Desconto de 70 %
Lavar a 30 °C | Lavar a 90 °C
Inscrições até 31/12/2026 | Inscrições até 31/01/2027
Fila 12, lugar 8 | Fila 21, lugar 8
Zamknięte od 1 do 14 sierpnia | Zamknięte od 1 do 28 sierpnia
Ostatnie wejście 17:30 | Ostatnie wejście 16:30
Kaucja: 200 | Kaucja: 500
Sala B2 | Sala C2
Ulica Portowa 12 | Ulica Portowa 21
Od 12 lat | Od 16 lat
Prać w 30 °C | Prać w 90 °C
Rząd 12, miejsce 8 | Rząd 21, miejsce 8
Zapisy do 31.12.2026 | Zapisy do 31.01.2027
Zostało 3 dni | Zostało 30 dni
Åpent 9–18 | Åpent 10–14
Öppet 9–18 | Öppet 10–14
Rum 101 | Rum 110
Otevřeno 9–18 | Otevřeno 10–14
Nástupiště 7 | Nástupiště 17`

// passing are texts that say of themselves that what differs changes by itself.
const passing = `
Updated 3 minutes ago | Updated 12 minutes ago
3 minutes ago | 2 hours ago
Posted yesterday | Posted 2 days ago
Vor 10 Tagen | Vor 3 Tagen
il y a 3 minutes | il y a 2 heures
hace 3 minutos | hace 2 horas
3 minuti fa | 2 ore fa
3 minuten geleden | 2 uur geleden
3 minuty temu | 2 godziny temu
11 months ago | 1 year ago
1 year ago | 2 years ago
2 days left | 1 day left
© 2026 | © 2027
© 2026 Harbour Ltd. All rights reserved. | © 2027 Harbour Ltd. All rights reserved.
© Harbour Ltd. 2026 | © Harbour Ltd. 2027
© Harbour & Sons Ltd 2019–2026 | © Harbour & Sons Ltd 2019–2027
Copyright (c) 2026 Hafen GmbH | Copyright (c) 2027 Hafen GmbH
Copyright 2026 Le Port | Copyright 2027 Le Port
2026 © El Puerto | 2027 © El Puerto
© 2014–2026 Basket · build 8f3a2c1 | © 2014–2027 Basket · build 03be77d
5 online | 3 online
1,204 views | 1,219 views
3 comments · 12 likes | 4 comments · 15 likes
12 people are watching this right now | 15 people are watching this right now
3.42M downloads | 3.43M downloads
1.204 Aufrufe | 1.219 Aufrufe
12 Kommentare | 14 Kommentare
❤ 431 · ↻ 17 | ❤ 440 · ↻ 19
DAX 18,204.11 ▼ -0.40% | DAX 18,391.02 ▲ +1.03%
Gold 2,178.20 ▲ +0.75% | Gold 2,160.90 ▼ -0.79%
▲ 1.4 % | ▼ 0.3 %
As of 1 March 2027 | As of 1 May 2027
Stand: 03.03.2025 | Stand: 11.03.2025
Mis à jour le 3 mars 2025 à 9h41 | Mis à jour le 11 mars 2025 à 17h02
Last updated: 3 Mar 2025, 09:41 | Last updated: 4 Mar 2025, 10:02
Local time 20:00 | Local time 18:00
Today is 12 June 2026 | Today is 13 June 2026
Heute: Freitag, 12. Juni 2026 | Heute: Samstag, 13. Juni 2026
Hello, Anna | Hello, Bernd
Welcome back, Anna! | Welcome back, Chidi!
Good morning, visitor! | Good evening, visitor!
Good afternoon | Good morning
Build 8f3a2c1 | Build 03be77d
Request 1a2b3c | Request 1a2b3d`

// TestLikenessesOfNumbersAreContent: what only resembles a counter, a clock, a greeting or a course is content, in any language.
func TestLikenessesOfNumbersAreContent(t *testing.T) {
	n := eachLikeness(t, likenesses, func(before, after string, v Verdict) {
		if v.Category == AllGood {
			t.Errorf("%q to %q is silent: %s", before, after, v.Reason)
		}
	})
	if n < fewestSiblings {
		t.Errorf("the table has %d facts", n)
	}
}

// TestPassingTextsAreSilent: what is content must not cost that everything is.
func TestPassingTextsAreSilent(t *testing.T) {
	eachLikeness(t, passing, func(before, after string, v Verdict) {
		if v.Category != AllGood || v.Reason == "" {
			t.Errorf("%q to %q is %s: %s", before, after, v.Category, v.Description)
		}
	})
}

// eachLikeness judges each line of a table and returns how many there are.
func eachLikeness(t *testing.T, table string, check func(before, after string, v Verdict)) int {
	t.Helper()
	n := 0
	for line := range strings.Lines(strings.TrimSpace(table)) {
		before, after, found := strings.Cut(strings.TrimSpace(line), " | ")
		if !found {
			t.Fatalf("%q has no other side", line)
		}
		n++
		p := &Pair{Before: withElements(paragraph(100, before)), After: withElements(paragraph(100, after)),
			Regions: []Region{region(1, 100, 100, 500, 130)}}
		check(before, after, verified(t, p).Verdicts[0])
	}
	return n
}

// TestOneNumberAmongMovingOnes: the minutes until a departure pass in every row, and excuse no other column.
func TestOneNumberAmongMovingOnes(t *testing.T) {
	board := func(minutes, platform int) Page {
		elements := []page.Element{boxed("table", "table", "", 100, 100, 900, 300)}
		for i := range 4 {
			row := boxed("tr", "row", "", 100, 100+30*i, 900, 130+30*i)
			row.Parent = 1
			elements = append(elements, row)
			at, track := len(elements), strconv.Itoa(2+i)
			if i == 1 {
				track = strconv.Itoa(platform)
			}
			for n, text := range []string{fmt.Sprintf("%d minutes left", minutes+i), track} {
				cell := boxed("td", "cell", text, 100+200*n, 100+30*i, 300+200*n, 130+30*i)
				cell.Parent = at
				elements = append(elements, cell)
			}
		}
		return withElements(elements...)
	}
	if v := judged(t, board(9, 3), board(7, 8), image.Rect(300, 130, 500, 160)); v.Category == AllGood {
		t.Errorf("another platform is silent: %s", v.Reason)
	}
}

// TestMarkedNumbers: a calendar marks another day by itself; who marks another size or price does it by hand.
func TestMarkedNumbers(t *testing.T) {
	choice := func(numbers, marked int) Page {
		elements := []page.Element{boxed("table", "table", "", 100, 100, 900, 400)}
		for i := range numbers {
			e := boxed("td", "cell", strconv.Itoa(i+1), 100+40*(i%7), 100+40*(i/7), 140+40*(i%7), 140+40*(i/7))
			e.Parent, e.Background, e.Color = 1, "#ffffff", "#222222"
			if i+1 == marked {
				e.Background = "#dd3333"
			}
			elements = append(elements, e)
		}
		return withElements(elements...)
	}
	for numbers, want := range map[int]Category{28: AllGood, 6: NotSure} {
		p := &Pair{Before: choice(numbers, 3), After: choice(numbers, 5),
			Regions: []Region{region(1, 180, 100, 220, 140), region(2, 260, 100, 300, 140)}}
		for _, v := range verified(t, p).Verdicts {
			if v.Category != want {
				t.Errorf("of %d numbers: %s by %s: %s", numbers, v.Category, v.Code, v.Description)
			}
		}
	}
}

// TestBars: a bar that shows how well somebody knows something is content, though it is marked as progress.
func TestBars(t *testing.T) {
	skill := func(width int) Page {
		bar := boxed("div", "progressbar", "", 100, 130, 100+width, 150)
		bar.Background = "#2a8000"
		return withElements(paragraph(100, "German"), bar)
	}
	if v := judged(t, skill(700), skill(300), image.Rect(100, 130, 800, 150)); v.Category == AllGood {
		t.Errorf("a shorter bar is silent: %s", v.Reason)
	}
}
