/** Why a prompt was not answered, and what its user can do about it. */
import { LogHeld } from '../log/index.ts';

/** `id`: the session that prompts go to. */
export function failureText(error: unknown, id: string): string {
	if (!(error instanceof LogHeld)) return error instanceof Error ? error.message : String(error);
	const { holder } = error;
	const who = holder ? `Process ${holder.pid} (${holder.command}) on ${holder.host}` : 'Another process';
	return (
		`${who} is writing to this session, perhaps in another window, and only one may at a time: nothing was sent. ` +
		'↑ brings the prompt back: send it again when the other one is done. ' +
		`Or /fork goes on in a copy of it here (reprise -r ${id} --fork-session begins with one).`
	);
}
