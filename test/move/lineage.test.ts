/** Law 8: there and back gives the same bytes, and what was said in between comes after them. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
	type Codec,
	checkBytes,
	codecs,
	decodeBytes,
	issuesIn,
	type Machine,
	profileOf,
} from '../../src/codecs/index.ts';
import type { FormatId, Profile } from '../../src/model/index.ts';
import { convertFile } from '../../src/move/files.ts';
import { forgetLineage, lineages, returnSession } from '../../src/move/index.ts';
import { fileNamed, formats, Scratch, sampleOf } from '../support/sessions.ts';
import { corpusSessions, madeSessions, others, profiles, type SomeSession } from './support.ts';
import { codecNamed, continued, newTexts, textsOf } from './turns.ts';

const scratch = new Scratch();
afterAll(() => scratch[Symbol.dispose]());
const { machine } = scratch;

let count = 0;
function folder(): string {
	count += 1;
	const made = join(scratch.folder, String(count));
	mkdirSync(made);
	return made;
}

/** One session of each scenario of the corpus, its largest, and the generated ones. */
async function oneOfEach(): Promise<readonly SomeSession[]> {
	const largest = new Map<string, SomeSession>();
	for (const { file, session } of await corpusSessions()) {
		const old = largest.get(file.folder);
		if (session.dialect === 'vscode') continue;
		if (!old || session.source.size > old.session.source.size)
			largest.set(file.folder, { name: file.name, path: file.path, session });
	}
	return [...largest.values(), ...(await madeSessions(scratch.folder))];
}

const sessions = await oneOfEach();

/** Every target in the long run; in the short one each session has one, so that all pairs have their turn. */
function targetsOf(format: FormatId, index: number): readonly Codec[] {
	const all = others({ format });
	return process.env.REPRISE_FUZZ === 'full' ? all : all.slice(index % all.length).slice(0, 1);
}

/** By the rules of the profile that the session was written in. */
function errorsIn(codec: Codec, bytes: Uint8Array, profile: Profile): readonly string[] {
	return issuesIn(profile, checkBytes(codec, bytes))
		.filter((issue) => issue.severity === 'error' && !issue.rule.endsWith('/not-json')) // a torn tail, ended by a newline
		.map((issue) => issue.rule);
}

/** The bytes of the messages of a document. */
function messagesOf(codec: Codec, bytes: Uint8Array): readonly string[] {
	const session = decodeBytes(codec, bytes);
	return session.records
		.filter((record) => record.type === 'user' || record.type === 'assistant')
		.map((record) => Buffer.from(session.source.read(record.at, record.length)).toString('utf8'));
}

