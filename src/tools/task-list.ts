/** TaskCreate, TaskUpdate, TaskGet and TaskList: the newer list of what is to be done, changed item by item. */
import { z } from 'zod';
import { failed, said } from '../agent/calls/outputs.ts';
import type { ToolContext, ToolOutput } from '../agent/contracts.ts';
import { isObject, type Json, type JsonObject } from '../model/index.ts';
import { defineTool, once } from './define.ts';
import { kept } from './kept.ts';

type Status = 'pending' | 'in_progress' | 'completed';

interface Task {
	readonly id: string;
	subject: string;
	description: string;
	activeForm?: string;
	owner?: string;
	status: Status;
	metadata: JsonObject;
	readonly blocks: Set<string>;
	readonly blockedBy: Set<string>;
}

/** The list of one conversation; that of a session that is gone on with is made by its own calls again. */
class TaskList {
	readonly #tasks = new Map<string, Task>();
	#last = 0;

	get all(): readonly Task[] {
		return [...this.#tasks.values()];
	}

	find(id: string): Task | undefined {
		return this.#tasks.get(id);
	}

	create({ subject, description, activeForm, metadata = {} }: z.infer<ReturnType<typeof createInput>>): Task {
		this.#last += 1;
		const task: Task = {
			...{ id: String(this.#last), subject, description, status: 'pending', metadata: metadata as JsonObject },
			...(activeForm === undefined ? {} : { activeForm }),
			...{ blocks: new Set(), blockedBy: new Set() },
		};
		this.#tasks.set(task.id, task);
		return task;
	}

	/** Changes a task, and gives the names of the fields that have changed. */
	update(task: Task, given: z.infer<ReturnType<typeof updateInput>>): readonly string[] {
		const changed: string[] = [];
		for (const key of ['subject', 'description', 'activeForm', 'owner'] as const) {
			const value = given[key];
			if (value === undefined || value === task[key]) continue;
			task[key] = value;
			changed.push(key);
		}
		if (given.metadata !== undefined) {
			const merged = Object.entries({ ...task.metadata, ...(given.metadata as JsonObject) });
			task.metadata = Object.fromEntries(
				merged.filter(([, value]) => value !== null && value !== undefined),
			) as JsonObject;
			changed.push('metadata');
		}
		if (given.status === 'deleted') {
			this.#remove(task);
			return ['deleted'];
		}
		if (given.status !== undefined && given.status !== task.status) {
			task.status = given.status;
			changed.push('status');
		}
		if (this.#link(given.addBlocks, (other) => this.#block(task, other))) changed.push('blocks');
		if (this.#link(given.addBlockedBy, (other) => this.#block(other, task))) changed.push('blockedBy');
		return changed;
	}

	/** True where one of them is a task that was not linked so far. */
	#link(ids: readonly string[] | undefined, link: (other: Task) => boolean): boolean {
		const others = (ids ?? []).flatMap((id) => this.find(id) ?? []);
		return others.map(link).some((fresh) => fresh);
	}

	#block(first: Task, then: Task): boolean {
		if (first === then || first.blocks.has(then.id)) return false;
		first.blocks.add(then.id);
		then.blockedBy.add(first.id);
		return true;
	}

	#remove({ id }: Task): void {
		this.#tasks.delete(id);
		for (const other of this.all) {
			other.blocks.delete(id);
			other.blockedBy.delete(id);
		}
	}
}

const createInput = once(() =>
	z.strictObject({
		subject: z.string().describe('What is to be done, in a few words'),
		description: z.string().describe('What belongs to it'),
		activeForm: z.string().optional().describe('The same while it is done: Running the tests'),
		metadata: z.record(z.string(), z.unknown()).optional().describe('Anything to keep with it'),
	}),
);

const updateInput = once(() =>
	z.strictObject({
		taskId: z.string().describe('The task'),
		subject: z.string().optional(),
		description: z.string().optional(),
		activeForm: z.string().optional(),
		status: z.enum(['pending', 'in_progress', 'completed', 'deleted']).optional(),
		addBlocks: z.array(z.string()).optional().describe('Tasks that cannot begin before this one is done'),
		addBlockedBy: z.array(z.string()).optional().describe('Tasks that have to be done before this one'),
		owner: z.string().optional().describe('Who does it'),
		metadata: z.record(z.string(), z.unknown()).optional().describe('Keys to change; null removes one'),
	}),
);

const getInput = () => z.strictObject({ taskId: z.string().describe('The task') });

/** A model has one list: these are offered where a session has used them. */
const common = { effect: 'read', unlisted: true, subjects: () => [] } as const;

const taskCreate = defineTool({
	...common,
	name: 'TaskCreate',
	description: 'Adds a task to the list of what is to be done.',
	input: createInput,
	async run(given, context) {
		const { id, subject } = listOf(context).create(given);
		return said(`Task #${id} created successfully: ${subject}`, { task: { id, subject } });
	},
});

const taskUpdate = defineTool({
	...common,
	name: 'TaskUpdate',
	description:
		'Changes a task of the list: its status as work goes on, its words, its owner, which tasks it waits for. The status deleted removes it.',
	input: updateInput,
	async run(given, context) {
		const list = listOf(context);
		const task = list.find(given.taskId);
		if (!task) return notFound();
		const from = task.status;
		const updatedFields = list.update(task, given);
		const to = given.status;
		const statusChange = to !== undefined && to !== from ? { statusChange: { from, to } } : {};
		const details = { success: true, taskId: task.id, updatedFields, ...statusChange };
		return said(`Updated task #${task.id} ${updatedFields.join(', ')}`.trimEnd(), details);
	},
});

const taskGet = defineTool({
	...common,
	name: 'TaskGet',
	description: 'Shows one task of the list with all that is known of it.',
	input: getInput,
	async run({ taskId }, context) {
		const task = listOf(context).find(taskId);
		if (!task) return notFound();
		const { id, subject, status, description } = task;
		const [blocks, blockedBy] = [[...task.blocks], [...task.blockedBy]];
		const lines = [
			...[`Task #${id}: ${subject}`, `Status: ${status}`, `Description: ${description}`],
			...(blockedBy.length === 0 ? [] : [`Blocked by: ${numbers(blockedBy)}`]),
			...(blocks.length === 0 ? [] : [`Blocks: ${numbers(blocks)}`]),
		];
		return said(lines.join('\n'), { task: { id, subject, description, status, blocks, blockedBy } });
	},
});

const taskList = defineTool({
	...common,
	name: 'TaskList',
	description: 'Shows all tasks of the list.',
	input: () => z.strictObject({}),
	async run(_, context) {
		const list = listOf(context);
		const tasks = list.all.map((task) => ({
			task,
			waits: [...task.blockedBy].filter((id) => list.find(id)?.status !== 'completed'),
		}));
		const lines = tasks.map(({ task: { id, status, subject, owner }, waits }) => {
			const who = owner === undefined ? '' : ` (${owner})`;
			return `#${id} [${status}] ${subject}${who}${waits.length === 0 ? '' : ` [blocked by ${numbers(waits)}]`}`;
		});
		const details = tasks.map(({ task: { id, subject, status, owner }, waits }) => ({
			...{ id, subject, status },
			...(owner === undefined ? {} : { owner }),
			blockedBy: waits,
		}));
		return said(lines.join('\n') || 'No tasks found', { tasks: details });
	},
});

/** The tools of the newer list. */
export const taskTools = [taskCreate, taskUpdate, taskGet, taskList] as const;

function notFound(): ToolOutput {
	return failed('Task not found');
}

function numbers(ids: readonly string[]): string {
	return ids.map((id) => `#${id}`).join(', ');
}

type Listing = Pick<ToolContext, 'kept' | 'earlier'>;

/** The list as it is now, for those who watch. */
export function listedTasks(conversation: Listing): readonly { readonly subject: string; readonly status: Status }[] {
	return listOf(conversation).all;
}

function listOf(context: Listing): TaskList {
	return kept(context, 'tasks', () => replayed(context.earlier));
}

/** Only calls that had been answered without an error are among them. */
function replayed(calls: readonly { readonly name: string; readonly input: Json }[]): TaskList {
	const list = new TaskList();
	for (const { name, input } of calls) {
		const made = name === 'TaskCreate' ? createInput().safeParse(input) : undefined;
		if (made?.success) list.create(made.data);
		const changed = name === 'TaskUpdate' && isObject(input) ? updateInput().safeParse(input) : undefined;
		const task = changed?.success ? list.find(changed.data.taskId) : undefined;
		if (changed?.success && task) list.update(task, changed.data);
	}
	return list;
}
