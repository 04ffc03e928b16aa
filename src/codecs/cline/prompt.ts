/** The tags around a typed prompt: `<user_input mode="act">…</user_input>`, sometimes with a note about a change of mode. */

export interface Wrapped {
	readonly mode: string;
	readonly text: string;
	/** What stands around the text where it is more than the plain tag. */
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

/** A user's text as the client shows it: without tags and notes, a slash command as it was typed. */
export function displayText(text: string): string {
	const trimmed = text.trim();
	if (trimmed === '') return '';
	const plain = withoutNotices(withoutTags(trimmed)).trim();
	const command = /^<user_command\b([^>]*)>[\s\S]*?<\/user_command>$/i.exec(trimmed);
	const slash = command && /slash="([^"]+)"/i.exec(command[1] ?? '')?.[1]?.trim();
	if (!slash) return plain;
	const teamTask = 'spawn a team of agents for the following task:';
	const isTeam = slash.toLowerCase() === 'team';
	const rest = isTeam && plain.toLowerCase().startsWith(teamTask) ? plain.slice(teamTask.length).trim() : plain;
	const name = isTeam ? 'team' : slash;
	return rest ? `/${name} ${rest}` : `/${name}`;
}

function withoutTags(text: string): string {
	let rest = text;
	for (const tag of ['user_input', 'user_command']) {
		const inner = rest.replace(new RegExp(`<${tag}\\b[^>]*>([\\s\\S]*?)</${tag}>`, 'g'), '$1');
		rest = (inner !== rest ? inner : rest.replace(new RegExp(`<${tag}[^>]*>`, 'g'), '')).trim();
	}
	return rest;
}

function withoutNotices(text: string): string {
	return text.replace(/<mode_notice>[\s\S]*?<\/mode_notice>/g, '');
}
