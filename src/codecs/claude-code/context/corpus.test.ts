/** The context of every recorded resume and every hand-written case, compared with what the real clients did. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { comparable, contextOf, differences, type Sent } from '../../../../test/support/claude-code-context.ts';
import { type CorpusFile, corpusFiles, readJson } from '../../../../test/support/corpus.ts';
import { isObject, type Json, type JsonObject } from '../../../model/index.ts';
import { clients } from './context.ts';

const files = corpusFiles('claude-code').filter((file) => file.role === 'main');

/**
 * Cases that a client refuses for something outside the file: its folder, its name. `check` and `handoff` know those.
 */
const refusedForItsPlace: ReadonlySet<string> = new Set([
	'slug_wrong_dir 2.1.29',
	'non_uuid_session_id 2.1.29',
	'non_uuid_session_id 2.1.325',
]);

describe('hand-written cases', () => {
	const cases = files.filter((file) => file.version === 'resume-cases');

	test('there are cases for both clients', () => {
		expect(cases.length).toBe(62);
	});

	for (const file of cases) {
		for (const client of clients) {
			test(`${file.scenario} as ${client} does it`, () => {
				const expected = readJson(join(file.folder, `expected.${client}.json`)) as {
					readonly outcome: string;
					readonly sent?: string;
				};
				const context = contextOf(file.bytes(), { client, exact: true });
				if (refusedForItsPlace.has(`${file.scenario} ${client}`)) {
					expect([expected.outcome, context.refused]).toEqual(['refused', undefined]);
					return;
				}
				const outcome = context.refused === undefined ? 'resumed' : 'refused';
				expect(outcome).toBe(expected.outcome);
				if (outcome === 'resumed') expect(notation(context.messages)).toBe(withoutPrompt(expected.sent ?? ''));
			});
		}
	}
});

/** The notation of the corpus, without the prompt at its end. A result ends where the client's own reminder begins. */
function withoutPrompt(sent: string): string {
	return sent.replace(/ (>>P|\+P\(merged\))$/, '').replace(/(res#\d+:"[^"]*?)\\n\\n<system-reminder>[^\]]*\]/, '$1"]');
}

function notation(messages: Sent): string {
	return messages
		.map(({ role, content }) => `${role === 'user' ? 'U' : 'A'}[${blocks(content).map(shorthand).join(', ')}]`)
		.join(' ');
}

function blocks(content: Sent[number]['content']): readonly JsonObject[] {
	return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

const plainTool = 'Read';

function shorthand(block: JsonObject): string {
	const number = (id: Json | undefined): string => String(id).replace('toolu_', '');
	switch (block.type) {
		case 'text':
			return JSON.stringify(block.text);
		case 'thinking':
			return `thinking:${String(block.thinking)}${block.signature ? '' : '(nosig)'}`;
		case 'tool_use':
			return `use#${number(block.id)}${block.name === plainTool ? '' : `:${String(block.name)}`}`;
		case 'tool_result':
			return `res#${number(block.tool_use_id)}${block.is_error ? '!' : ''}:${JSON.stringify(block.content).slice(0, 60)}`;
		default:
			return String(block.type);
	}
}

interface Resume {
	readonly file: string;
	readonly prompt: string;
	readonly sessionId?: string;
}

describe('recorded resumes', () => {
	const folders = [...new Set(files.map((file) => file.folder))];
	const resumes = folders.flatMap((folder) => {
		const { resumes: all = [] } = readJson(join(folder, 'scenario.json')) as { readonly resumes?: readonly Resume[] };
		return all.map((resume) => ({ folder, resume }));
	});

	test('every recorded request is compared', () => {
		const recorded = folders.flatMap((folder) =>
			readdirSync(folder).filter((name) => name.startsWith('resume-messages')),
		);
		expect(resumes.length).toBe(recorded.length);
		expect(recorded.length).toBe(36);
	});

	for (const { folder, resume } of resumes) {
		const [version = '', scenario = ''] = folder.split('/').slice(-2);
		test(`${version} ${scenario}, before "${resume.prompt}"`, () => {
			const { bytes, prompt } = before(
				files.filter((file) => file.folder === folder),
				resume,
			);
			const sent = readJson(join(folder, resume.file)) as Sent;
			const context = contextOf(bytes, { client: version, exact: true });
			expect(context.refused).toBeUndefined();
			expect(differences(comparable(context.messages), comparable(sent, prompt))).toEqual([]);
		});
	}
});

/** The session up to the prompt, and how the prompt's first text begins. */
function before(candidates: readonly CorpusFile[], resume: Resume): { bytes: Uint8Array; prompt: string } {
	const [, command, args] = /^\/(\S+) ?(.*)$/.exec(resume.prompt) ?? [];
	const prompt = command === undefined ? resume.prompt : `<command-message>${command}</command-message>`;
	const fits = (text: string): boolean =>
		text.startsWith(prompt) && (command === undefined || text.includes(`<command-args>${args}</command-args>`));
	for (const file of candidates) {
		const lines = readFileSync(file.path, 'utf8').split('\n');
		const at = lines.findIndex((line) => line.startsWith('{') && fits(promptOf(JSON.parse(line) as Json)));
		if (at !== -1) return { bytes: Buffer.from(lines.slice(0, at).join('\n')), prompt };
	}
	throw new Error(`no file has the prompt ${resume.prompt}`);
}

function promptOf(line: Json): string {
	const content = isObject(line) && line.type === 'user' && isObject(line.message) ? line.message.content : undefined;
	if (typeof content === 'string') return content;
	const first = Array.isArray(content) ? (content[0] as Json) : undefined;
	return isObject(first) && typeof first.text === 'string' ? first.text : '';
}
