/** The loss report against what the models of both clients would receive: what differs is named. */
import { afterAll, describe, expect, it } from 'vitest';
import { type Codec, type Context, codecOf } from '../../src/codecs/index.ts';
import {
	type Block,
	blockText,
	type FormatId,
	isObject,
	type JsonObject,
	type Loss,
	memorySource,
	type Session,
} from '../../src/model/index.ts';
import { type Converted, convertSession } from '../../src/move/convert.ts';
import { buildContext, contextOf } from '../../src/store/reader/context.ts';
import { Scratch } from '../support/sessions.ts';
import { allSessions, others } from './support.ts';

const newest: { readonly [F in FormatId]?: string } = {
	'claude-code': '2.1.325',
	cline: '0.0.86',
	clido: '1.0.15',
	openclaw: '0.87.1',
};

interface Item {
	readonly kind: 'text' | 'call' | 'result' | 'other';
	readonly key: string;
	readonly text: string;
	readonly from: readonly string[];
}

/** Without what pi says of a result that is nothing but a picture. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').replace('(see attached image)', '').trim();

/** As an API takes it: some clients send another id than the one they wrote. */
const wireId = (id: unknown): string =>
	String(id)
		.replace(/[^A-Za-z0-9_-]/g, '_')
		.slice(0, 64);

/** What Cline puts in the middle of an output that it does not send whole. */
const shortened = /\.\.\.\[truncated \d+ chars\]\.\.\./;

/** What a model reads, piece by piece. What the client itself makes up, which comes from no entry, is left out. */
function itemsOf(context: Context): readonly Item[] {
	return context.messages.flatMap((message, index) => {
		const from = context.from[index] ?? [];
		const blocks = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
		return from.length === 0 ? [] : blocks.flatMap((block) => itemOf(block, message.role, from));
	});
}

function itemOf(block: JsonObject, role: string, from: readonly string[]): readonly Item[] {
	if (block.type === 'text') {
		const text = plain(String(block.text));
		return text === '' ? [] : [{ kind: 'text', key: `${role} ${text}`, text, from }];
	}
	// Of thinking, each client sends what the model that it asks will take.
	if (block.type === 'thinking' || block.type === 'redacted_thinking') return [];
	if (block.type === 'tool_use')
		return [{ kind: 'call', key: `call ${wireId(block.id)}`, text: wireId(block.id), from }];
	if (block.type !== 'tool_result') return [{ kind: 'other', key: String(block.type), text: '', from }];
	const text = plain(resultText(block.content));
	const id = wireId(block.tool_use_id);
	return [{ kind: 'result', key: `result ${id} ${text}`, text: id, from }];
}

function resultText(content: JsonObject[string]): string {
	if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
	return content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join(' ');
}

/** What of `a` is not in `b`, as often as it is there. */
function missing(a: readonly Item[], b: readonly Item[]): readonly Item[] {
	const counts = new Map<string, number>();
	for (const { key } of b) counts.set(key, (counts.get(key) ?? 0) + 1);
	return a.filter(({ key }) => {
		const left = counts.get(key) ?? 0;
		if (left > 0) counts.set(key, left - 1);
		return left === 0;
	});
}

function targetContext(codec: Codec, made: Converted): Context {
	const compaction = made.beside.find((file) => file.path.endsWith('.compaction.json'))?.bytes;
	const side = compaction ? { side: { compaction } } : {};
	const client = newest[codec.id];
	return buildContext(codec, memorySource(made.bytes), { ...(client === undefined ? {} : { client }), ...side });
}

/** A loss about one of the entries, about the call that a result answers, or about a cut whose summary it tells. */
function isNamed(item: Item, session: Session, losses: readonly Loss[]): boolean {
	const lost = new Set(losses.map((loss) => loss.entry));
	if (item.from.some((entry) => lost.has(entry))) return true;
	// Its own client did not send all of it: now it is whole.
	if (item.kind === 'result' && shortened.test(item.key)) return true;
	return session.entries.some((entry) => {
		if (!lost.has(entry.id)) return false;
		if (entry.kind === 'compaction') return entry.summary !== undefined && item.text.includes(plain(entry.summary));
		if (entry.kind !== 'message' || item.kind !== 'result') return false;
		return entry.content.some((block) => block.type === 'tool_call' && wireId(block.id) === item.text);
	});
}

/** A loss about an entry of the source that says the same, one that names it, or one about where its client starts to read. */
function isExplained(item: Item, session: Session, before: readonly Item[], losses: readonly Loss[]): boolean {
	const text = item.text.replace(/^<thinking> (.*) <\/thinking>$/s, '$1');
	if (losses.some((loss) => loss.note.includes(text))) return true;
	if (item.kind === 'result' && before.some((one) => one.text === item.text && shortened.test(one.key))) return true;
	const lost = new Set(losses.map((loss) => loss.entry));
	return session.entries.some((entry) => {
		if (entry.kind === 'compaction') return lost.has(entry.id);
		if (entry.kind !== 'message') return false;
		// Without a signature it is sent as text by some.
		if (entry.content.some((block) => block.type === 'thinking' && plain(block.text) === text)) return true;
		const said = plain([...entry.content.map(sayings), entry.response?.error ?? ''].join(' '));
		return lost.has(entry.id) && (said.includes(text) || text.includes(said));
	});
}

/** Everything that a block could be recognised by. */
function sayings(block: Block): string {
	const ids = wireId(block.type === 'tool_call' ? block.id : block.type === 'tool_result' ? block.call : '');
	return `${blockText(block)} ${ids}`;
}

/** Lines that pi itself does not read, though everybody can see what they say. */
const unread = /\/(oc-)?02-header-plus-bare\//;

const scratch = new Scratch();
afterAll(() => scratch[Symbol.dispose]());

const compared = (await allSessions(scratch.folder)).flatMap(({ name, path, session }) => {
	const client = newest[session.format];
	if (client === undefined) return []; // nobody knows what its client sends
	const context = contextOf(path, { client });
	if (context.refused !== undefined || unread.test(name)) return [];
	return [{ name, session, items: itemsOf(context) }];
});

describe.each(Object.keys(newest) as FormatId[])('to %s', (to) => {
	const codec = codecOf(to);
	if (!codec) throw new Error(`no codec ${to}`);

	it('what a model received before and does not receive now is named', { timeout: 60_000 }, () => {
		const silent: string[] = [];
		for (const { name, session, items } of compared) {
			if (!others(session).includes(codec)) continue;
			const made = convertSession(session, codec, { profile: 'client', path: '/home/x.messages.json' });
			const context = targetContext(codec, made);
			expect([name, context.refused]).toEqual([name, undefined]);
			for (const item of missing(items, itemsOf(context))) {
				if (!isNamed(item, session, made.losses)) silent.push(`${name}: ${item.key.slice(0, 100)}`);
			}
		}
		expect(silent).toEqual([]);
	});

	it('what a model receives now and did not before is explained', { timeout: 60_000 }, () => {
		const silent: string[] = [];
		for (const { name, session, items } of compared) {
			if (!others(session).includes(codec)) continue;
			const made = convertSession(session, codec, { profile: 'client', path: '/home/x.messages.json' });
			for (const item of missing(itemsOf(targetContext(codec, made)), items)) {
				if (!isExplained(item, session, items, made.losses)) silent.push(`${name}: ${item.key.slice(0, 100)}`);
			}
		}
		expect(silent).toEqual([]);
	});
});
