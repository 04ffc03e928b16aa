// Stops with one line when npm scripts run on a Node that is too old: without this they would fail in stranger ways.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
	console.error(
		`Reprise needs Node 22.19 or newer and found ${process.version}. "npm install" brings Node 24 along; ` +
			'if its install script was blocked, run "npm install-scripts approve node" and "npm rebuild node".',
	);
	process.exit(1);
}
