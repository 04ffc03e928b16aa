/** The settings that stand before the text of a Markdown file, between dashes (commands, skills, agents, rules): their length, and what is taken as text although it is no YAML. */
import { codeOf } from '../../log/errors.ts';
import { readRegular } from '../../log/regular-file.ts';
import { isObject, type JsonObject } from '../../model/index.ts';

/**
 * `body` is the text behind the settings as it stands; `problem` says what is wrong with them; `notes`, what is wrong with a field that is
 * taken as text all the same.
 */
export type FrontMatter =
	| { readonly ok: true; readonly fields: JsonObject; readonly body: string; readonly notes?: readonly string[] }
	| { readonly ok: false; readonly problem: string };

/** Nobody writes settings that are longer; a parser is not given more than that. */
const longest = 64 * 1024;

/** No command and no agent that somebody wrote is longer. */
const longestFile = 1 << 20;

/** The settings and the text of such a file; undefined where it cannot be used, and `say` is told what is wrong with it. */
export async function readMarkdown(
	path: string,
	say: (problem: string) => void,
): Promise<Pick<FrontMatter & { readonly ok: true }, 'fields' | 'body'> | undefined> {
	const bytes = bytesOf(path, say);
	if (bytes === undefined) return undefined;
	const read = await readFrontMatter(bytes.toString('utf8'));
	if (!read.ok) {
		say(`its front matter cannot be read: ${read.problem}`);
		return undefined;
	}
	for (const note of read.notes ?? []) say(note);
	return read;
}

function bytesOf(path: string, say: (problem: string) => void): Buffer | undefined {
	try {
		const bytes = readRegular(path, longestFile + 1);
		if (bytes.length <= longestFile) return bytes;
		say(`it is larger than ${longestFile} bytes`);
	} catch (error) {
		if (codeOf(error) === undefined) throw error;
		say(`it cannot be read (${codeOf(error)})`);
	}
	return undefined;
}

const fenced = /^---[ \t]*\r?\n((?:[\s\S]*?\n)?)---[ \t]*(?:\r?\n|$)/;

/** A file without settings has no fields. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
	const whole = text.replace(/^\uFEFF/, '');
	const found = fenced.exec(whole);
	if (!found) return { ok: true, fields: {}, body: whole };
	const [fence, settings = ''] = found;
	if (settings.length > longest) return { ok: false, problem: `it is longer than ${longest} characters` };
	// The parser is loaded with the first file that has settings.
	const { parse } = await import('yaml');
	const read = (yaml: string): Read => {
		try {
			const fields: unknown = parse(yaml, { schema: 'core', logLevel: 'error', maxAliasCount: 20 });
			if (fields === null || isObject(fields as JsonObject)) return { fields: (fields ?? {}) as JsonObject };
			return { problem: 'it has no fields: write them as name: value' };
		} catch (error) {
			// Whatever a parser throws is about what it was given: bad grammar, too many aliases, too deep nesting.
			return {
				problem: error instanceof Error ? (error.message.split('\n', 1)[0] ?? '').replace(/:$/, '') : String(error),
			};
		}
	};
	const first = read(settings);
	const notes: string[] = [];
	const meant = 'fields' in first ? first : read(quoted(settings, (line) => 'fields' in read(line), notes));
	const noted = notes.length === 0 ? {} : { notes };
	if ('fields' in meant) return { ok: true, fields: meant.fields, body: whole.slice(fence.length), ...noted };
	return { ok: false, problem: 'problem' in first ? first.problem : meant.problem };
}

type Read = { readonly fields: JsonObject } | { readonly problem: string };

/**
 * People write `argument-hint: [issue] [priority]` and `description: Use it so: …`, which is no YAML, and the real client takes
 * such a value as it stands. The lines that are YAML stay what they are: a number is a number beside such a text, too.
 */
function quoted(settings: string, isYaml: (line: string) => boolean, notes: string[]): string {
	return settings.replaceAll(/^([\w-]+):[ \t]+([^\s"'|>].*?)[ \t]*\r?$/gm, (line, name: string, value: string) => {
		if (isYaml(line)) return line;
		if (isUnclosed(value)) notes.push(`${name} begins with ${value[0]} that nothing closes: it is taken as text`);
		return `${name}: ${JSON.stringify(value)}`;
	});
}

/** Something was meant to be a list, and its end was forgotten. */
function isUnclosed(value: string): boolean {
	const count = (sign: RegExp): number => value.match(sign)?.length ?? 0;
	return /^[[{]/.test(value) && count(/[[{]/g) > count(/[\]}]/g);
}
