/** The key that a command of the user's settings prints (`apiKeyHelper`): how long it is kept, how long the command may take, and what it says where it fails. */
import { type HookProcess, runHookProcess } from '../hooks/hook-process.ts';

/** How long a key is used before the command is run again, as in Claude Code; CLAUDE_CODE_API_KEY_HELPER_TTL_MS says otherwise. */
const usualTtlMs = 300_000;
/** How long the command may take. */
const timeoutMs = 60_000;
const longestSaid = 500;

export interface KeyHelper extends Pick<HookProcess, 'command' | 'cwd' | 'env'> {
	/** How long a key is kept, as a variable says it. */
	readonly ttl: string | undefined;
}

/** Gives the key; the command is run again when the last one is too old, or was refused. Throws with what the command said, never with what it printed. */
export function apiKey({ ttl, ...helper }: KeyHelper): (refused?: boolean) => Promise<string> {
	const ttlMs = /^\d+$/.test(ttl ?? '') ? Number(ttl) : usualTtlMs;
	let kept: { readonly key: Promise<string>; readonly until: number } | undefined;
	return async (refused = false) => {
		if (refused || !kept || Date.now() >= kept.until) kept = { key: keyFrom(helper), until: Date.now() + ttlMs };
		try {
			return await kept.key;
		} catch (error) {
			kept = undefined;
			throw error;
		}
	};
}

async function keyFrom(helper: Pick<HookProcess, 'command' | 'cwd' | 'env'>): Promise<string> {
	const ran = await runHookProcess({ ...helper, input: '', timeoutMs }, new AbortController().signal);
	const why = ran.problem ?? (ran.exitCode === 0 ? undefined : `it ended with code ${ran.exitCode}`);
	const said = ran.stderr.trim().slice(0, longestSaid);
	if (why !== undefined) throw new Error(`apiKeyHelper failed: ${why}${said === '' ? '' : `: ${said}`}`);
	const key = ran.stdout.trim();
	if (key === '') throw new Error(`apiKeyHelper printed no key${said === '' ? '' : `: ${said}`}`);
	if (!/^[\x21-\x7e]+$/.test(key)) throw new Error('apiKeyHelper printed something that is no key');
	return key;
}
