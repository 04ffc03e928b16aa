/** The end of a file of pi or OpenClaw gives what the whole file gives, however its lines are linked. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../../../test/support/mutate.ts';
import { assistant, file, header, line, result, said, text, user } from '../../../test/support/openclaw-lines.ts';
import { BrokenLine, type Context, type ContextOptions } from '../../codecs/index.ts';
import { clients } from '../../codecs/openclaw/context/clients.ts';
import { openclaw } from '../../codecs/openclaw/index.ts';
import { memorySource } from '../../model/index.ts';
import { buildContext, scannedFrom } from './context.ts';

/** One line, by its kind and by how many lines back its links go: 1 is the line before, 0 none. */
interface Step {
	readonly kind: string;
	readonly up: number;
	readonly also: number;
	readonly twin: number;
}

const ordinary = ['user', 'assistant', 'assistant', 'result', 'compaction', 'model_change', 'note'];
const moving = ['leaf', 'leaf-append', 'side', 'mark', 'branch_summary', 'context_edit', 'foreign', 'system'];
const damaged = ['no message', 'no role', 'torn', 'session', 'no id', 'no parent', 'forward', 'missing', 'broken'];

const step = fc.record({
	kind: fc.oneof(
		{ weight: 12, arbitrary: fc.constantFrom(...ordinary) },
		{ weight: 4, arbitrary: fc.constantFrom(...moving) },
		{ weight: 1, arbitrary: fc.constantFrom(...damaged) },
	),
	up: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.nat(6) }),
	also: fc.nat(8),
	twin: fc.oneof({ weight: 15, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 9 }) }),
});

const idOf = (at: number): string => `id${at}`;

function lineOf({ kind, up, also, twin }: Step, at: number): object | string {
	const id = idOf(Math.max(0, at - twin));
	const parent = up === 0 || at < up ? null : idOf(at - up);
	const other = idOf(Math.max(0, at - also));
	switch (kind) {
		case 'user':
			return said(id, parent, user(`says ${at}`));
		case 'assistant':
			return said(id, parent, assistant([text(`answers ${at}`)], { model: `m${also}` }));
		case 'result':
			return said(id, parent, result('x'));
		case 'system':
			return said(id, parent, { role: 'system', content: `be ${at}`, timestamp: 1 });
		case 'compaction':
			return line(id, parent, kind, { summary: `sum ${at}`, firstKeptEntryId: other, tokensBefore: 9 });
		case 'model_change':
			return line(id, parent, kind, { provider: 'openai', modelId: `gpt-${at}` });
		case 'note':
			return line(id, parent, 'custom_message', { customType: 'n', content: `note ${at}`, display: true });
		case 'leaf':
			return line(id, parent, kind, { targetId: other });
		case 'leaf-append':
			return line(id, parent, 'leaf', { targetId: other, appendParentId: parent });
		case 'side':
			return { ...said(id, parent, user(`aside ${at}`)), appendMode: 'side' };
		case 'mark':
			return line(id, parent, 'custom', { customType: 'model-snapshot', data: {} });
		case 'context_edit':
			return line(id, parent, kind, { targetId: other, replacement: { content: `edit ${at}` } });
		case 'no message':
			return line(id, parent, 'message');
		case 'no role':
			return line(id, parent, 'message', { message: { content: 'x' } });
		case 'torn':
			return JSON.stringify(said(id, parent, user(`torn ${at}`))).slice(0, -9);
		case 'broken':
			return JSON.stringify(said(id, parent, user(`broken ${at}`))).replace('"timestamp":17', '"timestamp":+7');
		case 'session':
			return header;
		case 'no id':
			return { ...line(id, parent, 'custom'), id: null };
		case 'no parent':
			return { ...said(id, parent, user(`root ${at}`)), parentId: 7 };
		case 'forward':
			return said(id, idOf(at + also), user(`before ${at}`));
		case 'missing':
			return said(id, 'nobody', user(`lost ${at}`));
		default:
			return line(id, parent, kind, { summary: `branch ${at}`, fromId: other });
	}
}

const bytesOf = (steps: readonly Step[]): Uint8Array => file(header, ...steps.map(lineOf));

/** Why pi would not load a file because of a line that is far above what it would send. */
const damage = /is its own ancestor|holds no message/;