describe.each(formats)('from %s', (format) => {
	const own = sessions.filter((one) => one.session.format === format);
	// The generated sessions have the same ids in all formats, and would be taken for each other's way back.
	const machine: Machine = { ...scratch.machine, env: { REPRISE_HOME: join(scratch.folder, 'own', format) } };

	it.each(profiles)('there and back gives the same bytes (%s)', { timeout: 300_000 }, async (profile) => {
		for (const [index, { name, path }] of own.entries()) {
			for (const codec of targetsOf(format, index)) {
				const at = folder();
				const there = join(at, fileNamed(codec.id, 'there'));
				const back = join(at, fileNamed(format, 'back'));
				await convertFile(path, { to: codec.id, out: there, profile, machine });
				const made = await convertFile(there, { to: format, out: back, machine });
				expect([name, codec.id, made.how]).toEqual([name, codec.id, 'returned']);
				expect(readFileSync(back).equals(readFileSync(path)), `${name} through ${codec.id}`).toBe(true);
				rmSync(at, { recursive: true });
			}
		}
		expect(own.length).toBeGreaterThan(8);
	});

	it('the way back is kept as well where a session is converted while it goes by', { timeout: 300_000 }, async () => {
		for (const [index, { name, path }] of own.entries()) {
			for (const codec of targetsOf(format, index)) {
				const at = folder();
				const there = join(at, fileNamed(codec.id, 'there'));
				const back = join(at, fileNamed(format, 'back'));
				const passing = { from: 0, sizes: { least: 1, held: 0 } };
				const { losses } = await convertFile(path, { to: codec.id, out: there, machine, passing });
				expect(losses.filter((loss) => loss.path === 'lineage')).toEqual([]);
				const made = await convertFile(there, { to: format, out: back, machine });
				expect([name, codec.id, made.how]).toEqual([name, codec.id, 'returned']);
				expect(readFileSync(back).equals(readFileSync(path)), `${name} through ${codec.id}`).toBe(true);
				rmSync(at, { recursive: true });
			}
		}
	});

	it.each([
		['as a whole', undefined],
		['while it goes by', { from: 0, sizes: { least: 1, held: 0 } }],
	])('turns added there come home after the old bytes (converted %s)', { timeout: 300_000 }, async (_, passing) => {
		const codec = codecNamed(format);
		for (const [index, { name, path, session }] of own.entries()) {
			const old = readFileSync(path);
			for (const target of targetsOf(format, index + 1)) {
				const at = folder();
				const there = join(at, fileNamed(target.id, 'there'));
				const back = join(at, fileNamed(format, 'back'));
				await convertFile(path, { to: target.id, out: there, machine, ...(passing ? { passing } : {}) });
				await continued(there);
				const made = await convertFile(there, { to: format, out: back, machine });
				const where = `${name} through ${target.id}`;
				expect(made.how, where).toBe('returned');
				const bytes = readFileSync(back);
				if (codec.capabilities.container === 'lines') {
					expect(bytes.subarray(0, old.length).equals(old), where).toBe(true);
					if (old.at(-1) !== 10) expect(bytes[old.length], where).toBe(10);
				} else {
					const before = messagesOf(codec, old);
					expect(messagesOf(codec, bytes).slice(0, before.length), where).toEqual(before);
				}
				const home = decodeBytes(codec, bytes, 'home');
				const profile = profileOf(codec, session);
				expect(
					errorsIn(codec, bytes, profile).filter((rule) => !errorsIn(codec, old, profile).includes(rule)),
					where,
				).toEqual([]);
				expect(textsOf(home).slice(-3), where).toEqual(newTexts());
				rmSync(at, { recursive: true });
			}
		}
	});
});

