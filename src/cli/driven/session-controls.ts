/** Requests of a host about the session: rewind of files, title, tasks and how much of their output, side questions and how much of the conversation they see, plan, export. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { StartedAgent } from '../../agent/contracts.ts';
import { textOf } from '../../agent/recording/blocks.ts';
import { consult } from '../../agent/replies/consult.ts';
import { agentRunsIn } from '../../agent/sub-agents/sub-agents.ts';
import { commandsHere } from '../../client/commands/commands-here.ts';
import { notCoveredLines } from '../../client/not-covered.ts';
import { planRewind, rewindByPlan } from '../../client/plan-rewind.ts';
import { readRegular } from '../../log/regular-file.ts';
import { type JsonObject, stringAt, titleFrom } from '../../model/index.ts';
import { InputError } from '../../store/errors.ts';
import { leaveIn } from '../../tools/leaving.ts';
import { type ShellTask, taskIn } from '../../tools/shell-tasks.ts';
import { planJson } from '../commands/rewind-words.ts';
import type { ControlTable } from './controls.ts';
import { textIn } from './request-fields.ts';
import type { Serving } from './serving.ts';

export const sessionControls: ControlTable = {
	/**
	 * The files as they were when that message was said. What somebody else has changed since stays as it is, and is named: the host
	 * has no word by which its user could be asked.
	 */
	async rewind_files({ user_message_id: id, dry_run: dry }, { client, frames, names: known }) {
		const { session } = client.station();
		const { handle, cwd } = session;
		if (typeof id !== 'string' || handle.leaf === null) return { canRewind: false, error: noCheckpoint };
		try {
			await handle.sync();
			const to = known.get(id) ?? id;
			const plan = await planRewind({ path: handle.path, to, files: true, conversation: false, cwd });
			if (dry === true) return { canRewind: true, ...changedBy(planJson(plan)) };
			const skippedLinks = plan.stays.length;
			const { kept } = await rewindByPlan({ ...plan, place: { ...plan.place, handle } }, { overwrite: false });
			const left = [...plan.files.filter(({ conflict }) => conflict !== undefined), ...kept];
			const names = left.map(({ path }) => path).join(', ');
			const content = `Left as they are, because somebody else changed them since: ${names}`;
			const open = notCoveredLines(plan).join('\n');
			for (const warning of [left.length > 0 ? content : '', open])
				if (warning !== '')
					frames.send({ type: 'system', subtype: 'informational', content: warning, level: 'warning' });
			return { canRewind: true, skippedLinks };
		} catch (error) {
			if (!(error instanceof InputError)) throw error;
			return { canRewind: false, error: noCheckpoint };
		}
	},

	async rename_session(body, { client, frames }) {
		const title = titleFrom(stringAt(body, 'title') ?? '');
		if (title === undefined) throw new InputError('bad-value', 'title is empty');
		const { handle } = client.station().session;
		const other = stringAt(body, 'session_id');
		if (other !== undefined && other !== handle.session.id)
			throw new InputError('bad-value', `the session that runs here is ${handle.session.id}`);
		// A session that nothing was said in is not written: it gets its title with its first prompt.
		if (handle.leaf === null) client.setOptions({ title });
		else await handle.append({ kind: 'setting', set: { title } });
		frames.send({ type: 'system', subtype: 'session_title_changed', title });
		return undefined;
	},

	/** A task that is unknown, or long over, does not run: that is what was asked for, and the real client says so, too. */
	stop_task(body, serving) {
		findTask(textIn(body, 'task_id'), serving)?.stop();
		return {};
	},

	/** What a call has started and waits for goes on in the background; without an id, all of it. */
	background_tasks({ tool_use_id: call }, { client }) {
		const { kept } = client.station().session.conversation;
		return { backgrounded: leaveIn(kept, typeof call === 'string' ? call : undefined) };
	},

	get_task_output(body, serving) {
		const task = taskNamed(textIn(body, 'task_id'), serving);
		const { text, bytes } =
			'command' in task
				? task.output.end(mostOfTask)
				: { text: task.activity.join('\n'), bytes: Buffer.byteLength(task.activity.join('\n')) };
		const output = Buffer.from(text).subarray(-mostOfTask).toString('utf8');
		return { output, total_bytes: bytes, truncated: bytes > mostOfTask };
	},

	async side_question(body, serving, signal) {
		const question = stringAt(body, 'question');
		if (question === undefined) throw new InputError('bad-value', 'question is missing');
		const system = 'Answer the question about the conversation, briefly. You have no tools here.';
		return {
			response: await beside(serving, system, `${conversationOf(serving)}\n\nQuestion: ${question}`, signal),
			synthetic: false,
		};
	},

	async generate_session_title(body, serving, signal) {
		const about = stringAt(body, 'description') ?? conversationOf(serving);
		const system = 'Name the conversation in three to seven words. Answer with the title alone.';
		return { title: titleFrom(await beside(serving, system, about, signal)) ?? '' };
	},

	async export_conversation(_, { client }) {
		const { handle } = client.station().session;
		if (handle.leaf === null) throw new InputError('usage', 'nothing was said yet');
		const { transcriptMarkdown } = await import('../../export/index.ts');
		await handle.sync();
		const name = basename(handle.path).replace(/\.[^.]+$/, '');
		return { text: await transcriptMarkdown(handle.path), default_filename: `${name}.md` };
	},

	/** The plan that the model last asked to leave plan mode with. */
	get_plan(_, { client }) {
		const { messages } = client.station().session.conversation;
		const calls = messages.flatMap((one) => (one.role === 'assistant' ? one.content : []));
		const last = calls.findLast((block) => block.type === 'toolCall' && block.name === 'ExitPlanMode');
		const plan = last?.type === 'toolCall' ? stringAt(last.arguments as JsonObject, 'plan') : undefined;
		return { plan: plan ?? null };
	},

	/** Read anew: they may have been edited. */
	async reload_skills(_, { client }) {
		const { session, permissions } = client.station();
		const { list } = await commandsHere(session.cwd, permissions.trusted);
		const skills = list.filter(({ kind, forUser }) => kind === 'skill' && forUser);
		return { skills: skills.map(({ name, description, hint = '' }) => ({ name, description, argumentHint: hint })) };
	},

	/** The host has shown a file to its user: the model may change it as if it had been read, as long as it is that file. */
	seed_read_state({ path: given, mtime }, { client }) {
		const { session } = client.station();
		if (typeof given !== 'string') throw new InputError('bad-value', 'path is missing');
		const path = resolve(session.cwd, given);
		const facts = statSync(path, { throwIfNoEntry: false });
		if (facts?.isFile() && (typeof mtime !== 'number' || Math.floor(facts.mtimeMs) <= Math.ceil(mtime))) {
			const sha256 = createHash('sha256').update(readRegular(path)).digest('hex');
			session.conversation.seen.set(path, { sha256, mtimeMs: facts.mtimeMs });
		}
		return undefined;
	},

	/** There is no bridge to somebody else's servers here, and the host is told so in the frame that it waits for. */
	remote_control({ enabled }, { frames }) {
		if (enabled === false) return {};
		const detail = 'Reprise has no remote bridge of its own';
		frames.send({ type: 'system', subtype: 'bridge_state', state: 'failed', detail, failure_kind: 'terminal' });
		return {};
	},
};

