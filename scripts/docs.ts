/** Writes the documents that are made from the code: rules, command help, the library's page, sample sessions, and outputs in the README. `--check` only compares. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sampleFile } from '../src/cli/commands/demo.ts';
import { commands } from '../src/cli/commands.ts';
import { buildProgram } from '../src/cli/main.ts';
import { codecs } from '../src/codecs/index.ts';
import { copySession } from '../src/store/manage/copy.ts';
import { apiPage } from './api-page.ts';
import { framesPage } from './frames-page.ts';
import { repairPage } from './repair-table.ts';
import { sampleSessions } from './samples.ts';

const root = join(import.meta.dirname, '..');
const checkOnly = process.argv.includes('--check');
const stale: string[] = [];

function put(path: string, content: string | Uint8Array): void {
	const file = join(root, path);
	const wanted = Buffer.from(content);
	let present: Buffer | undefined;
	try {
		present = readFileSync(file);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
	}
	if (present?.equals(wanted)) return;
	stale.push(path);
	if (checkOnly) return;
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, wanted);
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function rulesPage(): string {
	const parts = [
		'# Rules',
		'',
		'What `reprise check` looks for. Ids are stable. `error`: the client refuses the file or loses messages, or the model’s API',
		'would reject it. `warning`: a deviation from the document of that profile, or something that looks wrong. Rules without a',
		'profile hold in both. This page is made from the code by `npm run docs`.',
		'',
		'`unknown-format` (error) is said of anything that is no session of a known agent: an empty file, a folder, a missing file,',
		'a binary, JSON of another kind. `unreadable` (error): the file may not be read, so nobody knows what it is.',
	];
	for (const codec of codecs) {
		parts.push(
			'',
			`## ${codec.name} (\`${codec.id}\`)`,
			'',
			'| rule | severity | profile | what must hold | source |',
			'|---|---|---|---|---|',
		);
		for (const rule of codec.check.rules) {
			parts.push(
				`| \`${rule.id}\` | ${rule.severity} | ${rule.profile ?? ''} | ${cell(rule.about)} | ${cell(rule.source)} |`,
			);
		}
	}
	return `${parts.join('\n')}\n`;
}

async function helpPage(): Promise<string> {
	const parts = ['# The command line', '', 'This page is made from the code by `npm run docs`.', ''];
	const main = await buildProgram([], { code: 0 });
	parts.push('## reprise', '', '```text', main.helpInformation().trimEnd(), '```');
	for (const name of Object.keys(commands)) {
		const program = await buildProgram([name], { code: 0 });
		const command = program.commands.find((one) => one.name() === name);
		if (!command) continue;
		const pieces: string[] = [];
		command.configureOutput({ writeOut: (piece) => void pieces.push(piece) });
		command.outputHelp();
		parts.push('', `## reprise ${name}`, '', '```text', pieces.join('').trimEnd(), '```');
	}
	return `${parts.join('\n')}\n`;
}

/** Replaces the code block after each `<!-- output of: reprise … -->` by what the command really prints. */
function withOutputs(path: string, home: string): string {
	const text = readFileSync(join(root, path), 'utf8');
	return text.replace(
		/<!-- output of: reprise ([^\n]*) -->\n```text\n[\s\S]*?```/g,
		(_, args: string) =>
			`<!-- output of: reprise ${args} -->\n\`\`\`text\n${run(args.trim().split(/\s+/), home)}\`\`\``,
	);
}

/** A home where four agents keep the sample sessions, as they were on the day of their story. */
async function sampleHome(): Promise<string> {
	const home = mkdtempSync(join(tmpdir(), 'reprise-docs-'));
	for (const codec of codecs) {
		const written = await copySession(join(root, 'samples', sampleFile(codec)), `${home}/`, codec.id);
		const day = new Date('2026-03-02T09:00:40Z');
		for (const path of written) utimesSync(path, day, day);
	}
	return home;
}

function run(args: readonly string[], home: string): string {
	// Nothing of the machine that writes the page may show in it.
	const env = {
		PATH: process.env.PATH ?? '',
		HOME: home,
		REPRISE_HOME: join(home, '.reprise'),
		TZ: 'UTC',
		NO_COLOR: '1',
		COLUMNS: '100',
	};
	try {
		return execFileSync(process.execPath, [join(root, 'bin/reprise.js'), ...args], {
			cwd: root,
			encoding: 'utf8',
			env,
		});
	} catch (error) {
		// A command that finds something wrong exits with 1 and still prints what it found.
		if (error instanceof Error && 'stdout' in error && 'status' in error && error.status === 1)
			return String(error.stdout);
		throw error;
	}
}

for (const sample of sampleSessions()) put(join('samples', sample.path), sample.bytes);
put('docs/frames.md', framesPage());
put('docs/rules.md', rulesPage());
put('docs/cli.md', await helpPage());
put('docs/repair.md', repairPage());
put('docs/api.md', apiPage());
const home = await sampleHome();
put('README.md', withOutputs('README.md', home));
rmSync(home, { recursive: true, force: true });

if (checkOnly && stale.length > 0) {
	console.error(`Not what the code makes: ${stale.join(', ')}. Run "npm run docs".`);
	process.exit(1);
}
for (const path of stale) console.log(`wrote ${path}`);
