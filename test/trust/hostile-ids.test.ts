/** What a session calls itself never becomes a path: whatever writes it writes into its target and nowhere else. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleId } from '../../scripts/samples.ts';
import { fileName, folderName } from '../../src/codecs/shared/places/file-name.ts';
import type { FormatId } from '../../src/model/index.ts';
import { machineHere, runHere } from '../support/in-process.ts';
import { fileNamed, formats, sampleOf } from '../support/sessions.ts';

const here = machineHere({ NO_COLOR: '1' });
const inProject = (path: string): string => join(here().root, 'project', path);

const hostile: { readonly [name: string]: string } = {
	'leads up': '../../../../evil/x',
	'leads up a little': '../../x',
	'is two dots': '..',
	'is absolute': '/tmp/reprise-evil/x',
	'names the settings': '../../../.claude/settings.json\0',
	'has a line break': 'a\nb/../../../evil',
	'is a Windows path': '..\\..\\evil',
	'is very long': 'x/'.repeat(3000),
	'is nothing': '',
};

/** A format's sample in which id, folder, time, branch, sub-agent and file names are hostile. Returns its path. */
function session(format: FormatId, id: string): string {
	const evil = JSON.stringify(id).slice(1, -1);
	const changed = (text: string): string =>
		text
			.replaceAll(sampleId(format), evil)
			.replaceAll('"cwd":"/home/dev/notes"', `"cwd":"${evil}"`)
			.replaceAll('"timestamp":"2026-03-02T09:00:00.000Z","cwd"', `"timestamp":"${evil}","cwd"`)
			.replaceAll('"started_at": "2026-03-02T09:00:00.000Z"', `"started_at": "${evil}"`)
			.replaceAll('"project_path":"/home/dev/notes"', `"project_path":"${evil}"`);
	const path = inProject(join('in/s', fileNamed(format, 's')));
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, changed(readFileSync(sampleOf[format], 'utf8')) + subagent(format, evil));
	if (format === 'cline') {
		const manifest = readFileSync(join(dirname(sampleOf.cline), 'cline.json'), 'utf8');
		writeFileSync(path.replace('.messages.json', '.json'), changed(manifest));
	}
	return path;
}

/** A line of a sub-agent whose name is as hostile as the session's, with a copy of a file. */
function subagent(format: FormatId, evil: string): string {
	if (format !== 'claude-code') return '';
	const common = `"isSidechain":true,"agentId":"${evil}","userType":"external","cwd":"/x","sessionId":"${evil}","version":"2.1.325"`;
	const line = `{"parentUuid":null,${common},"type":"user","message":{"role":"user","content":"sub"},"uuid":"5e5510a0-0000-4000-8000-0000000000aa","timestamp":"2026-03-02T09:01:00.000Z"}`;
	const backup = `{"type":"file-history-snapshot","messageId":"5e5510a0-0000-4000-8000-000000000002","isSnapshotUpdate":false,"snapshot":{"messageId":"5e5510a0-0000-4000-8000-000000000002","timestamp":"2026-03-02T09:01:00.000Z","trackedFileBackups":{"${evil}":"text"}}}`;
	return `${line}\n${backup}\n`;
}

/** Every path in the stage's folder, without what is ours or was there. */
function everything(): ReadonlySet<string> {
	const { root } = here();
	const all = readdirSync(root, { recursive: true, withFileTypes: true }).filter((item) => !item.isDirectory());
	return new Set(all.map((item) => relative(root, join(item.parentPath, item.name))));
}

const cases = formats.flatMap((format) => Object.keys(hostile).map((name) => [format, name] as const));

