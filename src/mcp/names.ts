/** The names under which models and permission rules know what servers offer (`mcp__server__tool`), and how a name that is too long is shortened. */
import { createHash } from 'node:crypto';

/** Every provider takes names of this length. */
const longest = 64;

/** `mcp__server__tool`, in letters that every provider takes: what rules name, however long it is. */
export function ruledName(server: string, own: string): string {
	return `mcp__${serverPart(server)}__${plain(own)}`;
}

/** The same for models: a name that is too long ends in a sum of itself. */
export function offeredName(server: string, own: string): string {
	const name = ruledName(server, own);
	if (name.length <= longest) return name;
	const sum = createHash('sha256').update(name).digest('hex').slice(0, 8);
	return `${name.slice(0, longest - sum.length - 1)}_${sum}`;
}

/** Two underscores end it: with two of its own, a rule for one server would fit the tools of another. */
export function serverPart(name: string): string {
	return plain(name).replaceAll(/__+/g, '_').replaceAll(/^_|_$/g, '') || 'server';
}

function plain(name: string): string {
	return name.replaceAll(/[^\w-]/g, '_');
}
