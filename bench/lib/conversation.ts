/** Conversations between a user, a model and tools, before any format: sizes and mix as coding agents have them. */
import type { Random } from './random.ts';
import type { Texts } from './text.ts';

export interface Call {
	readonly id: string;
	readonly name: 'Read' | 'Bash' | 'Edit' | 'Grep' | 'Write' | 'Screenshot';
	readonly input: { readonly [key: string]: string };
	readonly output: string;
	/** Base64 of a picture, in place of output. */
	readonly image?: string;
	readonly isError: boolean;
	readonly file: SourceFile;
}

export interface Usage {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
}

export interface Reply {
	readonly model: string;
	readonly thinking?: { readonly text: string; readonly signature: string };
	readonly text?: string;
	readonly calls: readonly Call[];
	readonly usage: Usage;
	/** Tokens in the model's window after it. */
	readonly contextTokens: number;
}

export interface SourceFile {
	readonly path: string;
	readonly text: string;
}

export interface Project {
	readonly folder: string;
	readonly branch: string;
	readonly files: readonly SourceFile[];
}

export interface Conversation {
	readonly project: Project;
	prompt(): string;
	/** `last`: the reply that ends a turn, without calls. */
	reply(last: boolean): Reply;
	summary(): string;
	/** The window is full: the next replies begin with a small one. */
	shouldCompact(): boolean;
	compacted(): void;
}

const models = ['claude-opus-5-5', 'claude-sonnet-5', 'claude-sonnet-5', 'claude-haiku-4-5'];
const fullWindow = 160_000;

export function makeProject(random: Random, texts: Texts): Project {
	const folder = `/home/dev/${texts.word()}-${texts.word()}`;
	const files = Array.from({ length: 24 }, () => ({
		path: `${folder}/src/${texts.word()}/${texts.word()}.${random.pick(['ts', 'py', 'rs', 'go'])}`,
		text: texts.code(Math.min(120_000, random.logNormal(4500, 1.1))),
	}));
	return { folder, branch: random.pick(['main', 'main', 'develop']), files };
}

export function converse(random: Random, texts: Texts, project: Project): Conversation {
	let tokens = 18_000;
	const model = random.pick(models);
	return {
		project,
		prompt: () => texts.prose(Math.min(9000, random.logNormal(140, 1.2))),
		reply(last) {
			const usage = {
				input: random.int(1, 12),
				output: random.int(20, 1800),
				cacheRead: tokens,
				cacheWrite: random.int(100, 4000),
			};
			tokens += usage.cacheWrite + usage.output;
			const count = last ? 0 : random.chance(0.18) ? random.int(2, 5) : 1;
			const calls = Array.from({ length: count }, () => makeCall(random, texts, project));
			const thinking = { text: texts.prose(random.logNormal(350, 0.9)), signature: texts.base64(random.int(200, 900)) };
			return {
				model,
				calls,
				usage,
				contextTokens: tokens,
				...(random.chance(0.35) ? { thinking } : {}),
				...(last || random.chance(0.4) ? { text: texts.prose(random.logNormal(last ? 800 : 120, 0.8)) } : {}),
			};
		},
		summary: () => texts.prose(9000),
		shouldCompact: () => tokens > fullWindow,
		compacted() {
			tokens = 24_000;
		},
	};
}

function makeCall(random: Random, texts: Texts, project: Project): Call {
	const file = random.pick(project.files);
	const base = { id: `toolu_01${random.letters(22)}`, file, isError: random.chance(0.04) };
	const share = random.next();
	if (share < 0.34) return { ...base, name: 'Read', input: { file_path: file.path }, output: numbered(file.text) };
	if (share < 0.62) {
		const command = `npm run ${texts.word()} -- --${texts.word()} 2>&1 | tail -${random.int(5, 90)}`;
		return {
			...base,
			name: 'Bash',
			input: { command },
			output: texts.log(Math.min(30_000, random.logNormal(900, 1.4))),
		};
	}
	if (share < 0.82) return { ...base, name: 'Edit', ...edit(random, texts, file) };
	if (share < 0.92) {
		const input = { pattern: texts.word(), path: project.folder };
		return { ...base, name: 'Grep', input, output: texts.log(random.logNormal(1200, 1)) };
	}
	if (share < 0.985) {
		const input = { file_path: file.path, content: texts.code(random.logNormal(3500, 1)) };
		return { ...base, name: 'Write', input, output: `File created successfully at: ${file.path}` };
	}
	const image = texts.base64(Math.min(2_200_000, random.logNormal(180_000, 0.9)));
	return { ...base, name: 'Screenshot', input: { file_path: `${project.folder}/shot.png` }, output: '', image };
}

function edit(random: Random, texts: Texts, file: SourceFile): Pick<Call, 'input' | 'output'> {
	const start = random.int(0, Math.max(0, file.text.length - 300));
	const before = file.text.slice(start, start + random.int(60, 300));
	const after = texts.code(before.length + 40);
	return {
		input: { file_path: file.path, old_string: before, new_string: after },
		output: `The file ${file.path} has been updated.\n${numbered(after)}`,
	};
}

export function numbered(text: string): string {
	return text
		.split('\n')
		.map((line, index) => `${String(index + 1).padStart(6)}→${line}`)
		.join('\n');
}
