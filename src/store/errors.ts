/** Errors whose message is meant for the user as it is. */

/** The input is at fault, and the message says so to the user: exit 1, no stack trace. */
export class InputError extends Error {
	override readonly name: string = 'InputError';
	readonly rule: string;
	constructor(rule: string, message: string) {
		super(message);
		this.rule = rule;
	}
}
