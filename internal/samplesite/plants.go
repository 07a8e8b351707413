package samplesite

// palette is the colours of one plate, as CSS colours.
type palette struct {
	ground string // the paper
	disc   string // the pale disc behind the plant
	petal  string
	shade  string // petals that lie further back
	eye    string // centre, stamens, berries
	leaf   string
	rib    string // stems and midribs
}

// plant is one entry of the plant guide and, if it flowers, one row of the
// bloom calendar.
type plant struct {
	Slug  string
	Name  string
	Latin string
	Where string
	Note  string
	From  int // first month in flower, 1 to 12; 0 if it never flowers
	To    int // last month in flower

	colours palette
	draw    func(*canvas, palette)
}

// plants is in the order in which they flower.
var plants = []plant{
	{
		Slug: "snowdrop", Name: "Snowdrop", Latin: "Galanthus nivalis", Where: "Arboretum", From: 1, To: 3,
		Note: "The first white under the bare limes. The outer three petals open like wings on a mild day and close again at dusk, " +
			"which keeps the pollen dry. Please stay on the path: the bulbs lie just below the leaf litter.",
		colours: palette{"#dfe8f2", "#eef3f9", "#ffffff", "#d5e0ec", "#7fae54", "#4d7d5f", "#35614a"}, draw: drawSnowdrop,
	},
	{
		Slug: "crocus", Name: "Early crocus", Latin: "Crocus tommasinianus", Where: "South lawn", From: 2, To: 3,
		Note: "Some nine thousand corms colour the lawn for a fortnight. The mower stays in its shed until the leaves have yellowed, " +
			"because they feed next year's flower.",
		colours: palette{"#ece4f4", "#f7f2fb", "#8d63c0", "#6b459c", "#f2a22c", "#5c8a4a", "#44703a"}, draw: drawCrocus,
	},
	{
		Slug: "tulip", Name: "Wild tulip", Latin: "Tulipa sylvestris", Where: "Walled garden", From: 4, To: 5,
		Note: "Slender, scented and yellow, and older in gardens than any of the striped ones. It wanders by runners, " +
			"so it turns up between the pear trees where nobody put it.",
		colours: palette{"#e3eee6", "#f1f7f2", "#f6c62f", "#dd9f16", "#b9770b", "#3f7f55", "#2c6341"}, draw: drawTulip,
	},
	{
		Slug: "iris", Name: "Bearded iris", Latin: "Iris × germanica", Where: "Rock garden", From: 5, To: 6,
		Note: "The yellow beard on each lower petal is a landing strip: a bee that follows it brushes past the pollen on its way in. " +
			"The rhizomes want the sun on their backs, so we never mulch them.",
		colours: palette{"#f5ead2", "#fbf5e7", "#5a55b8", "#8e8ade", "#f4b52b", "#6a9470", "#4c7757"}, draw: drawIris,
	},
	{
		Slug: "allium", Name: "Giant onion", Latin: "Allium giganteum", Where: "Long border", From: 5, To: 6,
		Note: "Each globe carries several hundred stars that open from the top downwards over three weeks. When they have faded we " +
			"leave them standing; hoar frost makes them flower twice.",
		colours: palette{"#e4ecd9", "#f2f6ea", "#a04fb0", "#7c3790", "#d79be2", "#5f9150", "#4a783e"}, draw: drawAllium,
	},
	{
		Slug: "foxglove", Name: "Foxglove", Latin: "Digitalis purpurea", Where: "Arboretum", From: 6, To: 7,
		Note: "A rosette in its first year, a spire in its second. The spots inside the bell lead bumblebees upwards from the oldest " +
			"flower to the youngest, which is the right order for the plant. All of it is poisonous.",
		colours: palette{"#dfeaf0", "#eff5f8", "#d0568f", "#b03a74", "#fbe0ec", "#4f8a5c", "#387046"}, draw: drawFoxglove,
	},
	{
		Slug: "poppy", Name: "Corn poppy", Latin: "Papaver rhoeas", Where: "Meadow", From: 6, To: 8,
		Note: "Four crumpled petals that last a single day, and a plant that makes four hundred of them. Seed waits in the soil for " +
			"decades until somebody turns the ground.",
		colours: palette{"#e6efe0", "#f4f8f0", "#e2402f", "#b92a20", "#241a1d", "#5e8f52", "#45743c"}, draw: drawPoppy,
	},
	{
		Slug: "oxeye-daisy", Name: "Ox-eye daisy", Latin: "Leucanthemum vulgare", Where: "Meadow", From: 6, To: 8,
		Note: "What looks like one flower is a few hundred: white ones for show around the rim, yellow ones that set the seed. " +
			"On bright nights the meadow seems lit from below.",
		colours: palette{"#cfe0ea", "#dfebf2", "#ffffff", "#e3e9ee", "#f2b71f", "#4a8a5b", "#336e46"}, draw: drawDaisy,
	},
	{
		Slug: "water-lily", Name: "White water lily", Latin: "Nymphaea alba", Where: "Pond", From: 6, To: 9,
		Note: "Open from nine until about four, and only if the sun is out. The leaf stalks reach two metres down to the mud and " +
			"carry air to the roots.",
		colours: palette{"#bfdcd8", "#cfe6e2", "#ffffff", "#f6d5e0", "#f5b83d", "#3c8468", "#2b6b53"}, draw: drawWaterLily,
	},
	{
		Slug: "houseleek", Name: "Houseleek", Latin: "Sempervivum tectorum", Where: "Alpine house", From: 7, To: 7,
		Note: "It was planted on roofs against lightning. Whether that works we cannot say, but it does survive there, " +
			"on almost no soil, by opening its pores only at night.",
		colours: palette{"#f0dfd6", "#f8ece6", "#7fae74", "#5a8f63", "#a63d55", "#6a9c66", "#9c3550"}, draw: drawRosette,
	},
	{
		Slug: "lavender", Name: "Lavender", Latin: "Lavandula angustifolia", Where: "Walled garden", From: 7, To: 8,
		Note: "Two hundred metres of hedge, cut on the last dry day of August. The scent sits in tiny glands between the hairs of the " +
			"leaf: rub one and wait for a moment.",
		colours: palette{"#f4ecd6", "#faf5e8", "#7a6cc4", "#5d4fa8", "#a69be0", "#8aa184", "#6d876a"}, draw: drawLavender,
	},
	{
		Slug: "wild-carrot", Name: "Wild carrot", Latin: "Daucus carota", Where: "Meadow", From: 7, To: 9,
		Note: "The ancestor of the one in the kitchen. Look for the single dark floret in the middle of the white plate; " +
			"in fruit the whole head curls up like a bird's nest.",
		colours: palette{"#d8e4d2", "#e8f0e3", "#ffffff", "#e9efdf", "#7a2350", "#5f8c55", "#4a7542"}, draw: drawUmbel,
	},
	{
		Slug: "coneflower", Name: "Purple coneflower", Latin: "Echinacea purpurea", Where: "Long border", From: 7, To: 9,
		Note: "The petals hang, the cone stands up and bristles. Finches take the seeds in October, one by one, holding on to the " +
			"cone as to a perch.",
		colours: palette{"#e7eef3", "#f4f8fa", "#cf5fa5", "#a9408a", "#b4521c", "#4b8057", "#356842"}, draw: drawConeflower,
	},
	{
		Slug: "feather-grass", Name: "Feather grass", Latin: "Nassella tenuissima", Where: "Rock garden", From: 6, To: 8,
		Note:    "Never quite still. The awns twist when they dry and straighten when they are wet, and so screw the seed into the ground.",
		colours: palette{"#dbe5e4", "#eaf1f0", "#d9b978", "#c09a53", "#efe0b6", "#9aa35a", "#7f8a45"}, draw: drawGrass,
	},
	{
		Slug: "sunflower", Name: "Sunflower", Latin: "Helianthus annuus", Where: "Walled garden", From: 8, To: 10,
		Note: "Count the spirals in the disc: 34 one way and 55 the other, two neighbours in Fibonacci's series. Only young plants " +
			"follow the sun; grown ones face east and wait for it.",
		colours: palette{"#cfe3ef", "#e0eef6", "#f7b81e", "#e0930f", "#54301a", "#4f8c45", "#3a7233"}, draw: drawSunflower,
	},
	{
		Slug: "rowan", Name: "Rowan", Latin: "Sorbus aucuparia", Where: "Arboretum", From: 5, To: 6,
		Note: "White umbels in May, but people come for the berries. The thrushes usually strip the three trees at the gate within " +
			"two days in September.",
		colours: palette{"#e9e6da", "#f5f3ea", "#e0502a", "#bd3a1b", "#f08a5a", "#567f4e", "#3f683a"}, draw: drawRowan,
	},
	{
		Slug: "royal-fern", Name: "Royal fern", Latin: "Osmunda regalis", Where: "Pond", From: 0, To: 0,
		Note: "No flower, no seed: the brown tassels at the tips carry green spores that live for three days. Ours came with the pond " +
			"and may be a hundred and twenty years old.",
		colours: palette{"#efe9d6", "#f8f4e8", "#4f9a5b", "#3a8049", "#a3703a", "#4f9a5b", "#3a7a46"}, draw: drawFern,
	},
	{
		Slug: "golden-barrel", Name: "Golden barrel cactus", Latin: "Kroenleinia grusonii", Where: "Alpine house", From: 5, To: 6,
		Note: "It takes fifteen years to the first ring of flowers. The ribs work like a concertina: they fold in a drought and open " +
			"after rain, without tearing the skin.",
		colours: palette{"#f6dfc0", "#fcefda", "#5f9b62", "#4a8452", "#f3c63c", "#5f9b62", "#d9c06a"}, draw: drawCactus,
	},
}
