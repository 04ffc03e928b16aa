/** The tags around a typed prompt: `<user_input mode="act">…</user_input>`, sometimes with a note about the mode. */

export interface Wrapped {
	readonly mode: string;
	readonly text: string;
	/** What is around the text, where it is more than the plain tag. */
	readonly around?: Around;
}

export interface Around {
	readonly before: string;
	readonly after: string;
}

const notice = '(?:<mode_notice>[^<]*</mode_notice>\\s*)?';
const opening = new RegExp(`^${notice}<user_input mode="(act|plan|yolo)">${notice}`);
const closing = '</user_input>';

export const modes: readonly string[] = ['act', 'plan', 'yolo'];

/** The prompt inside its tags; undefined for a text that is not wrapped as a whole. */
export function unwrap(text: string): Wrapped | undefined {
	if (!text.startsWith('<') || !text.endsWith(closing)) return undefined;
	const match = opening.exec(text);
	if (!match || match[0].length + closing.length > text.length) return undefined;
	const mode = match[1] as string;
	const inner = text.slice(match[0].length, text.length - closing.length);
	if (match[0] === openTag(mode)) return { mode, text: inner };
	return { mode, text: inner, around: { before: match[0], after: closing } };
}

export function wrap(text: string, mode: string, around?: Around): string {
	return around ? around.before + text + around.after : openTag(mode) + text + closing;
}

function openTag(mode: string): string {
	return `<user_input mode="${mode}">`;
}

/** A user's text as the client sends it: trimmed and without tags. A note about a change of mode stays. */
export function sentText(text: string): string {
	const trimmed = text.trim();
	return trimmed === '' ? '' : withoutTags(trimmed);
}

/** A user's text as the client shows it: without tags and notes, a slash command as it was typed. */
export function displayText(text: string): string {
	const trimmed = text.trim();
	if (trimmed === '') return '';
	const plain = withoutNotices(withoutTags(trimmed)).trim();
	const slash = slashOf(trimmed);
	if (!slash) return plain;
	const teamTask = 'spawn a team of agents for the following task:';
	const isTeam = slash.toLowerCase() === 'team';
	const rest = isTeam && plain.toLowerCase().startsWith(teamTask) ? plain.slice(teamTask.length).trim() : plain;
	const name = isTeam ? 'team' : slash;
	return rest ? `/${name} ${rest}` : `/${name}`;
}

/** The command, if the whole text is the envelope of one. */
function slashOf(trimmed: string): string | undefined {
	const open = /^<user_command\b([^>]*)>/i.exec(trimmed);
	if (!open || !/<\/user_command>$/i.test(trimmed)) return undefined;
	return /slash="([^"]+)"/i.exec(open[1] ?? '')?.[1]?.trim() || undefined;
}

function withoutTags(text: string): string {
	let rest = text;
	for (const tag of ['user_input', 'user_command']) rest = withoutTag(rest, tag).trim();
	return rest;
}

/**
 * Replaces every element by its content; where no end tag exists, removes stray opening tags. It works by position: a
 * pattern would search for the end again after each opening tag, which takes forever on a text of many.
 */
function withoutTag(text: string, tag: string): string {
	const close = `</${tag}>`;
	let result = '';
	let at = 0;
	for (;;) {
		const open = openingTag(text, tag, at);
		const end = open ? text.indexOf(close, open.end) : -1;
		if (!open || end === -1) break;
		result += text.slice(at, open.start) + text.slice(open.end, end);
		at = end + close.length;
	}
	return at > 0 ? result + text.slice(at) : withoutStray(text, tag);
}

/** The next opening tag of that name: `<user_input …>`, not `<user_inputs>`. */
function openingTag(text: string, tag: string, from: number) {
	for (let start = text.indexOf(`<${tag}`, from); start !== -1; start = text.indexOf(`<${tag}`, start + 1)) {
		if (/\w/.test(text[start + tag.length + 1] ?? '')) continue;
		const end = text.indexOf('>', start);
		return end === -1 ? undefined : { start, end: end + 1 };
	}
	return undefined;
}

function withoutStray(text: string, tag: string): string {
	let result = '';
	let at = 0;
	for (let start = text.indexOf(`<${tag}`); start !== -1; start = text.indexOf(`<${tag}`, at)) {
		const end = text.indexOf('>', start);
		if (end === -1) break;
		result += text.slice(at, start);
		at = end + 1;
	}
	return result + text.slice(at);
}

function withoutNotices(text: string): string {
	const [open, close] = ['<mode_notice>', '</mode_notice>'];
	let result = '';
	let at = 0;
	for (let start = text.indexOf(open); start !== -1; start = text.indexOf(open, at)) {
		const end = text.indexOf(close, start + open.length);
		if (end === -1) break;
		result += text.slice(at, start);
		at = end + close.length;
	}
	return result + text.slice(at);
}
