package sites

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// language is what a site says in one language.
type language struct {
	code                    string
	nouns, adjectives       []string
	link                    string // word between two clauses
	months                  []string
	days                    []string
	price                   string // format of an amount
	comma                   bool   // decimal comma
	buy, more, send         string
	open, closed            string
	inStock, soldOut        string
	registration, noLonger  string // "Registration is open", and what it becomes
	ago, left               string // formats: "%d minutes ago", "%d h %02d min left"
	updated, viewers, count string // formats
	failed, empty, wait     string
	cookies, accept, chat   string
	hello, today            string
	related, news, search   string
	headline                []string // of sections
	fields                  []string // labels of a form
	menu                    []string
	speed, dose, legal      string // formats of numbers that must be right
}

func list(text string) []string { return strings.Split(text, ",") }

var english = &language{
	code: "en", nouns: list("garden,window,river,market,bridge,lantern,harbour,forest,kettle,meadow,orchard,timber,valley,anchor"),
	adjectives: list("quiet,bright,early,narrow,golden,gentle,sturdy,wooden,distant,fresh,simple,round"), link: "and",
	months: list("January,February,March,April,May,June,July,August,September,October,November,December"),
	days:   list("Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday"),
	price:  "£%s", buy: "Add to basket", more: "Read more", send: "Send", open: "Open now", closed: "Closed", inStock: "In stock",
	soldOut: "Sold out", registration: "Registration is open", noLonger: "Registration is closed", ago: "%d minutes ago",
	left: "%d h %02d min left", updated: "Updated at %02d:%02d", viewers: "%d people are looking at this", count: "%d views",
	failed: "This content could not be loaded", empty: "No entries", wait: "Loading", cookies: "We use cookies to improve this site.",
	accept: "Accept", chat: "Questions? Chat with us", hello: "Hello %s", today: "Today", related: "You may also like", news: "Latest",
	search: "Search for %s", headline: list("Our work,Good to know,How it works,Why people come,What we offer,From the workshop"),
	fields: list("Name,E-mail,Telephone,Message"), menu: list("Start,Offers,About us,Journal,Contact"),
	speed: "Maximum speed %d km/h", dose: "Take %d drops a day", legal: "Company number %d",
}

var german = &language{
	code: "de", nouns: list("Garten,Fenster,Fluss,Markt,Brücke,Laterne,Hafen,Wald,Kessel,Wiese,Anker,Holz,Tal,Korb"),
	adjectives: list("stille,helle,frühe,schmale,goldene,sanfte,kräftige,ferne,frische,einfache,runde"), link: "und",
	months: list("Januar,Februar,März,April,Mai,Juni,Juli,August,September,Oktober,November,Dezember"),
	days:   list("Montag,Dienstag,Mittwoch,Donnerstag,Freitag,Samstag,Sonntag"),
	price:  "%s €", comma: true, buy: "In den Warenkorb", more: "Weiterlesen", send: "Absenden", open: "Jetzt geöffnet",
	closed: "Geschlossen", inStock: "Auf Lager", soldOut: "Ausverkauft", registration: "Die Anmeldung ist geöffnet",
	noLonger: "Die Anmeldung ist geschlossen", ago: "vor %d Minuten", left: "noch %d Std. %02d Min.", updated: "Stand: %02d:%02d Uhr",
	viewers: "%d Personen sehen sich das an", count: "%d Aufrufe", failed: "Die Inhalte konnten nicht geladen werden",
	empty: "Keine Einträge", wait: "Wird geladen", cookies: "Diese Seite verwendet Cookies.", accept: "Einverstanden",
	chat: "Fragen? Schreiben Sie uns", hello: "Hallo %s", today: "Heute", related: "Das könnte Ihnen gefallen", news: "Neuestes",
	search: "Suche nach %s", headline: list("Unsere Arbeit,Gut zu wissen,So geht es,Angebote,Aus der Werkstatt,Leistungen"),
	fields: list("Name,E-Mail,Telefon,Nachricht"), menu: list("Start,Angebote,Über uns,Magazin,Kontakt"),
	speed: "Höchstgeschwindigkeit %d km/h", dose: "Täglich %d Tropfen", legal: "Handelsregister HRB %d",
}