describe('return', () => {
	it.each(codecs.map((codec) => codec.id).filter((id) => id !== 'claude-code'))(
		'what was said in %s comes home, again and again, and the first bytes stay',
		async (to) => {
			const at = folder();
			const home = join(at, 'home.jsonl');
			const old = readFileSync(sampleOf['claude-code']);
			writeFileSync(home, old);
			const there = join(at, fileNamed(to, 'there'));
			await convertFile(home, { to, out: there, machine });
			const stored = lineages(machine).length;
			expect((await returnSession(there, { machine })).out).toEqual([]);
			expect(lineages(machine).length).toBe(stored);
			await continued(there);
			const first = await returnSession(there, { machine });
			expect(first).toMatchObject({ out: [home], messages: 4, format: 'claude-code' });
			const once = readFileSync(home);
			expect(once.subarray(0, old.length).equals(old)).toBe(true);
			expect((await returnSession(there, { machine })).out).toEqual([]);
			expect(readFileSync(home).equals(once)).toBe(true);
		},
	);

	it('a session whose home went on is not written over', async () => {
		const at = folder();
		const home = join(at, 'home.jsonl');
		writeFileSync(home, readFileSync(sampleOf['claude-code']));
		const there = join(at, 'there.jsonl');
		await convertFile(home, { to: 'openclaw', out: there, machine });
		await continued(there);
		await continued(home);
		const before = readFileSync(home);
		await expect(returnSession(there, { machine })).rejects.toThrow('has gone on since');
		expect(readFileSync(home).equals(before)).toBe(true);
	});

	it.each(['claude-code', 'clido', 'openclaw'] as const)(
		'a session whose lines were all written anew in %s is still known, by what was said',
		async (to) => {
			using alone = new Scratch();
			const from = to === 'claude-code' ? 'clido' : 'claude-code';
			const there = join(alone.folder, 'there.jsonl');
			await convertFile(sampleOf[from], { to, out: there, machine: alone.machine });
			const lines = readFileSync(there, 'utf8')
				.split('\n')
				.filter((line) => line !== '');
			const anew = lines.map((line) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line)).reverse())));
			writeFileSync(there, `${anew.join('\n')}\n`);
			await continued(there);
			const back = join(alone.folder, 'back.jsonl');
			const made = await convertFile(there, { to: from, out: back, machine: alone.machine });
			expect(made.how).toBe('returned');
			const old = readFileSync(sampleOf[from]);
			expect(readFileSync(back).subarray(0, old.length).equals(old)).toBe(true);
			expect(textsOf(decodeBytes(codecNamed(from), readFileSync(back))).slice(-3)).toEqual(newTexts());
		},
	);

	it('a changed history makes an ordinary conversion that says so', async () => {
		const at = folder();
		const there = join(at, 'there.jsonl');
		await convertFile(sampleOf['claude-code'], { to: 'openclaw', out: there, machine });
		writeFileSync(there, readFileSync(there, 'utf8').replace(/"text":"[^"]+"/, '"text":"something else"'));
		const made = await convertFile(there, { to: 'claude-code', out: join(at, 'back.jsonl'), machine });
		expect(made.how).toBe('converted');
		expect(made.losses).toContainEqual(expect.objectContaining({ path: 'lineage', how: 'approximated' }));
		await expect(returnSession(there, { machine })).rejects.toThrow('was changed since');
	});

	it.each(['claude-code', 'clido', 'openclaw'] as const)(
		'a copy in %s under another id still says where it came from',
		async (to) => {
			using alone = new Scratch();
			const from = to === 'claude-code' ? 'clido' : 'claude-code';
			const there = join(alone.folder, 'there.jsonl');
			const made = await convertFile(sampleOf[from], { to, out: there, machine: alone.machine });
			const copy = join(alone.folder, 'copy.jsonl');
			const other = '11111111-2222-4333-8444-555555555555';
			writeFileSync(
				copy,
				readFileSync(there, 'utf8').replace(/"(sessionId|session_id|id)":"[^"]*"/g, (field) => {
					return field.replace(made.id, other);
				}),
			);
			const back = join(alone.folder, 'back.jsonl');
			expect((await convertFile(copy, { to: from, out: back, machine: alone.machine })).how).toBe('returned');
			expect(readFileSync(back).equals(readFileSync(sampleOf[from]))).toBe(true);
			for (const one of lineages(alone.machine)) forgetLineage(alone.machine, one);
			const again = await convertFile(copy, {
				to: from,
				out: join(alone.folder, 'again.jsonl'),
				machine: alone.machine,
			});
			expect(again.losses).toContainEqual(
				expect.objectContaining({ path: 'lineage', note: expect.stringContaining('nothing is stored') }),
			);
		},
	);

	it('what is stored can be seen and forgotten, and then the way back is an ordinary conversion', async () => {
		using alone = new Scratch();
		const there = join(alone.folder, 'there.jsonl');
		await convertFile(sampleOf.clido, { to: 'openclaw', out: there, machine: alone.machine });
		const [stored, ...more] = lineages(alone.machine);
		expect(more).toEqual([]);
		expect(stored?.source).toMatchObject({ format: 'clido', path: sampleOf.clido });
		if (stored) forgetLineage(alone.machine, stored);
		expect(lineages(alone.machine)).toEqual([]);
		const back = join(alone.folder, 'back.jsonl');
		expect((await convertFile(there, { to: 'clido', out: back, machine: alone.machine })).how).toBe('converted');
		await expect(returnSession(there, { machine: alone.machine })).rejects.toThrow('nothing is stored');
	});

	it('our own data has no file that a client would take for a session', () => {
		const own = readdirSync(join(scratch.folder, 'own'), { recursive: true, encoding: 'utf8' });
		expect(own.length).toBeGreaterThan(100);
		expect(own.filter((name) => /\.jsonl$|\.messages\.json$/.test(name))).toEqual([]);
	});
});
