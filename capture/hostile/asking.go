package hostile

// asking are pages that attack by what they ask the browser for.
var asking = []Page{
	heavy("dialogs", script(`for (let i = 0; i < 300; i++) { alert(i); confirm(i); prompt(i) } setInterval(() => alert('again'), 50)`)),
	page("stay", script(`onbeforeunload = (e) => { e.preventDefault(); return 'stay' }; history.pushState(0, '', '#')`)),
	page("print", script(`for (let i = 0; i < 20; i++) print(); setInterval(print, 50)`)),
	page("popups", script(`for (let i = 0; i < 500; i++) open('control?' + i); document.onclick = () => open('control'); `+
		`setInterval(() => open('about:blank'), 50)`)),
	page("downloads", html(`<title>hostile</title><a download href="data:application/zip,x" id=a></a>`+
		`<script>for (let i = 0; i < 50; i++) a.click()</script><iframe src="download"></iframe>`)),
	page("permissions", script(`
		const quietly = (ask) => { try { Promise.resolve(ask()).catch(() => {}) } catch {} };
		const asks = [() => Notification.requestPermission(), () => navigator.geolocation.getCurrentPosition(() => {}), () => `+
		`navigator.mediaDevices.getUserMedia({ video: true, audio: true }),
			() => navigator.mediaDevices.getDisplayMedia(), () => navigator.requestMIDIAccess({ sysex: true }), () => `+
		`navigator.clipboard.readText(), () => navigator.usb.requestDevice({ filters: [] }),
			() => navigator.bluetooth.requestDevice({ acceptAllDevices: true }), () => navigator.serial.requestPort(), () => `+
		`navigator.hid.requestDevice({ filters: [] }), () => showOpenFilePicker(),
			() => navigator.wakeLock.request(), () => navigator.storage.persist(), () => document.documentElement.requestFullscreen(), `+
		`() => document.documentElement.requestPointerLock(),
			() => navigator.share({ title: 'x' }), () => navigator.credentials.get({ publicKey: { challenge: new Uint8Array(9) } }), () `+
		`=> navigator.registerProtocolHandler('web+x', '?%s'),
			() => documentPictureInPicture.requestWindow(), () => Object.assign(document.createElement('input'), { type: 'file' }`+
		`).click(), () => getScreenDetails(), () => IdleDetector.requestPermission()];
		for (const ask of asks) quietly(ask)`)),
	heavy("graphics-lost", script(`for (let i = 0; i < 60; i++) { const c = document.createElement('canvas'); document.body.append(c);
		const gl = c.getContext('webgl2') || c.getContext('webgl'); gl?.getExtension('WEBGL_lose_context')?.loseContext() }`)),
	page("plays", script(`const context = new AudioContext(); for (let i = 0; i < 500; i++) { const o = context.createOscillator(); `+
		`o.connect(context.destination); o.start() }
		for (let i = 0; i < 50; i++) speechSynthesis.speak(new SpeechSynthesisUtterance('hostile '.repeat(1000)))`)),
}
