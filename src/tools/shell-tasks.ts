/** Commands that run, waited for or in the background: their ids and output files, their end, and the wording of the `<task-notification>` that the model gets. */
import { join } from 'node:path';
import type { ShellEvent, ToolContext } from '../agent/contracts.ts';
import type { KeepsTasks, KnownTask, TaskNews } from '../agent/tasks.ts';
import { compact, errorText } from '../model/index.ts';
import { CommandOutput } from './bash-output.ts';
import { kept } from './kept.ts';

export type TaskStatus = 'running' | 'completed' | 'failed' | 'killed';

export type Exit = Omit<Extract<ShellEvent, { type: 'exit' }>, 'type'>;

/** One command, from its start to its end. */
export class ShellTask {
	readonly id: string;
	readonly command: string;
	readonly description: string;
	readonly output: CommandOutput;
	/** Never fails: what went wrong is in the output. */
	readonly ended: Promise<Exit>;
	readonly began: number;
	readonly #control = new AbortController();
	#status: TaskStatus = 'running';
	#exit: Exit | undefined;
	#over: number | undefined;

	constructor(command: string, description: string, cwd: string, context: ToolContext) {
		this.id = `b${context.host.randomHex(6)}`;
		this.command = command;
		this.description = description;
		this.output = new CommandOutput(context);
		this.began = context.host.now();
		this.ended = this.#follow(cwd, context);
	}

	get status(): TaskStatus {
		return this.#status;
	}

	get exit(): Exit | undefined {
		return this.#exit;
	}

	/** As those see it who look at what runs in the background. */
	get known(): KnownTask {
		const { id, description, command, status, began, output, ended } = this;
		const exit = this.#exit && `exit code ${this.#exit.code ?? this.#exit.signal ?? 'unknown'}`;
		return {
			task: { id, kind: 'shell', description, command },
			...{ status, began, ...compact({ over: this.#over, how: exit }) },
			end: (most) => output.end(most).text,
			stop: () => this.stop(),
			ended,
		};
	}

	/** Ends its whole process group: asked first, killed if it does not listen. */
	stop(): void {
		if (this.#status === 'running') this.#status = 'killed';
		this.#control.abort();
	}

	async #follow(cwd: string, { host }: ToolContext): Promise<Exit> {
		let exit: Exit = { code: null };
		try {
			for await (const event of host.run({ command: this.command, cwd }, this.#control.signal)) {
				if (event.type === 'exit') exit = event;
				else await this.output.add(event.text);
			}
		} catch (error) {
			// The disk is full, or the shell is gone: whoever waits has to hear of it.
			this.#control.abort();
			await this.output.add(`\n${errorText(error)}\n`).catch(() => undefined);
		}
		this.#exit = exit;
		this.#over = host.now();
		if (this.#status === 'running') this.#status = exit.code === 0 ? 'completed' : 'failed';
		return exit;
	}
}

/** The commands of one conversation that go on in the background. */
class ShellTasks implements AsyncDisposable, KeepsTasks {
	readonly #tasks = new Map<string, ShellTask>();

	find(id: string): ShellTask | undefined {
		return this.#tasks.get(id);
	}

	get running(): readonly ShellTask[] {
		return [...this.#tasks.values()].filter(({ status }) => status === 'running');
	}

	known(): readonly KnownTask[] {
		return [...this.#tasks.values()].map(({ known }) => known);
	}

	/** The conversation is over, and so is what it has started. */
	async [Symbol.asyncDispose](): Promise<void> {
		const all = [...this.#tasks.values()];
		for (const task of all) task.stop();
		await Promise.all(all.map(({ ended }) => ended));
	}

	/** Nobody waits for it any more: its output goes to a file, and the model is told when it ends. Returns the file. */
	async leave(task: ShellTask, context: ToolContext): Promise<string> {
		const { outputFolder, callId, notify } = context;
		this.#tasks.set(task.id, task);
		const path = await task.output.toFile(join(outputFolder, `${task.id}.output`));
		void task.ended.then(({ code }) => {
			if (task.status !== 'killed') notify(notification(task, callId, path, code));
			context.task?.(endedNews(task, callId, context.host.now(), path));
		});
		context.task?.({ is: 'started', ...namedIn(task, callId), description: task.description, background: true });
		return path;
	}
}

export function shellTasks(context: ToolContext): ShellTasks {
	return kept(context, keptAs, () => new ShellTasks());
}

const keptAs = 'shell-tasks';

/** The commands that go on in the background of a conversation, by what its tools keep. */
export function runningTasks(values: ReadonlyMap<string, unknown>): readonly ShellTask[] {
	const found = values.get(keptAs);
	return found instanceof ShellTasks ? found.running : [];
}

/** The command of that id, whether it still runs or not. */
export function taskIn(values: ReadonlyMap<string, unknown>, id: string): ShellTask | undefined {
	const found = values.get(keptAs);
	return found instanceof ShellTasks ? found.find(id) : undefined;
}

/** What the model is told of a command that did not outlive its run. */
export function endedNotice({ id, description }: ShellTask): string {
	return [
		'<task-notification>',
		`<task-id>${id}</task-id>`,
		'<status>killed</status>',
		`<summary>Background command "${description}" was ended with the run that started it, and its task is gone. Start it again if it is still needed.</summary>`,
		'</task-notification>',
	].join('\n');
}

function namedIn(
	{ id }: ShellTask,
	call: string,
): { readonly id: string; readonly call: string; readonly kind: 'shell' } {
	return { id, call, kind: 'shell' };
}

/** That a command has ended, for those who watch. `path` is empty for one that was waited for. */
export function endedNews(task: ShellTask, call: string, time: number, path = ''): TaskNews {
	const { description, exit } = task;
	const status = task.status === 'running' ? 'completed' : task.status;
	const summary = `${path === '' ? 'Command' : 'Background command'} "${description}" ${status} (exit code ${exit?.code ?? 'unknown'})`;
	return { is: 'ended', ...namedIn(task, call), background: path !== '', status, time, outputFile: path, summary };
}

function notification({ id, description, status }: ShellTask, call: string, path: string, code: number | null): string {
	const how = status === 'completed' ? 'completed' : 'failed';
	return [
		'<task-notification>',
		...[`<task-id>${id}</task-id>`, `<tool-use-id>${call}</tool-use-id>`, `<output-file>${path}</output-file>`],
		`<status>${how}</status>`,
		`<summary>Background command "${description}" ${how} (exit code ${code ?? 'unknown'})</summary>`,
		'</task-notification>',
	].join('\n');
}