/** The context from an offset on, without lines that only look like JSON. */
function fromEnd(bytes: Uint8Array, at: number, options: ContextOptions): Context | 'more' {
	const { build, envelope = [] } = openclaw.context;
	const broken = new Set<number>();
	for (;;) {
		try {
			return build?.(scannedFrom(memorySource(bytes), envelope, at, broken), options) ?? 'more';
		} catch (error) {
			if (!(error instanceof BrokenLine)) throw error;
			broken.add(error.position.at);
		}
	}
}

/** How many ends of the file give an answer; each must equal that of the whole. */
function answers(bytes: Uint8Array, options: ContextOptions): number {
	const whole = buildContext(openclaw, memorySource(bytes), options);
	const spared = options.exact !== true && damage.test(whole.refused ?? '');
	let found = 0;
	for (let at = bytes.indexOf(10) + 1; at > 0 && at < bytes.length; at = bytes.indexOf(10, at) + 1) {
		const answer = fromEnd(bytes, at, options);
		if (answer === 'more') continue;
		if (!spared) expect(answer, `from ${at}`).toEqual(whole);
		found += 1;
	}
	return found;
}

describe('the end of a file of pi or OpenClaw', () => {
	it('gives the context of the whole file, or asks for more', () => {
		let given = 0;
		fc.assert(
			fc.property(
				fc.array(step, { minLength: 4, maxLength: 40 }),
				fc.constantFrom(undefined, ...clients),
				fc.boolean(),
				(steps, client, exact) => {
					given += answers(bytesOf(steps), { ...(client === undefined ? {} : { client }), exact });
				},
			),
			{ seed, numRuns: 400 },
		);
		expect(given).toBeGreaterThan(100);
	});

	it('gives the context at any entry of it, or asks for more', () => {
		fc.assert(
			fc.property(
				fc.array(step, { minLength: 4, maxLength: 30 }),
				fc.constantFrom(...clients),
				fc.nat(29),
				fc.boolean(),
				(steps, client, place, named) => {
					answers(bytesOf(steps), { client, at: named ? idOf(place) : `line:${place + 2}`, exact: true });
				},
			),
			{ seed, numRuns: 150 },
		);
	});

	/** A compaction that keeps the prompt before it, after a reply and below `above`. */
	const compacted = (...above: readonly object[]): Uint8Array =>
		file(
			header,
			...above,
			said('p', 'o', user('please')),
			said('q', 'p', assistant()),
			line('c', 'q', 'compaction', { summary: 'so far', firstKeptEntryId: 'p', tokensBefore: 9 }),
			said('r', 'c', user('go on')),
		);

	it('is enough from what the last compaction keeps', () => {
		const bytes = compacted(said('o', null, user('long ago')));
		const at = Buffer.from(bytes).indexOf('{"type":"message","id":"p"');
		for (const client of clients) expect(fromEnd(bytes, at, { client })).not.toBe('more');
		expect(fromEnd(bytes, bytes.indexOf(10, at) + 1, { client: '0.87.1' })).toBe('more');
	});

	it('does not see damage above that, unless the exact answer is asked for', () => {
		const bytes = compacted(line('o', null, 'message'));
		const at = Buffer.from(bytes).indexOf('{"type":"message","id":"p"');
		expect(buildContext(openclaw, memorySource(bytes), { client: '0.87.1' }).refused).toMatch(damage);
		expect(fromEnd(bytes, at, { client: '0.87.1' })).toMatchObject({ from: [['c'], ['p'], ['q'], ['r']] });
		expect(fromEnd(bytes, at, { client: '0.87.1', exact: true })).toBe('more');
	});

	it('is of OpenClaw when the beginning of the file has its mark', () => {
		const mark = line('o', null, 'custom', { customType: 'model-snapshot', data: {} });
		const bytes = compacted(mark);
		const at = Buffer.from(bytes).indexOf('{"type":"message","id":"p"');
		expect(fromEnd(bytes, at, {})).toMatchObject({ client: '2026.7.1' });
		expect(fromEnd(compacted(said('o', null, user())), at, {})).not.toMatchObject({ client: '2026.7.1' });
	});

	it('is never enough where lines do not name each other', () => {
		const bare = file(...Array.from({ length: 6 }, (_, at) => user(`says ${at}`)));
		const { version: _, ...first } = header;
		const old = file(
			first,
			...Array.from({ length: 6 }, (_, at) => ({ type: 'message', message: user(`says ${at}`) })),
		);
		for (const bytes of [bare, old]) for (const client of clients) expect(answers(bytes, { client })).toBe(0);
	});
});
