/** Made-up sessions with what recorded ones seldom have, always the same: for tests and for the real clients. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Codec } from '../../src/codecs/index.ts';
import type {
	Block,
	Entry,
	EntryId,
	Header,
	MessageEntry,
	ModelResponse,
	ToolCallBlock,
} from '../../src/model/index.ts';

export interface GeneratedSession {
	readonly name: string;
	readonly id: string;
	readonly header: Header;
	readonly entries: readonly Entry[];
	/** Where it goes on, where that is not its last entry. */
	readonly leaf: EntryId | undefined;
}

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const text = (words: string): Block => ({ type: 'text', text: words });
const image: Block = { type: 'image', mime: 'image/png', data: { base64: png } };
const thinking = (words: string, signature?: string): Block =>
	signature === undefined ? { type: 'thinking', text: words } : { type: 'thinking', text: words, signature };
/** What a provider signs looks like this; nobody here can tell whether it holds. */
const signature = Buffer.from('a signature of the provider, long enough to look like one').toString('base64');

const claude = { provider: 'anthropic', api: 'anthropic-messages', model: 'claude-sonnet-4-5' };
/** Claude Code talks to it in another way: what the client itself adds are system messages. */
const newerClaude = { ...claude, model: 'claude-opus-5-5' };
const claudeOf = (number: number) => (number % 2 === 0 ? newerClaude : claude);
const gpt = { provider: 'openai', api: 'openai-responses', model: 'gpt-5' };

/** Entries one after the other, under ids and times that follow from the name of the session. */
class Maker {
	readonly entries: Entry[] = [];
	leaf: EntryId | undefined;
	last: EntryId | null = null;
	agent: string | undefined;
	#count = 0;
	#calls = 0;
	readonly #number: number;

	constructor(number: number) {
		this.#number = number;
	}

	#base() {
		this.#count += 1;
		const time = new Date(Date.UTC(2026, 0, 2, 3, 4, 5) + this.#count * 1000).toISOString();
		const id = `9e4e0000-0000-4000-8${this.#hex(this.#number, 3)}-${this.#hex(this.#count, 12)}`;
		return { id, time, records: [], ...(this.agent === undefined ? {} : { agent: this.agent }) } as const;
	}