var french = &language{
	code: "fr", nouns: list("jardin,fenêtre,rivière,marché,pont,lanterne,port,forêt,prairie,verger,vallée,panier,granit,île"),
	adjectives: list("calme,claire,étroite,dorée,douce,solide,lointaine,fraîche,simple,ronde"), link: "et",
	months: list("janvier,février,mars,avril,mai,juin,juillet,août,septembre,octobre,novembre,décembre"),
	days:   list("lundi,mardi,mercredi,jeudi,vendredi,samedi,dimanche"),
	price:  "%s €", comma: true, buy: "Ajouter au panier", more: "Lire la suite", send: "Envoyer", open: "Ouvert", closed: "Fermé",
	inStock: "En stock", soldOut: "Épuisé", registration: "Les inscriptions sont ouvertes", noLonger: "Les inscriptions sont closes",
	ago: "il y a %d minutes", left: "encore %d h %02d", updated: "Mis à jour à %02d:%02d", viewers: "%d personnes regardent cet article",
	count: "%d vues", failed: "Impossible de charger ce contenu", empty: "Aucun élément", wait: "Chargement",
	cookies: "Ce site utilise des cookies.", accept: "Accepter", chat: "Une question ? Écrivez-nous", hello: "Bonjour %s",
	today: "Aujourd’hui", related: "Vous aimerez aussi", news: "Actualités", search: "Rechercher %s",
	headline: list("Notre travail,Bon à savoir,Comment ça marche,Nos offres,De l’atelier,Pourquoi nous"),
	fields:   list("Nom,Courriel,Téléphone,Message"), menu: list("Accueil,Offres,À propos,Journal,Contact"),
	speed: "Vitesse maximale %d km/h", dose: "Prendre %d gouttes par jour", legal: "RCS Lyon %d",
}

var italian = &language{
	code: "it", nouns: list("giardino,finestra,fiume,mercato,ponte,lanterna,porto,bosco,prato,frutteto,valle,cesto,isola,collina"),
	adjectives: list("calmo,chiaro,stretto,dorato,dolce,solido,lontano,fresco,semplice,rotondo"), link: "e",
	months: list("gennaio,febbraio,marzo,aprile,maggio,giugno,luglio,agosto,settembre,ottobre,novembre,dicembre"),
	days:   list("lunedì,martedì,mercoledì,giovedì,venerdì,sabato,domenica"),
	price:  "€ %s", comma: true, buy: "Aggiungi al carrello", more: "Continua", send: "Invia", open: "Aperto ora", closed: "Chiuso",
	inStock: "Disponibile", soldOut: "Esaurito", registration: "Le iscrizioni sono aperte", noLonger: "Le iscrizioni sono chiuse",
	ago: "%d minuti fa", left: "mancano %d h %02d", updated: "Aggiornato alle %02d:%02d", viewers: "%d persone stanno guardando",
	count: "%d visualizzazioni", failed: "Caricamento dei contenuti non riuscito", empty: "Nessun elemento", wait: "Caricamento",
	cookies: "Questo sito utilizza i cookie.", accept: "Accetta", chat: "Domande? Scrivici", hello: "Ciao %s", today: "Oggi",
	related: "Potrebbe piacerti", news: "Notizie", search: "Cerca %s",
	headline: list("Il nostro lavoro,Buono a sapersi,Come funziona,Le offerte,Dal laboratorio,Perché noi"),
	fields:   list("Nome,Posta,Telefono,Messaggio"), menu: list("Inizio,Offerte,Chi siamo,Diario,Contatti"),
	speed: "Velocità massima %d km/h", dose: "Assumere %d gocce al giorno", legal: "Partita IVA %d",
}

var dutch = &language{
	code: "nl", nouns: list("tuin,raam,rivier,markt,brug,lantaarn,haven,bos,ketel,weide,boomgaard,hout,dal,mand"),
	adjectives: list("stille,heldere,vroege,smalle,gouden,zachte,stevige,verre,verse,eenvoudige,ronde"), link: "en",
	months: list("januari,februari,maart,april,mei,juni,juli,augustus,september,oktober,november,december"),
	days:   list("maandag,dinsdag,woensdag,donderdag,vrijdag,zaterdag,zondag"),
	price:  "€ %s", comma: true, buy: "In winkelwagen", more: "Lees verder", send: "Versturen", open: "Nu open", closed: "Gesloten",
	inStock: "Op voorraad", soldOut: "Uitverkocht", registration: "De inschrijving is open", noLonger: "De inschrijving is gesloten",
	ago: "%d minuten geleden", left: "nog %d u %02d", updated: "Bijgewerkt om %02d:%02d", viewers: "%d mensen bekijken dit",
	count: "%d keer bekeken", failed: "De inhoud kon niet worden geladen", empty: "Geen items", wait: "Bezig met laden",
	cookies: "Deze site gebruikt cookies.", accept: "Akkoord", chat: "Vragen? Chat met ons", hello: "Hallo %s", today: "Vandaag",
	related: "Misschien ook leuk", news: "Nieuws", search: "Zoek naar %s",
	headline: list("Ons werk,Goed om te weten,Hoe het werkt,Ons aanbod,Uit het atelier,Waarom wij"),
	fields:   list("Naam,E-mail,Telefoon,Bericht"), menu: list("Start,Aanbod,Over ons,Dagboek,Contact"),
	speed: "Maximumsnelheid %d km/u", dose: "Neem %d druppels per dag", legal: "KvK-nummer %d",
}

