/** Certifies a converted session by the real client: which clients and versions, how their oracles are called, and which differences of a request do not count. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ContextOptions } from '../codecs/index.ts';
import { isObject, parsedJson, shortened } from '../model/index.ts';
import { InputError } from '../store/errors.ts';
import { contextOf } from '../store/reader/context.ts';

/** A client that can be run, and how its oracle is called. */
export interface Client {
	readonly name: string;
	readonly agent: string;
	readonly oracle: string;
	/** The version whose resume rules are expected; absent where no rules are known for it. */
	readonly version: string;
	/** The model that the oracle offers, where the client's messages depend on it. */
	readonly target?: ContextOptions['target'];
	/** True where the oracle leaves out the client's reminders to the model, which are not part of the history. */
	readonly reminds?: boolean;
	args(session: { readonly path: string; readonly cwd: string }): readonly string[];
}

const strict = ['--strict'];

export const clients: readonly Client[] = [
	...['2.1.29', '2.1.325'].map((version) => ({
		name: `Claude Code ${version}`,
		agent: 'claude-code',
		oracle: 'claude-code-resume',
		version,
		reminds: true,
		args: ({ path, cwd }: { readonly path: string; readonly cwd: string }) => {
			const beside = path.replace(/\.jsonl$/, '');
			const side = existsSync(beside) ? ['--with', beside] : [];
			return ['--client', version, '--session', path, '--cwd', cwd, ...side, ...strict];
		},
	})),
	...['0.73.1', '0.87.1'].map((version) => ({
		name: `pi ${version}`,
		agent: 'pi',
		oracle: 'pi-resume',
		version,
		target: { provider: 'oracle', model: 'fake-model' },
		args: ({ path }: { readonly path: string }) => ['--client', version, '--session', path, ...strict],
	})),
	...(
		[
			['Cline core', '0.0.86', 'core'],
			['Cline CLI', '3.0.65', 'cli'],
		] as const
	).map(([name, version, via]) => ({
		name: `${name} ${version}`,
		agent: 'cline',
		oracle: 'cline-resume',
		version,
		args: ({ path }: { readonly path: string }) => {
			const manifest = path.replace(/\.messages\.json$/, '.json');
			const compaction = path.replace(/\.messages\.json$/, '.compaction.json');
			const beside = [
				...(existsSync(manifest) ? ['--manifest', manifest] : []),
				...(existsSync(compaction) ? ['--compaction', compaction] : []),
			];
			return ['--via', via, '--session', path, ...beside, ...strict];
		},
	})),
	{
		name: 'OpenClaw 2026.7.1',
		agent: 'openclaw',
		oracle: 'openclaw-resume',
		version: '2026.7.1',
		target: { provider: 'oracle', model: 'fake-model' },
		args: ({ path }) => ['--client', '2026.7.1', '--session', path, ...strict],
	},
];

export interface Certificate {
	readonly client: string;
	/** True when the client took the file and asked its model something. */
	readonly opened: boolean;
	/** True when the messages sent are those that `context` gives; undefined where the client's rules are not known. */
	readonly equal?: boolean;
	/** Why the model's API would have refused the request. */
	readonly rejected?: string;
	/** Why the client did not open the session, or where the messages differ. */
	readonly note?: string;
}

export interface Placed {
	readonly path: string;
	readonly cwd: string;
}

/** Runs the client in a throw-away home against a scripted model, and compares what it sent with what it should have. */
export async function certify(oracles: string, client: Client, session: Placed): Promise<Certificate> {
	return judge(client, session.path, await ask(oracles, client, session));
}

/** What the client's oracle answers: one JSON document, or undefined where it gave none. */
export async function ask(oracles: string, client: Client, session: Placed): Promise<unknown> {
	const tool = join(oracles, client.oracle);
	if (!existsSync(tool)) throw new InputError('no-oracle', `${tool} does not exist: ORACLES names another folder`);
	return await run(tool, client.args(session));
}

/** Compares the answer of a client's oracle with what `context` says of the session at `path`. */
export function judge(client: Client, path: string, answer: unknown): Certificate {
	const name = client.name;
	if (!isObject(answer)) return { client: name, opened: false, note: 'the oracle gave no answer' };
	if (answer.accepted !== true) {
		const why = answer.refusal ?? answer.error ?? 'no reason given';
		return { client: name, opened: false, note: typeof why === 'string' ? why : JSON.stringify(why) };
	}
	const rejected = answer.apiRejection === undefined ? {} : { rejected: JSON.stringify(answer.apiRejection) };
	return { client: name, opened: true, ...rejected, ...compared(client, path, answer.messages) };
}

