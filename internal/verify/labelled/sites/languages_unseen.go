package sites

// The languages of the unseen sites.

var spanish = &language{
	code: "es", nouns: list("jardín,ventana,río,mercado,puente,farol,puerto,bosque,pradera,huerto,valle,cesta,isla,piedra"),
	adjectives: list("tranquilo,claro,estrecho,dorado,suave,firme,lejano,fresco,sencillo,redondo"), link: "y",
	months: list("enero,febrero,marzo,abril,mayo,junio,julio,agosto,septiembre,octubre,noviembre,diciembre"),
	days:   list("lunes,martes,miércoles,jueves,viernes,sábado,domingo"),
	price:  "%s €", comma: true, buy: "Añadir a la cesta", more: "Leer más", send: "Enviar", open: "Abierto", closed: "Cerrado",
	inStock: "En existencias", soldOut: "Agotado", registration: "La inscripción está abierta",
	noLonger: "La inscripción está cerrada", ago: "hace %d minutos", left: "quedan %d h %02d", updated: "Actualizado a las %02d:%02d",
	viewers: "%d personas lo están viendo", count: "%d vistas", failed: "No se pudo cargar el contenido", empty: "Sin entradas",
	wait: "Cargando", cookies: "Este sitio usa cookies.", accept: "Aceptar", chat: "¿Preguntas? Escríbenos", hello: "Hola %s",
	today: "Hoy", related: "También te puede gustar", news: "Noticias", search: "Buscar %s",
	headline: list("Nuestro trabajo,Conviene saber,Cómo funciona,Lo que ofrecemos,Del taller,Por qué nosotros"),
	fields:   list("Nombre,Correo,Teléfono,Mensaje"), menu: list("Inicio,Ofertas,Nosotros,Diario,Contacto"),
	speed: "Velocidad máxima %d km/h", dose: "Tomar %d gotas al día", legal: "NIF B%d",
}

var portuguese = &language{
	code: "pt", nouns: list("jardim,janela,rio,mercado,ponte,lanterna,porto,bosque,prado,pomar,vale,cesto,ilha,pedra"),
	adjectives: list("calmo,claro,estreito,dourado,suave,firme,distante,fresco,simples,redondo"), link: "e",
	months: list("janeiro,fevereiro,março,abril,maio,junho,julho,agosto,setembro,outubro,novembro,dezembro"),
	days:   list("segunda,terça,quarta,quinta,sexta,sábado,domingo"),
	price:  "R$ %s", comma: true, buy: "Adicionar ao carrinho", more: "Ler mais", send: "Enviar", open: "Aberto agora",
	closed: "Fechado", inStock: "Em estoque", soldOut: "Esgotado", registration: "As inscrições estão abertas",
	noLonger: "As inscrições estão encerradas", ago: "há %d minutos", left: "faltam %d h %02d", updated: "Atualizado às %02d:%02d",
	viewers: "%d pessoas estão vendo", count: "%d visualizações", failed: "Não foi possível carregar o conteúdo",
	empty: "Nenhum item", wait: "Carregando", cookies: "Este site usa cookies.", accept: "Aceitar", chat: "Dúvidas? Fale conosco",
	hello: "Olá %s", today: "Hoje", related: "Você também pode gostar", news: "Novidades", search: "Procurar %s",
	headline: list("Nosso trabalho,Bom saber,Como funciona,O que oferecemos,Da oficina,Por que nós"),
	fields:   list("Nome,E-mail,Telefone,Mensagem"), menu: list("Início,Ofertas,Sobre nós,Diário,Contato"),
	speed: "Velocidade máxima %d km/h", dose: "Tomar %d gotas por dia", legal: "CNPJ %d",
}

var swedish = &language{
	code: "sv", nouns: list("trädgård,fönster,flod,torg,bro,lykta,hamn,skog,kittel,äng,lund,dal,korg,ankare"),
	adjectives: list("stilla,ljusa,tidiga,smala,gyllene,milda,stadiga,fjärran,friska,enkla,runda"), link: "och",
	months: list("januari,februari,mars,april,maj,juni,juli,augusti,september,oktober,november,december"),
	days:   list("måndag,tisdag,onsdag,torsdag,fredag,lördag,söndag"),
	price:  "%s kr", comma: true, buy: "Lägg i varukorgen", more: "Läs mer", send: "Skicka", open: "Öppet nu", closed: "Stängt",
	inStock: "I lager", soldOut: "Slutsåld", registration: "Anmälan är öppen", noLonger: "Anmälan är stängd",
	ago: "för %d minuter sedan", left: "%d tim %02d min kvar", updated: "Uppdaterad %02d:%02d", viewers: "%d personer tittar på detta",
	count: "%d visningar", failed: "Innehållet kunde inte läsas in", empty: "Inga poster", wait: "Läser in",
	cookies: "Webbplatsen använder kakor.", accept: "Godkänn", chat: "Frågor? Skriv till oss", hello: "Hej %s", today: "I dag",
	related: "Du kanske också gillar", news: "Senaste nytt", search: "Sök efter %s",
	headline: list("Vårt arbete,Bra att veta,Så fungerar det,Vårt utbud,Från verkstaden,Varför vi"),
	fields:   list("Namn,E-post,Telefon,Meddelande"), menu: list("Start,Utbud,Om oss,Dagbok,Kontakt"),
	speed: "Högsta hastighet %d km/h", dose: "Ta %d droppar om dagen", legal: "Organisationsnummer %d",
}

var czech = &language{
	code: "cs", nouns: list("zahrada,okno,řeka,trh,most,lucerna,přístav,les,kotlík,louka,sad,údolí,košík,ostrov"),
	adjectives: list("tichý,jasný,časný,úzký,zlatý,jemný,pevný,vzdálený,svěží,prostý,kulatý"), link: "a",
	months: list("ledna,února,března,dubna,května,června,července,srpna,září,října,listopadu,prosince"),
	days:   list("pondělí,úterý,středa,čtvrtek,pátek,sobota,neděle"),
	price:  "%s Kč", comma: true, buy: "Do košíku", more: "Číst dál", send: "Odeslat", open: "Otevřeno", closed: "Zavřeno",
	inStock: "Skladem", soldOut: "Vyprodáno", registration: "Přihlášky jsou otevřené", noLonger: "Přihlášky jsou uzavřené",
	ago: "před %d minutami", left: "zbývá %d h %02d", updated: "Aktualizováno %02d:%02d", viewers: "Prohlíží si to %d lidí",
	count: "%d zobrazení", failed: "Obsah se nepodařilo načíst", empty: "Žádné položky", wait: "Načítání",
	cookies: "Tento web používá cookies.", accept: "Souhlasím", chat: "Dotazy? Napište nám", hello: "Ahoj %s", today: "Dnes",
	related: "Mohlo by se vám líbit", news: "Novinky", search: "Hledat %s",
	headline: list("Naše práce,Dobré vědět,Jak to funguje,Co nabízíme,Z dílny,Proč my"),
	fields:   list("Jméno,E-mail,Telefon,Zpráva"), menu: list("Úvod,Nabídka,O nás,Deník,Kontakt"),
	speed: "Nejvyšší rychlost %d km/h", dose: "Užívejte %d kapek denně", legal: "IČO %d",
}
