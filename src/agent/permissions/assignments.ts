/** Variables that a shell command sets: which are harmless because nothing obeys them, and which an allow rule lets pass before its command. */

export interface ShellAssignment {
	readonly name: string;
	readonly raw: string;
	/** Undefined where only the shell will know. */
	readonly value: string | undefined;
	/** The value with an `x` for whatever only the shell will know. */
	readonly outline?: string;
	readonly plain: boolean;
}

/** Variables that a program may be given without a rule for it: they choose how much it says, not what it runs. */
const chosen: readonly string[] = ['NODE_ENV', 'CI'];
/** Bash and other programs know names in capitals, and only these among the others. */
const ofOneself = /^([a-z][a-z0-9_]*|[A-Z])$/;
const obeyed = /(path|proxy|opts|flags|preload)$|^(histchars|auto_resume|prompt|psvar|ifs|home|shell)$/;
/** Bash evaluates what some variables are given, and names in arithmetic: an index such as a[$(rm x)] is run. */
const plainValue = /^[\w./:@%+,-]*$/;

/** Nothing obeys the variable, and nothing in its value could be run. */
export function isHarmless(assignment: ShellAssignment): boolean {
	const { name } = assignment;
	return isPlain(assignment) && (chosen.includes(name) || (ofOneself.test(name) && !obeyed.test(name)));
}

/** A rule that allows a command takes it with this in front as well. */
export function isChosen(assignment: ShellAssignment): boolean {
	return chosen.includes(assignment.name) && /^\w+=[\w.-]*$/.test(assignment.raw);
}

function isPlain({ value, plain }: ShellAssignment): boolean {
	return plain && value !== undefined && plainValue.test(value);
}
