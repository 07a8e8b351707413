package verify

import (
	"strings"
	"testing"
)

// siblings are facts of pages in four languages, each as it was and as it is. Some of them have a word, a form or a sign in them that
// elsewhere stands for a number that changes by itself.
var siblings = map[string]string{
	"en": `
Closing date: 30 June 2026 | Closing date: 30 July 2026
Exam on 14 May 2027 | Exam on 4 May 2027
2026-12-31 | 2027-01-31
Deadline: 2026-12-31T18:00 | Deadline: 2026-11-30T18:00
Auction ends 2026-12-31T18:00:00Z | Auction ends 2026-12-30T18:00:00Z
Sunday, 3 May 2026, 2 pm | Sunday, 3 May 2026, 4 pm
Mon–Thu 8–17 | Mon–Thu 9–16
9–18 | 10–14
9 - 18 | 10 - 14
7 am – 9 pm | 8 am – 6 pm
Closed from 1 to 14 August | Closed from 1 to 28 August
Open today 10:00–20:00 | Open today 12:00–16:00
Today: doors at 19:00 | Today: doors at 20:00
It is 5 minutes to the station | It is 15 minutes to the station
Last admission 17:30 | Last admission 16:30
Check-in from 15:00 | Check-in from 14:00
Adults 12.50 | Adults 21.50
$1,299 | $1,999
£ 45 per night | £ 54 per night
From 9.90 a month | From 19.90 a month
Deposit: 200 | Deposit: 500
2 for 1 | 3 for 1
Voucher AB12-CD34 | Voucher AB21-CD43
Use code SAVE10 | Use code SAVE50
Article 7f3a9c | Article 7f3b9c
Ref: 2b41f0 | Ref: 2b41f1
Ref. 44a1 | Ref. 44b1
Order no. 100-2345 | Order no. 100-2354
Postcode SW1A 1AA | Postcode SW1A 2AA
Room 101 | Room 110
Room 2.14 | Room 3.14
Hall 4, stand C12 | Hall 5, stand C12
Gate 7 | Gate 17
Platform 3b | Platform 8a
Terminal 1 | Terminal 2
3 : 2 | 2 : 3
3–2 | 0–2
Final score 88–79 | Final score 79–88
Rating 4.5 / 5 | Rating 2.5 / 5
4/5 | 2/5
3 / 5 | 2 / 5
3 of 5 | 1 of 5
Level 3 / 6 | Level 5 / 6
Grade 1.7 | Grade 2.7
Bake at 180 °C | Bake at 220 °C
Store below 25° | Store below 5°
−18 °C | −8 °C
Water 21 °C | Water 12 °C
12 Harbour Street | 21 Harbour Street
Flat 3, 18 Mill Road | Flat 8, 13 Mill Road
https://example.com:8443 | https://example.com:8080
192.168.1.10 | 192.168.1.100
Version 4.2.1 | Version 4.3.0
Release 24.04 | Release 22.04
v3.0.0-rc.1 | v3.0.0
Requires PHP 8.2 | Requires PHP 8.4
Session 101: Introduction | Session 102: Introduction
Session 240 | Session 204
Revision 2019 | Revision 2024
Request 404 forms | Request 440 forms
Row 12, seat 8 | Row 21, seat 8
48 seats | 84 seats
7 seats left | 70 seats left
14 days left | 30 days left
Registration ends in 3 days | Registration ends in 10 days
Founded 150 years ago | Founded 50 years ago
We started 25 years ago | We started 20 years ago
Copyright Act 1976 | Copyright Act 1967
© 1998–2026 Harbour Ltd | © 1989–2026 Harbour Ltd
© 2026 Harbour Ltd | © 2016 Harbour Ltd
▲ Summit 2,450 m | ▲ Summit 1,450 m
▼ 12 parking spaces | ▼ 21 parking spaces
10,000 views | 1,000 views
2,400 downloads | 240 downloads
Up to 100 visitors | Up to 10 visitors
120 visitors per guide | 12 visitors per guide
Includes 3 downloads | Includes 1 downloads
Minimum 5 reviews | Minimum 50 reviews
Fence 2 x 3 | Fence 3 x 3
40 × 60 | 60 × 60
100 - 20 | 100 - 50
Tel. 020 7946 0958 | Tel. 020 7946 0985
Dose: 5 ml | Dose: 50 ml
75 kg | 57 kg
Speed limit 30 | Speed limit 50
Battery life 12 hours | Battery life 8 hours
Delivery in 2–3 days | Delivery in 2–3 weeks
Free for 14 days | Free for 7 days
Next bus 12:10 | Next bus 12:40
Updated terms apply from 1 March 2027 | Updated terms apply from 1 May 2027
As of 1 January 2027 the fee is 30 | As of 1 January 2027 the fee is 40
Welcome 2026 | Welcome 2027`,
	"de": `
Bewerbungsschluss: 15.03.2027 | Bewerbungsschluss: 15.05.2027
Prüfung am 14. Mai 2027 | Prüfung am 4. Mai 2027
Abgabe bis 12.12. | Abgabe bis 21.12.
Mo–Fr 8–17 Uhr | Mo–Fr 9–16 Uhr
8–12 | 8–18
Sprechstunde 14:00–16:00 | Sprechstunde 15:00–16:00
Heute bis 22 Uhr | Heute bis 20 Uhr
Heute geschlossen ab 13 Uhr | Heute geschlossen ab 12 Uhr
Letzter Einlass 17:30 | Letzter Einlass 16:30
Betriebsferien vom 1. bis 14. August | Betriebsferien vom 1. bis 28. August
Erwachsene 12,50 € | Erwachsene 21,50 €
ab 9,90 im Monat | ab 19,90 im Monat
Kaution: 200 | Kaution: 500
Miete 845 € | Miete 854 €
Gutschein AB12-CD34 | Gutschein AB21-CD43
Artikel 7f3a9c | Artikel 7f3b9c
Aktenzeichen 12 C 345/26 | Aktenzeichen 12 C 354/26
PLZ 20095 | PLZ 20059
Raum 101 | Raum 110
Saal B2 | Saal C2
Gleis 7 | Gleis 17
Flugsteig A12 | Flugsteig A21
2 : 1 | 1 : 2
Endstand 88:79 | Endstand 79:88
Note 1,7 | Note 2,7
4 von 5 | 2 von 5
Bewertung 4,5 / 5 | Bewertung 2,5 / 5
Backen bei 180 °C | Backen bei 220 °C
Wasser 21 Grad | Wasser 12 Grad
Hafenstraße 12 | Hafenstraße 21
Hinterhaus, 3. Stock | Hinterhaus, 5. Stock
Version 4.2.1 | Version 4.3.0
Ausgabe 3/2026 | Ausgabe 4/2026
Reihe 12, Platz 8 | Reihe 21, Platz 8
48 Sitzplätze | 84 Sitzplätze
Noch 7 Plätze frei | Noch 70 Plätze frei
Noch 3 Tage | Noch 30 Tage
Vor 150 Jahren gegründet | Vor 50 Jahren gegründet
Höchstens 100 Besucher | Höchstens 10 Besucher
25 Besucher je Führung | 15 Besucher je Führung
Stand der Preise: 1.1.2026 | Stand der Preise: 1.1.2027
Stand B12 | Stand C12
Stand 12 | Stand 21
© 1998–2026 Hafen GmbH | © 1989–2026 Hafen GmbH
Urlaub: 30 Tage | Urlaub: 24 Tage
Probezeit 6 Monate | Probezeit 3 Monate
Akku hält 12 Stunden | Akku hält 8 Stunden
Widerruf binnen 14 Tagen | Widerruf binnen 30 Tagen
Fassungsvermögen 1,5 l | Fassungsvermögen 15 l
Tempo 30 | Tempo 50
Pfand 0,25 | Pfand 0,15
Ab 18 | Ab 16
Telefon 040 123456 | Telefon 040 123465
Bus 7, Takt 10 Minuten | Bus 7, Takt 20 Minuten
Kurs 2041: Segeln | Kurs 2014: Segeln
Willkommen 2026 | Willkommen 2027`,
	"fr": `
Date limite : 15/03/2027 | Date limite : 15/05/2027
Examen le 14 mai 2027 | Examen le 4 mai 2027
Fermé du 1er au 14 août | Fermé du 1er au 28 août
Lun–ven 8 h – 17 h | Lun–ven 9 h – 16 h
9h–18h | 10h–14h
9 – 18 | 10 – 14
Aujourd'hui jusqu'à 22 h | Aujourd'hui jusqu'à 20 h
Dernière entrée 17h30 | Dernière entrée 16h30
Adultes 12,50 € | Adultes 21,50 €
À partir de 9,90 par mois | À partir de 19,90 par mois
Caution : 200 | Caution : 500
Loyer 845 € | Loyer 854 €
Code PROMO10 | Code PROMO50
Bon AB12-CD34 | Bon AB21-CD43
Dossier 7f3a9c | Dossier 7f3b9c
75011 Paris | 75001 Paris
Studio 101 | Studio 110
Salle 2.14 | Salle 3.14
Porte B12 | Porte C4
Quai 7 | Quai 17
Voie 3 | Voie 8
3 : 2 | 2 : 3
Score final 88–79 | Score final 79–88
Note 4,5 / 5 | Note 2,5 / 5
4 sur 5 | 2 sur 5
3 de 5 | 2 de 5
Cuire à 180 °C | Cuire à 220 °C
Eau 21 °C | Eau 12 °C
12 rue du Port | 21 rue du Port
3e étage | 5e étage
Version 4.2.1 | Version 4.3.0
Numéro 3/2026 | Numéro 4/2026
Rang 12, place 8 | Rang 21, place 8
48 places assises | 84 places assises
Encore 3 jours | Encore 30 jours
Fondé il y a 150 ans | Fondé il y a 50 ans
Jusqu'à 100 visiteurs | Jusqu'à 10 visiteurs
Mise à jour des tarifs : 1er mars 2027 | Mise à jour des tarifs : 1er mai 2027
© 1998–2026 Le Port | © 1989–2026 Le Port
Congés : 25 jours | Congés : 20 jours
Essai de 6 mois | Essai de 3 mois
Autonomie 12 heures | Autonomie 8 heures
Rétractation sous 14 jours | Rétractation sous 30 jours
Contenance 1,5 l | Contenance 15 l
Dose : 5 ml | Dose : 50 ml
Interdit aux moins de 18 ans | Interdit aux moins de 16 ans
Tél. 01 23 45 67 89 | Tél. 01 23 45 76 89
Toutes les 10 minutes | Toutes les 20 minutes
Bienvenue 2026 | Bienvenue 2027`,
	"es": `
Fecha límite: 15/03/2027 | Fecha límite: 15/05/2027
Examen el 14 de mayo de 2027 | Examen el 4 de mayo de 2027
Cerrado del 1 al 14 de agosto | Cerrado del 1 al 28 de agosto
Lun–vie 8–17 h | Lun–vie 9–16 h
9:00 - 18:00 | 10:00 - 14:00
9 – 18 | 10 – 14
Hoy hasta las 22 h | Hoy hasta las 20 h
Última entrada 17:30 | Última entrada 16:30
Adultos 12,50 € | Adultos 21,50 €
Desde 9,90 al mes | Desde 19,90 al mes
Fianza: 200 | Fianza: 500
Alquiler 845 € | Alquiler 854 €
Código AHORRA10 | Código AHORRA50
Vale AB12-CD34 | Vale AB21-CD43
Expediente 7f3a9c | Expediente 7f3b9c
28013 Madrid | 28031 Madrid
Habitación 101 | Habitación 110
Aula 2.14 | Aula 3.14
Puerta B12 | Puerta C4
Andén 7 | Andén 17
3 : 2 | 2 : 3
Resultado 88–79 | Resultado 79–88
Nota 8,5 | Nota 5,5
4 de 5 | 2 de 5
Hornear a 180 °C | Hornear a 220 °C
Agua 21 °C | Agua 12 °C
Calle del Puerto 12 | Calle del Puerto 21
3.º izquierda | 5.º izquierda
Versión 4.2.1 | Versión 4.3.0
Número 3/2026 | Número 4/2026
Fila 12, asiento 8 | Fila 21, asiento 8
48 asientos | 84 asientos
Quedan 3 días | Quedan 30 días
Fundado hace 150 años | Fundado hace 50 años
Hasta 100 visitantes | Hasta 10 visitantes
Tarifas actualizadas el 1 de marzo de 2027 | Tarifas actualizadas el 1 de mayo de 2027
© 1998–2026 El Puerto | © 1989–2026 El Puerto
Vacaciones: 30 días | Vacaciones: 22 días
Prueba de 6 meses | Prueba de 3 meses
Batería de 12 horas | Batería de 8 horas
Devolución en 14 días | Devolución en 30 días
Capacidad 1,5 l | Capacidad 15 l
Dosis: 5 ml | Dosis: 50 ml
Mayores de 18 | Mayores de 16
Tel. 91 123 45 67 | Tel. 91 123 54 67
Cada 10 minutos | Cada 20 minutos
Hola 2026 | Hola 2027`,
}

// fewestSiblings is how many facts the table has at least.
const fewestSiblings = 200

// TestSiblingsOfFactsAreContent: whichever word or sign stands beside a number, a fact is content.
func TestSiblingsOfFactsAreContent(t *testing.T) {
	n := 0
	for language, table := range siblings {
		for line := range strings.Lines(strings.TrimSpace(table)) {
			before, after, found := strings.Cut(strings.TrimSpace(line), " | ")
			if !found {
				t.Fatalf("%q has no other side", line)
			}
			n++
			for _, tag := range []string{"p", "td"} {
				was, is := paragraph(100, before), paragraph(100, after)
				was.Tag, is.Tag = tag, tag
				p := &Pair{Before: withElements(was), After: withElements(is), Regions: []Region{region(1, 100, 100, 500, 130)}}
				if v := verified(t, p).Verdicts[0]; v.Category == AllGood {
					t.Errorf("%s: %q to %q in %s is silent: %s", language, before, after, tag, v.Reason)
				}
			}
		}
	}
	if n < fewestSiblings {
		t.Errorf("the table has %d facts", n)
	}
	t.Logf("%d facts", n)
}
