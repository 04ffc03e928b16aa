/** The wording at the console of why a prompt was not answered, and what helps: another process writes the session, Reprise was updated meanwhile. */
import { codeOf } from '../log/errors.ts';
import { LogHeld } from '../log/index.ts';
import { errorText } from '../model/index.ts';
import { sessionWord } from '../store/find/session-names.ts';
import type { SessionHandle } from '../store/handle/handle.ts';

/** Parts are loaded when they are first needed: an update that came meanwhile has taken away those of the version that runs. */
export function isReplaced(error: unknown): boolean {
	return codeOf(error) === 'ERR_MODULE_NOT_FOUND';
}

/** `handle`: the session that prompts go to, if there is one by now. */
export function failureText(error: unknown, handle: SessionHandle | undefined): string {
	const word = handle ? sessionWord({ id: handle.session.id, path: handle.path }) : '';
	if (isReplaced(error))
		return `Reprise was updated while this window was open, and this part of it is gone. /exit, and go on with: reprise -r ${word}`;
	if (!(error instanceof LogHeld)) return errorText(error);
	const { holder } = error;
	const who = holder ? `Process ${holder.pid} (${holder.command}) on ${holder.host}` : 'Another process';
	return (
		`${who} is writing to this session, perhaps in another window, and only one may at a time: nothing was sent. ` +
		'↑ brings the prompt back: send it again when the other one is done. ' +
		`Or /fork goes on in a copy of it here (reprise -r ${word} --fork-session begins with one).`
	);
}
