/** Settings that stand before the text of a Markdown file, between dashes. */
import { isObject, type JsonObject } from '../model/index.ts';

export type FrontMatter =
	| { readonly ok: true; readonly fields: JsonObject; readonly body: string }
	| { readonly ok: false; readonly problem: string };

const parts = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n?---[ \t]*(?:\r?\n|$)([\s\S]*)$/;

/** The fields and the text behind them. Without dashes all of it is text. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
	const [, yaml, body = ''] = parts.exec(text) ?? [];
	if (yaml === undefined) return { ok: true, fields: {}, body: text.trim() };
	const { parse } = await import('yaml');
	let problem = '';
	// People write descriptions with colons and tags in them, which are no YAML unless they are quoted; Claude Code takes them as well.
	for (const source of [yaml, quoted(yaml)]) {
		try {
			const fields: unknown = parse(source, { maxAliasCount: 0, logLevel: 'error' });
			if (fields === null || isObject(fields)) return { ok: true, fields: fields ?? {}, body: body.trim() };
			problem ||= 'it is not a list of fields';
		} catch (error) {
			problem ||= error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
		}
	}
	return { ok: false, problem: problem.replace(/:$/, '') };
}

/** A plain value of one line with something in it that YAML has another meaning for, as a text in quotes. */
function quoted(yaml: string): string {
	return yaml.replaceAll(
		/^([\w-]+):[ \t]+(?!["'[{|>])(\S.*(?::\s| #|:$).*|[&*!%@`].*)$/gm,
		(_, key: string, value: string) => `${key}: ${JSON.stringify(value.trim())}`,
	);
}
