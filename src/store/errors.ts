/** The error for a user's mistake: its message is shown as it is, without a stack trace, and the command ends with exit code 1. */

/** The input is at fault, and the message says so to the user: exit 1, no stack trace. */
export class InputError extends Error {
	override readonly name: string = 'InputError';
	readonly rule: string;
	constructor(rule: string, message: string) {
		super(message);
		this.rule = rule;
	}
}
