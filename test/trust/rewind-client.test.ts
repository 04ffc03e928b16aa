/** Checkpoints that the real Claude Code took rewind too: recorded sessions of its, with the copies that it made. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ClientStage } from '../support/client.ts';
import { corpusRoot } from '../support/corpus.ts';

const original = "exports.list = () => ['a', 'b'];\nexports.add = (w) => w;\n";

/** The session as the client left it, of a project that is here. */
function recorded(stage: ClientStage, version: string): { readonly path: string; readonly prompts: readonly string[] } {
	const home = join(corpusRoot, 'claude-code', version, 'interactive-edit/home/.claude');
	const from = join(home, 'projects/-tmp-proj-demo-app');
	const name = readdirSync(from).find((one) => one.endsWith('.jsonl')) ?? '';
	const folder = join(stage.home, '.claude/projects', stage.cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
	mkdirSync(folder, { recursive: true });
	const text = readFileSync(join(from, name), 'utf8').replaceAll('/tmp/proj/demo-app', stage.cwd);
	writeFileSync(join(folder, name), text);
	cpSync(join(home, 'file-history'), join(stage.home, '.claude/file-history'), { recursive: true });
	mkdirSync(stage.file('src'));
	writeFileSync(stage.file('src/widgets.js'), lastContent(text));
	writeFileSync(stage.file('created.txt'), 'v2\n');
	const lines = text
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as { uuid?: string; message?: { content: unknown } });
	const prompts = ['make edits', 'edit again'].map(
		(said) => lines.find(({ message }) => message?.content === said)?.uuid ?? '',
	);
	return { path: join(folder, name), prompts };
}

/** What the session's only edit of the file made of it. */
function lastContent(text: string): string {
	const edit = /"old_string":"'b'","new_string":"([^"]*)"/.exec(text)?.[1] ?? '';
	return original.replace("'b'", edit);
}

