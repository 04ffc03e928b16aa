/** The wording at the console of why a prompt was not answered, and what helps: another process writes the session, Reprise was updated meanwhile. */
import { codeOf } from '../log/errors.ts';
import { LogHeld } from '../log/index.ts';

/** Parts are loaded when they are first needed: an update that came meanwhile has taken away those of the version that runs. */
export function isReplaced(error: unknown): boolean {
	return codeOf(error) === 'ERR_MODULE_NOT_FOUND';
}

/** `id`: the session that prompts go to. */
export function failureText(error: unknown, id: string): string {
	if (isReplaced(error))
		return `Reprise was updated while this window was open, and this part of it is gone. /exit, and go on with: reprise -r ${id}`;
	if (!(error instanceof LogHeld)) return error instanceof Error ? error.message : String(error);
	const { holder } = error;
	const who = holder ? `Process ${holder.pid} (${holder.command}) on ${holder.host}` : 'Another process';
	return (
		`${who} is writing to this session, perhaps in another window, and only one may at a time: nothing was sent. ` +
		'↑ brings the prompt back: send it again when the other one is done. ' +
		`Or /fork goes on in a copy of it here (reprise -r ${id} --fork-session begins with one).`
	);
}
