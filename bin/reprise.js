#!/usr/bin/env node
// Starts Reprise on a Node that can run it. Plain JavaScript that any Node since 14 parses.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const [major, minor] = process.versions.node.split('.').map(Number);
const first = process.argv[2];

if (process.argv.length === 3 && (first === '--version' || first === '-v')) {
	process.stdout.write(`${JSON.parse(readFileSync(at('package.json'), 'utf8')).version}\n`);
} else if (major > 22 || (major === 22 && minor >= 19)) {
	await start();
} else {
	await again();
}

async function start() {
	if (!existsSync(at('dist/cli/main.js'))) {
		console.error('Reprise is not built yet: run "npm install" in its folder.');
		process.exit(3);
	}
	// Last of all: nobody waits for it. A package has of the sources only what its documents link to, and nothing there can be built.
	if (existsSync(at('src/index.ts'))) process.on('exit', tellOutdated);
	endWithLauncher();
	const { main } = await import('../dist/cli/main.js');
	process.exitCode = await main(process.argv.slice(2));
}

function tellOutdated() {
	if (!isOutdated()) return;
	// Not by console.error: what libraries say there is held back.
	process.stderr.write(`Reprise's sources have changed since it was built: run "npm run build" in ${at('')}\n`);
}

/**
 * Whether a checkout's sources are not those that were built, as after `git pull`. Only files that look changed are read, because every
 * command ends with this; what git wrote anew with the same content is no change. A new file counts with the one that imports it.
 */
function isOutdated() {
	const record = at('dist/cli/sources.json');
	if (!existsSync(record)) return true;
	const built = JSON.parse(readFileSync(record, 'utf8'));
	const root = at('');
	for (const [name, size, sum] of built.files) {
		const path = root + name;
		const found = statSync(path, { throwIfNoEntry: false });
		if (!found || found.size !== size) return true;
		if (found.mtimeMs <= built.at) continue;
		const { createHash } = process.getBuiltinModule('node:crypto');
		if (createHash('sha256').update(readFileSync(path)).digest('hex') !== sum) return true;
	}
	return false;
}

/**
 * A launcher that is killed cannot pass that on, but the channel to it closes: we are killed then, too. A signal that can be caught would
 * be taken for the user's wish, and written into the session as one. Whoever else starts us with a channel may close it as they like.
 */
function endWithLauncher() {
	if (process.env.REPRISE_LAUNCHER === undefined) return;
	delete process.env.REPRISE_LAUNCHER; // what we start has no such channel
	if (!process.channel) return;
	process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
	process.channel.unref();
}

/** This Node is too old; the project brings a newer one along for its own scripts. */
async function again() {
	const own = at(`node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`);
	if (!existsSync(own)) {
		console.error(`Reprise needs Node 22.19 or newer; this is ${process.version}.`);
		process.exit(3);
	}
	const { spawn } = await import('node:child_process');
	const env = { ...process.env, REPRISE_LAUNCHER: '1' };
	const child = spawn(own, process.argv.slice(1), { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
	// The terminal sends Ctrl-C to both; only the child decides what it means.
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
	child.on('error', (error) => {
		console.error(`Reprise could not start ${own}: ${error.message}`);
		process.exit(3);
	});
	child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 3)));
}