	#hex(value: number, length: number): string {
		return value.toString(16).padStart(length, '0');
	}

	add(entry: Omit<MessageEntry, 'id' | 'kind' | 'parent' | 'records' | 'time'>): EntryId {
		const made: Entry = { kind: 'message', ...this.#base(), parent: this.last, ...entry };
		return this.#put(made);
	}

	#put(entry: Entry): EntryId {
		this.entries.push(entry);
		this.last = entry.id;
		return entry.id;
	}

	user(...content: readonly (Block | string)[]): EntryId {
		return this.add({ role: 'user', content: content.map(asBlock) });
	}

	/** A reply of Claude, unless `response` says whose it is. */
	reply(content: readonly (Block | string)[], response: ModelResponse = {}): EntryId {
		const blocks = content.map(asBlock);
		const stop = blocks.some((block) => block.type === 'tool_call') ? 'tool' : 'end';
		const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
		const id = `msg_${this.#hex(this.#number, 3)}${this.#hex(this.#count, 6)}`;
		return this.add({
			role: 'assistant',
			content: blocks,
			response: { id, request: id.replace('msg', 'req'), ...claudeOf(this.#number), stop, usage, ...response },
		});
	}

	call(name: string, input: ToolCallBlock['input'], id?: string): ToolCallBlock {
		this.#calls += 1;
		const own = `toolu_${this.#hex(this.#number, 3)}${this.#hex(this.#calls, 6)}`;
		return { type: 'tool_call', id: id ?? own, name, input };
	}

	result(call: ToolCallBlock, content: readonly (Block | string)[], isError = false): EntryId {
		const block: Block = {
			type: 'tool_result',
			call: call.id,
			name: call.name,
			content: content.map(asBlock),
			isError,
		};
		return this.user(block);
	}

	/** The conversation is cut; `kept` is the first entry that stays. */
	cut(summary: string, kept?: EntryId): EntryId {
		const keptFrom = kept === undefined ? {} : { keptFrom: kept };
		const logicalParent = this.last === null ? {} : { logicalParent: this.last };
		return this.#put({
			kind: 'compaction',
			...this.#base(),
			parent: this.last,
			...logicalParent,
			summary,
			tokensBefore: 1000,
			trigger: 'manual',
			...keptFrom,
		});
	}

	/** A fact beside the conversation. */
	beside(entry: Pick<Extract<Entry, { kind: 'setting' }>, 'kind' | 'set'>): void {
		this.entries.push({ ...this.#base(), ...entry });
	}

	label(target: EntryId, words: string): void {
		this.entries.push({ kind: 'label', ...this.#base(), target, text: words });
	}

	goOnFrom(target: EntryId): void {
		this.entries.push({ kind: 'leaf', ...this.#base(), target });
		this.last = target;
		this.leaf = target;
	}
}

function asBlock(block: Block | string): Block {
	return typeof block === 'string' ? text(block) : block;
}

function turn(make: Maker, words: string): EntryId {
	const asked = make.user(words);
	make.reply([`About "${words}": done.`]);
	return asked;
}

const scenarios: { readonly [name: string]: (make: Maker) => void } = {
	'all kinds of words'(make) {
		turn(make, '你好，世界：請讀這個檔案。 日本語もどうぞ。 한국어 فارسی עברית');
		turn(make, 'emoji 👩‍👩‍👧‍👦🏳️‍🌈, combining é ệ, zero width \u200b and \u2028 line \u2029 paragraph');
		turn(make, 'tab\tand\r\nreturn, "quotes" \\ back\\slash, <b>&amp;</b>, $x `code` \u0007 bell');
		turn(make, '  blanks around  \n\n');
	},
	'words of the clients themselves'(make) {
		turn(make, '<user_input mode="plan">not a plan of Cline</user_input>');
		turn(make, '<command-name>/clear</command-name><command-args></command-args>');
		turn(make, 'Caveat: the messages below were generated by the user');
		turn(make, '[Request interrupted by user]');
		turn(make, '/compact and <local-command-stdout>nothing</local-command-stdout>');
		make.user('last question');
		make.reply(['No response requested.']);
	},
	'pictures everywhere'(make) {
		make.user('what is on it?', image);
		make.reply(['A dot.']);
		make.user(image);
		const look = make.call('Read', { file_path: '/p/dot.png' });
		make.reply(['I look at the file.', look]);
		make.result(look, [image]);
		const again = make.call('Read', { file_path: '/p/dots.png' });
		make.reply([again]);
		make.result(again, ['before', image, 'between', image]);
		make.reply(['Three dots.']);
		make.user('two more', image, image, 'and words after them');
		make.reply(['Five.']);
	},
	'signed thinking in a loop of tools'(make) {
		make.user('count the files');
		const list = make.call('Bash', { command: 'ls' });
		make.reply([thinking('I should list them.', signature), 'Listing.', list]);
		make.result(list, ['a\nb']);
		const count = make.call('Bash', { command: 'ls | wc -l', description: 'count' });
		make.reply([thinking('Now count.', signature), count]);
		make.result(count, ['2']);
		make.reply([thinking('Two.', signature), 'There are two.']);
		make.user('thanks');
		make.reply([{ type: 'thinking', text: '', redacted: 'cmVkYWN0ZWQ=' }, 'You are welcome.']);
	},
	'thinking without a signature'(make) {
		make.user('think aloud');
		make.reply([thinking('No signature here.'), 'Said.']);
		make.user('and only think');
		make.reply([thinking('Nothing but thinking.')]);
		make.user('well?');
		make.reply([thinking(''), 'Nothing to add.']);
	},
	'thinking of another model'(make) {
		make.user('ask the other one');
		const look = make.call('Read', { file_path: 'a.txt' }, 'call_Abc123|fc_0123456789abcdef');
		const item = JSON.stringify({ type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }] });
		make.reply([thinking('hm', item), look], gpt);
		make.result(look, ['text of a']);
		make.reply([thinking('so it is', item), 'It says text of a.'], gpt);
		make.beside({ kind: 'setting', set: { model: claude.model, provider: claude.provider } });
		make.user('now you');
		make.reply([thinking('My turn.', signature), 'I agree.']);
	},
	'three calls at once'(make) {
		make.user('read all three');
		const calls = ['a', 'b', 'c'].map((name) => make.call('Read', { file_path: `/p/${name}.txt` }));
		const [a, b, c] = calls as [ToolCallBlock, ToolCallBlock, ToolCallBlock];
		make.reply(['All at once.', a, b, c]);
		make.result(b, ['text of b']);
		make.result(a, ['No such file'], true);
		make.result(c, ['text of c', 'and more of it']);
		make.reply(['One is missing.']);
		make.user('again, please');
		const d = make.call('Bash', { command: 'false' });
		const e = make.call('Bash', { command: 'true' });
		make.reply([d, e]);
		make.user(
			{ type: 'tool_result', call: d.id, name: 'Bash', content: [text('Exit code 1')], isError: true },
			{ type: 'tool_result', call: e.id, name: 'Bash', content: [], isError: false },
			text('and a word from me'),
		);
		make.reply(['One failed.']);
	},
	'replies that failed'(make) {
		turn(make, 'first');
		make.user('this one fails');
		make.reply([], { stop: 'error', error: '529 overloaded', usage: noTokens });
		make.user('this one is stopped');
		make.reply(['I was about to'], { stop: 'aborted', error: 'Request was aborted.' });
		make.user('and now?');
		make.reply(['Now it works.'], { stop: 'length' });
		make.user('the last fails too');
		make.reply([], { stop: 'error', error: '500 internal', usage: noTokens });
	},
	'compacted twice'(make) {
		turn(make, 'one');
		turn(make, 'two');
		make.cut('The user asked one and two.');
		turn(make, 'three');
		make.cut('The user asked one, two and three.');
		turn(make, 'four');
		make.user('five');
	},
	'compacted, with messages kept'(make) {
		turn(make, 'one');
		turn(make, 'two');
		const kept = make.user('three');
		const call = make.call('Bash', { command: 'date' });
		make.reply(['Looking at the clock.', call]);
		make.result(call, ['noon']);
		make.reply(['It is noon.']);
		make.cut('The user asked one and two.', kept);
		turn(make, 'four');
	},
	'compacted, and nothing said since'(make) {
		turn(make, 'one');
		turn(make, 'two');
		make.cut('The user asked one and two.');
	},
	'branches, and one that goes on'(make) {
		turn(make, 'root');
		const fork = make.last;
		turn(make, 'left branch');
		make.last = fork;
		const right = make.user('right branch');
		make.reply(['Right it is.']);
		make.label(right, 'the right one');
		const middle = make.last;
		make.last = fork;
		turn(make, 'a third branch');
		if (middle !== null) make.goOnFrom(middle);
	},
	'calls that nobody answered'(make) {
		make.user('start');
		const lost = make.call('Bash', { command: 'sleep 100' });
		const found = make.call('Read', { file_path: 'a' });
		make.reply(['Two things.', lost, found]);
		make.result(found, ['text of a']);
		make.user('what about the other?');
		const open = make.call('Bash', { command: 'sleep 200' });
		make.reply(['I try once more.', open]);
	},
	'stopped in the middle of a tool'(make) {
		turn(make, 'before');
		make.user('run it');
		const open = make.call('Bash', { command: 'make' });
		make.reply([open]);
		make.user('[Request interrupted by user for tool use]');
		make.user('do something else');
		make.reply(['Gladly.']);
	},
	'texts with nothing in them'(make) {
		make.user('', 'a question', ' \n ');
		make.reply(['', 'an answer', '   ']);
		make.user('   ');
		make.reply(['']);
		make.user('next');
		const call = make.call('Bash', { command: 'true' });
		make.reply(['', call]);
		make.result(call, ['']);
		make.reply(['Quiet.']);
	},
	'a sub-agent at work'(make) {
		make.user('let somebody else look');
		const task = make.call('Task', { description: 'look', prompt: 'Look at a.', subagent_type: 'general-purpose' });
		make.reply(['I send somebody.', task]);
		const main = make.last;
		make.agent = 'a1234567890abcdef';
		make.last = null;
		make.user('Look at a.');
		const read = make.call('Read', { file_path: '/p/a' });
		make.reply([read]);
		make.result(read, ['text of a']);
		make.reply(['It says text of a.']);
		make.agent = undefined;
		make.last = main;
		make.user({
			type: 'tool_result',
			call: task.id,
			name: 'Task',
			content: [text('It says text of a.')],
			isError: false,
			details: { agentId: 'a1234567890abcdef' },
		});
		make.reply(['They say: text of a.']);
	},
	'ids that no API takes'(make) {
		make.user('odd ids');
		const odd = make.call('Read', { file_path: 'a' }, `functions.read:0/${'x'.repeat(80)}`);
		make.reply([odd]);
		make.result(odd, ['a']);
		const twice = make.call('Read', { file_path: 'b' }, 'call_same');
		make.reply([twice]);
		make.result(twice, ['b']);
		const again = make.call('Read', { file_path: 'c' }, 'call_same');
		make.reply([again]);
		make.result(again, ['c']);
		make.reply(['Read.']);
	},
	'arguments of all shapes'(make) {
		make.user('call them');
		const inputs = [{}, { list: [1, 2.5, null], deep: { a: { b: true } } }, { text: '日本\n"x"', '': 'empty key' }];
		for (const input of inputs) {
			const call = make.call('mcp__server__do-it', input);
			make.reply([call]);
			make.result(call, [JSON.stringify(input)]);
		}
		make.reply(['All called.']);
	},
	'one after the other from the same side'(make) {
		make.user('first half');
		make.user('second half');
		make.reply(['One thing.']);
		make.reply(['Another thing.']);
		make.user('and');
		make.user('and');
		make.user('end');
	},
	'a reply comes first'(make) {
		make.reply(['Hello, what shall I do?']);
		make.user('nothing yet');
		make.reply(['All right.']);
	},
	'many turns'(make) {
		for (let n = 1; n <= 30; n += 1) {
			make.user(`question ${n}`);
			const call = make.call('Bash', { command: `echo ${n}` });
			make.reply([`Step ${n}.`, call]);
			make.result(call, [`${n}\n`.repeat(50)]);
			make.reply([`Answer ${n}.`]);
		}
	},
	'long outputs'(make) {
		make.user(`please read this: ${'lorem ipsum '.repeat(2000)}`);
		const call = make.call('Read', { file_path: '/p/long.txt' });
		make.reply([call]);
		make.result(call, [Array.from({ length: 900 }, (_, n) => `line ${n} of a long file`).join('\n')]);
		make.reply(['word '.repeat(3000)]);
	},
	'a name and other models'(make) {
		make.beside({ kind: 'setting', set: { title: 'The name of 名前' } });
		turn(make, 'who are you?');
		make.beside({ kind: 'setting', set: { model: 'claude-haiku-4-5', provider: 'anthropic' } });
		make.user('and now?');
		make.reply(['Somebody else.'], { model: 'claude-haiku-4-5' });
		make.user('and the third?');
		make.reply(['Me.'], { provider: 'google', api: 'google-generative-ai', model: 'gemini-2.5-pro' });
	},
	'a prompt and no reply'(make) {
		make.user('is anybody there?');
	},
};

const noTokens = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };

export const generatedSessions: readonly GeneratedSession[] = Object.entries(scenarios).map(([name, tell], index) => {
	const make = new Maker(index + 1);
	tell(make);
	const id = `9e4e0000-0000-4000-9000-${(index + 1).toString(16).padStart(12, '0')}`;
	const header: Header = {
		id,
		cwd: '/home/dev/project',
		created: '2026-01-02T03:04:05.000Z',
		version: '2.1.29',
		model: claudeOf(index + 1).model,
		provider: 'anthropic',
	};
	return { name, id, header, entries: make.entries, leaf: make.leaf };
});

export interface WrittenSession {
	readonly name: string;
	readonly path: string;
}

/** Every generated session as files of a format, each in a folder of its own. */
export function writeGenerated(folder: string, codec: Codec): readonly WrittenSession[] {
	return generatedSessions.map(({ name, id, header, entries, leaf }) => {
		const stem = join(folder, id, id);
		const path = `${stem}${codec.places.ending}`;
		const made = codec.write.encode({ profile: 'client', id, header, path, entries, leaf });
		for (const file of [{ path, bytes: made.bytes }, ...made.beside.map((one) => besideOf(path, one))]) {
			mkdirSync(dirname(file.path), { recursive: true });
			writeFileSync(file.path, file.bytes);
		}
		return { name, path };
	});
}

function besideOf(main: string, file: { readonly path: string; readonly bytes: Uint8Array }) {
	return { path: join(dirname(main), file.path), bytes: file.bytes };
}
