/** Task lists as the editor's plan: which tools only keep such a list, and so are not shown as calls. */
import type { Plan } from '@agentclientprotocol/sdk';
import type { Conversation } from '../agent/config.ts';
import type { ChecklistItem } from '../export/checklist.ts';
import { isObject, type Json, stringAt } from '../model/index.ts';
import { listedTasks } from '../tools/task-list.ts';

/** Calls that only keep a list: they are shown as the plan, and not as calls. */
const keepers: ReadonlySet<string> = new Set(['TodoWrite', 'TaskCreate', 'TaskUpdate']);

export function isListCall(name: string): boolean {
	return keepers.has(name);
}

/** The list that a call leaves behind; undefined for any other call. */
export function listAfter(
	name: string,
	details: Json | undefined,
	conversation: Conversation,
): readonly ChecklistItem[] | undefined {
	if (!keepers.has(name)) return undefined;
	if (name !== 'TodoWrite') return taskItems(conversation);
	const todos = isObject(details) && Array.isArray(details.newTodos) ? (details.newTodos as readonly Json[]) : [];
	return todos.filter(isObject).map((todo) => ({
		text: stringAt(todo, 'content') ?? '',
		state: todo.status === 'completed' || todo.status === 'in_progress' ? todo.status : 'pending',
	}));
}

/** The newer list of a conversation, which calls change item by item. */
export function taskItems(conversation: Conversation): readonly ChecklistItem[] {
	return listedTasks(conversation).map(({ subject, status }) => ({ text: subject, state: status }));
}

export function planOf(items: readonly ChecklistItem[]): Plan {
	return { entries: items.map(({ text, state }) => ({ content: text, priority: 'medium', status: state })) };
}