describe.each(['2.1.29', '2.1.325'])('a session of Claude Code %s', (version) => {
	it('goes back to any prompt, files and all', async () => {
		using stage = new ClientStage();
		const { path, prompts } = recorded(stage, version);
		const [first = '', second = ''] = prompts;
		expect(await stage.run(['rewind', path, '--to', second, '--only-files', '-y'])).toMatchObject({ code: 0, err: '' });
		expect(readFileSync(stage.file('created.txt'), 'utf8')).toBe('v1\n');
		expect(readFileSync(stage.file('src/widgets.js'), 'utf8')).not.toBe(original);
		expect(await stage.run(['rewind', path, '--undo', '-y'])).toMatchObject({ code: 0 });
		expect(await stage.run(['rewind', path, '--to', first, '--files', '-y'])).toMatchObject({ code: 0, err: '' });
		expect(readFileSync(stage.file('src/widgets.js'), 'utf8')).toBe(original);
		expect(readdirSync(stage.cwd).sort()).toEqual(['a.txt', 'src']);
	});

	it('has its checkpoints in copies as well, though its client copies none of them', async () => {
		using stage = new ClientStage();
		const { path, prompts } = recorded(stage, version);
		const fork = JSON.parse((await stage.run(['fork', path, '--json'])).out) as { readonly path: string };
		const again = JSON.parse((await stage.run(['fork', fork.path, '--json'])).out) as { readonly path: string };
		const go = ['rewind', again.path, '--to', prompts[0] ?? '', '--only-files', '-y'];
		expect(await stage.run(go)).toMatchObject({ code: 0, err: '' });
		expect(readFileSync(stage.file('src/widgets.js'), 'utf8')).toBe(original);
		expect(readdirSync(stage.cwd).sort()).toEqual(['a.txt', 'src']);
	});

	it('says which commands since then nobody was looking at, and not those that only look', async () => {
		using stage = new ClientStage();
		const { path, prompts } = recorded(stage, version);
		const lines = readFileSync(path, 'utf8').trim().split('\n');
		const call =
			lines.find(
				(line) =>
					line.includes('"name":"Write"') && line.includes('"type":"assistant"') && line.includes('"parentUuid"'),
			) ?? '';
		for (const [index, command] of ['ls -la', 'sed -i s/a/b/ src/widgets.js'].entries()) {
			const line = JSON.parse(call) as {
				uuid: string;
				message: { content: [{ id: string; name: string; input: object }] };
			};
			line.uuid = `00000000-0000-4000-8000-00000000000${index}`;
			line.message.content = [{ ...line.message.content[0], id: `toolu_${index}`, name: 'Bash', input: { command } }];
			lines.push(JSON.stringify(line));
		}
		writeFileSync(path, `${lines.join('\n')}\n`);
		const { out } = await stage.run(['rewind', path, '--to', prompts[0] ?? '', '--files', '--dry-run', '--json']);
		expect(JSON.parse(out).unknownCommands).toEqual(['sed -i s/a/b/ src/widgets.js']);
	});

	it('does not replace a file that was changed since, nor one that other programs obey, nor any in another project', async () => {
		using stage = new ClientStage();
		const { path, prompts } = recorded(stage, version);
		writeFileSync(stage.file('created.txt'), 'mine\n');
		const go = ['rewind', path, '--to', prompts[0] ?? '', '--only-files', '-y'];
		expect((await stage.run(go)).code).toBe(1);
		expect(readFileSync(stage.file('created.txt'), 'utf8')).toBe('mine\n');
		const elsewhere = await stage.run([...go, '--conflicts', 'overwrite'], { cwd: stage.home });
		expect(elsewhere.code).toBe(0);
		expect(readFileSync(stage.file('created.txt'), 'utf8')).toBe('mine\n');
		writeFileSync(
			path,
			readFileSync(path, 'utf8')
				.replaceAll('"created.txt"', '".git/hooks/x"')
				.replaceAll('"src/widgets.js"', '"../outside.js"'),
		);
		const { out } = await stage.run([...go, '--dry-run', '--json']);
		expect(JSON.parse(out).files).toEqual([]);
		expect(JSON.parse(out).missed.join('\n')).toMatch(/hooks\/x is obeyed by other programs/);
	});
});

it('names what sub-agents of the client ran, too, and of those that came before the entry nothing', async () => {
	using stage = new ClientStage();
	const from = join(corpusRoot, 'claude-code/2.1.325/subagents/home/.claude/projects/-tmp-proj-demo-app');
	const folder = join(stage.home, '.claude/projects', stage.cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
	cpSync(from, folder, { recursive: true });
	let agents = 0;
	for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) =>
		one.endsWith('.jsonl'),
	)) {
		const path = join(folder, name);
		const command = `"name":"Bash","input":{"command":"touch made-by-${name.includes('/') ? ++agents : 'itself'}"`;
		const text = readFileSync(path, 'utf8').replaceAll('/tmp/proj/demo-app', stage.cwd);
		writeFileSync(path, text.replace(/"name":"Bash","input":\{"command":"[^"]*"/g, command));
	}
	const main = join(folder, readdirSync(folder).find((one) => one.endsWith('.jsonl')) ?? '');
	const { parts } = JSON.parse((await stage.run(['show', main, '--json'])).out) as {
		readonly parts: readonly { readonly entry?: string }[];
	};
	const named = parts.flatMap(({ entry }) => entry ?? []);
	const unknown = async (to = '') => {
		const { out } = await stage.run(['rewind', main, '--to', to, '--files', '--dry-run', '--json']);
		return (JSON.parse(out) as { readonly unknownCommands: readonly string[] }).unknownCommands;
	};
	const all = await unknown(named[0]);
	expect(all.filter((command) => /made-by-\d/.test(command)).length).toBeGreaterThanOrEqual(2);
	expect((await unknown(named.at(-1))).length).toBe(0);
});
