/** Asks a hook of the kind `http`: its input is posted to an address, and its answer is read, up to a time and a size (`hook-settings.ts` has the times). */
import { errorText } from '../../model/index.ts';

import type { HookOutput } from './hook-process.ts';
import type { HookHandler } from './hook-settings.ts';

type HttpHandler = Extract<HookHandler, { readonly type: 'http' }>;

const mostRead = 256 * 1024;

/** An answer other than 2xx is a failure that blocks nothing, as in Claude Code. Nobody is followed elsewhere. */
export async function askHook(
	{ url, headers, allowedEnvVars, timeoutMs }: HttpHandler,
	input: string,
	env: { readonly [name: string]: string | undefined },
	signal: AbortSignal,
): Promise<HookOutput> {
	const silent = { stdout: '', stderr: '', exitCode: null };
	const limit = AbortSignal.timeout(timeoutMs);
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...filled(headers, allowedEnvVars, env) },
			body: input,
			redirect: 'manual',
			signal: AbortSignal.any([signal, limit]),
		});
		const stdout = await beginningOf(response);
		if (response.ok) return { stdout, stderr: '', exitCode: 0 };
		return { ...silent, stdout, problem: `it answered with status ${response.status}` };
	} catch (error) {
		if (signal.aborted) return { ...silent, cancelled: true };
		if (limit.aborted) return { ...silent, problem: `it took longer than ${timeoutMs / 1000} s` };
		const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
		return { ...silent, problem: errorText(cause) };
	}
}

/** Variables stand in a header only where the settings name them: others may be keys that the address is not meant to have. */
function filled(
	headers: HttpHandler['headers'],
	allowed: readonly string[],
	env: { readonly [name: string]: string | undefined },
): { readonly [name: string]: string } {
	const value = (name: string): string => (allowed.includes(name) ? (env[name] ?? '') : '');
	return Object.fromEntries(
		Object.entries(headers).map(([name, text]) => [
			name,
			text.replaceAll(/\$\{(\w+)\}|\$(\w+)/g, (_, braced?: string, bare?: string) => value(braced ?? bare ?? '')),
		]),
	);
}

async function beginningOf({ body }: Response): Promise<string> {
	if (!body) return '';
	const kept: Uint8Array[] = [];
	let size = 0;
	for await (const bytes of body) {
		kept.push(bytes.subarray(0, mostRead - size));
		size += bytes.length;
		// Leaving the loop ends the transfer.
		if (size >= mostRead) break;
	}
	return Buffer.concat(kept).toString('utf8');
}