function compared(client: Client, path: string, sent: unknown): Pick<Certificate, 'equal' | 'note'> {
	const all = expectedMessages(client, path);
	if (all === undefined) return {};
	const expected = client.reminds ? withoutReminders(all) : all;
	const difference = firstDifference(withoutBreak(sent, expected), expected, 'messages');
	return difference === undefined ? { equal: true } : { equal: false, note: difference };
}

function expectedMessages(client: Client, path: string): unknown {
	const options = {
		client: client.version,
		...(client.target ? { target: client.target, api: 'anthropic-messages' } : {}),
	};
	try {
		return JSON.parse(JSON.stringify(contextOf(path, options).messages));
	} catch (error) {
		if (error instanceof InputError) return undefined; // the resume rules of this client are not known
		throw error;
	}
}

const reminders = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
const reminderAtEnd = /\n\n<system-reminder>[\s\S]*?<\/system-reminder>\s*$/;

/** The messages without Claude Code's reminders, which its oracle leaves out as well. */
function withoutReminders(messages: unknown): unknown {
	if (!Array.isArray(messages)) return messages;
	return messages.flatMap((message: unknown) => {
		if (!isObject(message) || !Array.isArray(message.content)) return [message];
		const own =
			message.role === 'user' ? message.content.filter((block: unknown) => !isReminder(block)) : message.content;
		const content = own.map((block: unknown) => {
			if (!isObject(block) || block.type !== 'tool_result' || typeof block.content !== 'string') return block;
			return { ...block, content: block.content.replace(reminderAtEnd, '') };
		});
		return content.length === 0 ? [] : [{ ...message, content }];
	});
}

function isReminder(block: unknown): boolean {
	if (!isObject(block) || block.type !== 'text' || typeof block.text !== 'string') return false;
	return block.text.includes('<system-reminder>') && block.text.replace(reminders, '').trim() === '';
}

/** Removes the line break that Claude Code puts between the user's last words and the prompt, which is not here. */
function withoutBreak(sent: unknown, expected: unknown): unknown {
	const text = lastBlock(expected)?.text;
	const last = lastBlock(sent);
	if (typeof text !== 'string' || last?.text !== `${text}\n` || !Array.isArray(sent)) return sent;
	const message: unknown = sent.at(-1);
	const content = isObject(message) && Array.isArray(message.content) ? message.content : [];
	return [...sent.slice(0, -1), { role: 'user', content: [...content.slice(0, -1), { ...last, text }] }];
}

/** The last block of the last message, if that is the user's. */
function lastBlock(messages: unknown): { readonly text?: unknown } | undefined {
	const message: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
	if (!isObject(message) || message.role !== 'user') return undefined;
	const content = plain(message.content, 'content');
	const block: unknown = Array.isArray(content) ? content.at(-1) : undefined;
	return isObject(block) ? block : undefined;
}

/** The first difference between two values, in words. Cache marks and keys without a value do not count. */
function firstDifference(a: unknown, b: unknown, at: string): string | undefined {
	if (Array.isArray(a) && Array.isArray(b)) {
		for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
			if (index >= a.length) return `${at}[${index}] was not sent: ${short(b[index])}`;
			if (index >= b.length) return `${at}[${index}] was sent and not expected: ${short(a[index])}`;
			const found = firstDifference(a[index], b[index], `${at}[${index}]`);
			if (found) return found;
		}
		return undefined;
	}
	if (isObject(a) && isObject(b)) {
		for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
			if (key === 'cache_control') continue;
			const found = firstDifference(plain(a[key], key), plain(b[key], key), `${at}.${key}`);
			if (found) return found;
		}
		return undefined;
	}
	return Object.is(a, b) ? undefined : `${at}: sent ${short(a)}, expected ${short(b)}`;
}

/** A text for a list of one text: the API takes both alike. */
function plain(value: unknown, key: string): unknown {
	return key === 'content' && typeof value === 'string' ? [{ type: 'text', text: value }] : value;
}

function short(value: unknown): string {
	return shortened(JSON.stringify(value) ?? 'nothing', 120);
}

async function run(tool: string, args: readonly string[]): Promise<unknown> {
	const child = spawn(tool, args, { stdio: ['ignore', 'pipe', 'ignore'] });
	const pieces: Buffer[] = [];
	child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
	await new Promise<void>((done, fail) => {
		child.on('error', fail);
		child.on('close', () => done());
	});
	return parsedJson(Buffer.concat(pieces).toString('utf8'));
}