var polish = &language{
	code: "pl", nouns: list("ogród,okno,rzeka,rynek,most,latarnia,port,las,łąka,sad,dolina,kosz,wyspa,granit"),
	adjectives: list("cichy,jasny,wczesny,wąski,złoty,łagodny,mocny,daleki,świeży,prosty,okrągły"), link: "i",
	months: list("stycznia,lutego,marca,kwietnia,maja,czerwca,lipca,sierpnia,września,października,listopada,grudnia"),
	days:   list("poniedziałek,wtorek,środa,czwartek,piątek,sobota,niedziela"),
	price:  "%s zł", comma: true, buy: "Do koszyka", more: "Czytaj dalej", send: "Wyślij", open: "Otwarte", closed: "Zamknięte",
	inStock: "Dostępny", soldOut: "Wyprzedane", registration: "Zapisy są otwarte", noLonger: "Zapisy są zamknięte",
	ago: "%d minut temu", left: "zostało %d godz. %02d min", updated: "Aktualizacja %02d:%02d", viewers: "Ogląda to %d osób",
	count: "%d wyświetleń", failed: "Nie udało się wczytać treści", empty: "Brak wpisów", wait: "Wczytywanie",
	cookies: "Ta strona używa plików cookie.", accept: "Zgoda", chat: "Pytania? Napisz do nas", hello: "Witaj %s", today: "Dzisiaj",
	related: "Może Ci się spodobać", news: "Aktualności", search: "Szukaj: %s",
	headline: list("Nasza praca,Warto wiedzieć,Jak to działa,Oferta,Z warsztatu,Dlaczego my"),
	fields:   list("Imię,E-mail,Telefon,Wiadomość"), menu: list("Start,Oferta,O nas,Dziennik,Kontakt"),
	speed: "Prędkość maksymalna %d km/h", dose: "Dawka: %d kropli dziennie", legal: "NIP %d",
}

// sentence is a made-up sentence.
func (l *language) sentence(r *rand.Rand, clauses int) string {
	parts := make([]string, clauses)
	for i := range parts {
		parts[i] = pick(r, l.adjectives) + " " + pick(r, l.nouns) + " " + l.link + " " + pick(r, l.adjectives) + " " + pick(r, l.nouns)
	}
	return capital(strings.Join(parts, ", ")) + "."
}

func (l *language) prose(r *rand.Rand, sentences int) string {
	parts := make([]string, sentences)
	for i := range parts {
		parts[i] = l.sentence(r, 1+r.IntN(3))
	}
	return strings.Join(parts, " ")
}

// title is a made-up heading.
func (l *language) title(r *rand.Rand) string {
	return capital(pick(r, l.adjectives) + " " + pick(r, l.nouns))
}

// number spells a number of hundredths in the way of the language.
func (l *language) number(hundredths int) string {
	text := fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100)
	if l.comma {
		text = strings.Replace(text, ".", ",", 1)
	}
	return text
}

// amount spells an amount of money.
func (l *language) amount(hundredths int) string { return fmt.Sprintf(l.price, l.number(hundredths)) }

// date spells the day of a year that has 28 days in each month.
func (l *language) date(day int) string {
	return fmt.Sprintf("%d %s", day%28+1, l.months[day/28%12])
}

func capital(text string) string {
	first := []rune(text)
	return strings.ToUpper(string(first[:1])) + string(first[1:])
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

var people = list("Ada,Ben,Cleo,Dario,Emil,Fay,Gus,Hana,Ida,Jon,Kaya,Leo,Mona,Nils,Oda,Pia")