describe.each(cases)('a %s session whose id %s', (format, name) => {
	/** Runs a command and tells what it made outside of the places that it may write to. */
	async function strays(args: readonly string[], allowed: RegExp): Promise<readonly string[]> {
		const before = everything();
		const { err } = await runHere(args, { terminal: false });
		expect(err).not.toMatch(/^ {4}at /m);
		expect(existsSync('/tmp/reprise-evil')).toBe(false);
		return [...everything()].filter((path) => !before.has(path) && !path.startsWith('own/') && !allowed.test(path));
	}

	it('is written into the target only', async () => {
		const path = session(format, hostile[name] ?? '');
		for (const to of formats) {
			for (const profile of to === format ? ['client', 'published'] : ['client']) {
				const out = `OUT-${to}-${profile}/`;
				const args = ['convert', path, '--to', to, '-o', out, '--profile', profile];
				expect(await strays(args, new RegExp(`^project/${out}`)), args.join(' ')).toEqual([]);
			}
			const args = ['convert', path, '--to', to, '-o', `files/${to}.out`, '--parents'];
			expect(await strays(args, /^project\/files\//), args.join(' ')).toEqual([]);
		}
		expect(await strays(['fork', path], /^project\/in\//)).toEqual([]);
		expect(await strays(['repair', path], /^project\/in\//)).toEqual([]);
		for (const to of ['claude-code', 'cline', 'clido', 'pi', 'openclaw']) {
			const homes =
				/^home\/\.(claude\/(projects|file-history)\/[^/]+|cline\/data\/sessions\/[^/]+|local\/share\/clido\/sessions\/[^/]+|pi\/agent\/sessions\/[^/]+|openclaw\/agents\/main\/sessions)\//;
			expect(await strays(['handoff', path, '--to', to, '--cwd', inProject('.')], homes)).toEqual([]);
		}
		for (const args of [
			['vault', 'add', path],
			['vault', 'sync'],
			['tag', path, 'x'],
			['return', path],
		]) {
			expect(await strays(args, /^$/)).toEqual([]);
		}
		writeFileSync(inProject('script.json'), '[{"text":"y"}]');
		const resume = ['-p', 'x', '-r', path, '--script', inProject('script.json')];
		expect(await strays(resume, /^project\/in\//)).toEqual([]);
	});
});

describe.each([...formats])('a %s session that is handed to its own agent', (format) => {
	it.each(['has a line break', 'is two dots', 'is nothing'])(
		'is named as that agent lists it, where its id %s',
		async (name) => {
			const path = session(format, hostile[name] ?? '');
			for (const file of [path, path.replace('.messages.json', '.json')]) {
				const text = readFileSync(file, 'utf8');
				writeFileSync(file, text.replaceAll(/"(cwd|project_path)": ?"[^"]*"/g, `"$1":"${inProject('.')}"`));
			}
			const to = format === 'openclaw' ? 'pi' : format;
			const { out } = await runHere(['handoff', path, '--to', to, '--json'], { terminal: false });
			const made = JSON.parse(out) as { id: string; out: string[] };
			const listed = JSON.parse((await runHere(['ls', '--all', '--json'], { terminal: false })).out) as {
				sessions: { id: string; path: string }[];
			};
			expect(listed.sessions.find((one) => one.path === made.out[0])?.id).toBe(made.id);
			const again = await runHere(['handoff', path, '--to', to], { terminal: false });
			expect(again.err).toContain(to === 'pi' ? made.out[0] : made.id);
		},
	);
});

describe('a session that somebody sent', () => {
	it('makes no settings with hooks when it is converted', async () => {
		const path = session('cline', '../../../.claude/settings');
		const manifest = path.replace('.messages.json', '.json');
		const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'touch /tmp/reprise-evil' }] }] };
		writeFileSync(manifest, JSON.stringify({ ...(JSON.parse(readFileSync(manifest, 'utf8')) as object), hooks }));
		await runHere(['convert', path, '--to', 'cline', '-o', 'OUT/'], { terminal: false });
		expect([...everything()].filter((name) => name.endsWith('settings.json'))).toEqual([]);
	});
});

describe('an id as the name of a file', () => {
	it('stays what it is where a client would make it, and is one name in every case', () => {
		for (const id of formats.map(sampleId)) expect(fileName(id)).toBe(id);
		for (const id of Object.values(hostile)) {
			for (const name of [fileName(id), folderName(id)]) {
				expect(name).toMatch(/^[^/\\\0]{1,255}$/);
				expect(name).not.toMatch(/^\.+$/);
			}
			expect(fileName(id)).toMatch(/^[A-Za-z0-9][A-Za-z0-9_-]*$/);
		}
	});
});