/** So much of what a task has printed is shown, from its end. */
const mostOfTask = 8 * 1024;
const noCheckpoint = 'No file checkpoint found for this message.';

function changedBy(plan: object): JsonObject {
	const { files } = plan as { readonly files: readonly { readonly path: string; readonly diff?: unknown }[] };
	const lines = files.flatMap(({ diff }) => String(diff ?? '').split('\n'));
	const count = (sign: string): number =>
		lines.filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3))).length;
	return { filesChanged: files.map(({ path }) => path), insertions: count('+'), deletions: count('-') };
}

function findTask(id: string, { client }: Serving): ShellTask | StartedAgent | undefined {
	const { kept } = client.station().session.conversation;
	return agentRunsIn(kept)?.find(id) ?? taskIn(kept, id);
}

function taskNamed(id: string, serving: Serving): ShellTask | StartedAgent {
	const task = findTask(id, serving);
	if (!task) throw new InputError('unknown-task', `task_id: there is no task ${id.slice(0, 100)}`);
	return task;
}

/** So much of the conversation is told. */
const mostTold = 40_000;

function conversationOf({ client }: Serving): string {
	const { messages } = client.station().session.conversation;
	const lines = messages.flatMap((one) => {
		if (one.role === 'toolResult') return [`result of ${one.toolName}: ${middleOut(textOf(one.content))}`];
		if (one.role !== 'user' && one.role !== 'assistant') return [];
		const said = textOf(one.content);
		const calls = typeof one.content === 'string' ? [] : one.content.filter((block) => block.type === 'toolCall');
		const made = calls.map(({ name, arguments: input }) => `call of ${name}: ${middleOut(JSON.stringify(input))}`);
		return [...(said === '' ? [] : [`${one.role}: ${said}`]), ...made];
	});
	return lines.join('\n\n').slice(-mostTold);
}

/** So much of a call and of a result is told: its beginning and its end, where most of what people ask about is. */
const mostOfCall = 2000;

function middleOut(text: string): string {
	if (text.length <= mostOfCall) return text;
	const half = mostOfCall / 2;
	return `${text.slice(0, half)}\n… (${text.length - mostOfCall} characters left out) …\n${text.slice(-half)}`.toWellFormed();
}

async function beside({ client }: Serving, system: string, text: string, signal: AbortSignal): Promise<string> {
	const answer = await consult({ system, text }, await client.station().config(), signal, () => undefined);
	if ('problem' in answer) throw new InputError('no-answer', answer.problem);
	return answer.text;
}
