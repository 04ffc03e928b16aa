/** The settings that stand before the text of a Markdown file, between dashes: of commands, skills and agents. */
import { isObject, type JsonObject } from '../model/index.ts';

export interface FrontMatter {
	readonly fields: JsonObject;
	/** The text behind it, without the blank lines around it. */
	readonly body: string;
}

/** Nobody writes settings that are longer; a parser is not given more than that. */
const longest = 64 * 1024;

const fenced = /^---[ \t]*\r?\n((?:[\s\S]*?\n)?)---[ \t]*(?:\r?\n|$)/;

/** A file without settings has no fields. `problem`: what is wrong with them, in words that follow the file's name. */
export async function readFrontMatter(text: string): Promise<FrontMatter | { readonly problem: string }> {
	const whole = text.replace(/^\uFEFF/, '');
	const found = fenced.exec(whole);
	if (!found) return { fields: {}, body: whole.trim() };
	const [fence, settings = ''] = found;
	if (settings.length > longest) return { problem: `its front matter is longer than ${longest} characters` };
	const fields = await fieldsOf(settings);
	return 'problem' in fields ? fields : { ...fields, body: whole.slice(fence.length).trim() };
}

/** The parser is loaded with the first file that has settings. */
async function fieldsOf(settings: string): Promise<Pick<FrontMatter, 'fields'> | { readonly problem: string }> {
	const { parse } = await import('yaml');
	const tried: unknown[] = [];
	for (const yaml of [settings, quoted(settings)]) {
		try {
			const value: unknown = parse(yaml, { schema: 'core', logLevel: 'error', prettyErrors: true, maxAliasCount: 20 });
			if (value === null || isObject(value as JsonObject)) return { fields: (value ?? {}) as JsonObject };
			return { problem: 'its front matter has no fields: write them as name: value' };
		} catch (error) {
			// Whatever a parser throws is about what it was given: bad grammar, too many aliases, too deep nesting.
			tried.push(error);
		}
	}
	const [first] = tried;
	return { problem: `its front matter is not YAML: ${first instanceof Error ? firstLine(first.message) : first}` };
}

/**
 * People write `argument-hint: [issue] [priority]` and `description: Use it so: …`, which is no YAML, and the real client takes
 * such a value as it stands.
 */
function quoted(settings: string): string {
	return settings.replaceAll(/^([\w-]+):[ \t]+([^\s"'|>].*?)[ \t]*\r?$/gm, (_, name: string, value: string) => {
		return `${name}: ${JSON.stringify(value)}`;
	});
}

function firstLine(message: string): string {
	return message.split('\n', 1)[0]?.replace(/:$/, '') ?? '';
}
