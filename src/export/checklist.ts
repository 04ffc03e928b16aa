/** To-do lists in calls: which tools keep one (`TodoWrite`, `TaskList`), its items and their states, and the words for how much is done. */
import {
	blockText,
	compact,
	isObject,
	type Json,
	stringAt,
	type ToolCallBlock,
	type ToolResultBlock,
} from '../model/index.ts';

export type ItemState = 'pending' | 'in_progress' | 'completed';

export interface ChecklistItem {
	readonly state: ItemState;
	readonly text: string;
	/** The same in words for the time in which it is done. */
	readonly active?: string;
}

/** The list that a call leaves behind or shows; undefined for calls of other tools, and for what is no such list. */
export function checklistOf(
	call: ToolCallBlock,
	result: ToolResultBlock | undefined,
): readonly ChecklistItem[] | undefined {
	if (call.name === 'TodoWrite') return isObject(call.input) ? todosIn(call.input.todos) : undefined;
	return call.name === 'TaskList' && result ? tasksIn(blockText(result)) : undefined;
}

function todosIn(todos: Json | undefined): readonly ChecklistItem[] | undefined {
	if (!Array.isArray(todos) || todos.length === 0) return undefined;
	const items = (todos as readonly Json[]).map((todo): ChecklistItem | undefined => {
		if (!isObject(todo) || typeof todo.content !== 'string') return undefined;
		return { state: stateOf(todo.status), text: todo.content, ...compact({ active: stringAt(todo, 'activeForm') }) };
	});
	return items.every((item) => item !== undefined) ? items : undefined;
}

/** As `#2 [pending] Words (owner) [blocked by #1]`, a line each. */
function tasksIn(text: string): readonly ChecklistItem[] | undefined {
	const items = text.split('\n').map((line): ChecklistItem | undefined => {
		const [, number, state, words] = /^(#\d+) \[(\w+)\] (.*)$/.exec(line) ?? [];
		return number === undefined ? undefined : { state: stateOf(state), text: `${number} ${words}` };
	});
	return items.every((item) => item !== undefined) ? items : undefined;
}

function stateOf(word: Json | undefined): ItemState {
	return word === 'completed' || word === 'in_progress' ? word : 'pending';
}

/** As in `1 of 3 done`. */
export function checklistSubject(items: readonly ChecklistItem[]): string {
	return `${items.filter(({ state }) => state === 'completed').length} of ${items.length} done`;
}
