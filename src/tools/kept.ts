/** What a tool keeps from one call of a conversation to the next. */
import type { ToolContext } from '../agent/contracts.ts';

/** The value of that name, made when it is first asked for. Every name belongs to one tool, so that its values have one type. */
export function kept<T extends object>({ kept: values }: Pick<ToolContext, 'kept'>, name: string, make: () => T): T {
	const known = values.get(name) as T | undefined;
	if (known !== undefined) return known;
	const made = make();
	values.set(name, made);
	return made;
}
