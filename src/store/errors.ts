/** The error for a user's mistake (its message is shown as it is, without a stack trace, and the command ends with exit code 1), and which errors end only one of several things. */
import { codeOf, LogError } from '../log/errors.ts';

/** The input is at fault, and the message says so to the user: exit 1, no stack trace. */
export class InputError extends Error {
	override readonly name: string = 'InputError';
	readonly rule: string;
	constructor(rule: string, message: string) {
		super(message);
		this.rule = rule;
	}
}

/**
 * True for what the user can mend: the input, the disk, another writer. Where several things are done one by one, such
 * an error stops only the one that it is about; any other is a mistake of ours and stops all.
 */
export function isForUser(error: unknown): error is Error {
	return error instanceof InputError || error instanceof LogError || codeOf(error) !== undefined;
}
