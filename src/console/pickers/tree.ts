/** The data of /tree: which other sessions of the project belong to it, how many and how large, which commands a jump needs, and where labels are kept. Its look: screens/tree.ts. */
import { statSync } from 'node:fs';
import { listSessions } from '../../catalog/list-sessions.ts';
import type { Client } from '../../client/client.ts';
import { codecOf } from '../../codecs/index.ts';
import { conversationTree, type TreeFile, type TreeStep } from '../../export/conversation-tree.ts';
import { type EntryId, history, type Session } from '../../model/index.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { projectAt } from '../../store/find/project.ts';
import { agentOf } from '../../store/find/session-files.ts';
import type { SessionHandle } from '../../store/handle/handle.ts';
import { annotate, readAnnotations } from '../../store/manage/annotations.ts';
import { firstPrompt } from '../../store/reader/glance.ts';
import { openSession } from '../../store/reader/session-reader.ts';
import type { Dialogs } from '../dialogs.ts';
import { type TreeAnswer, type TreeNode, TreeScreen } from '../screens/tree.ts';

/** So many other files are read, none of them larger than this: whoever looks at a tree waits for it. */
const mostFiles = 20;
const largestFile = 1 << 25;

export interface Jump {
	/** The commands that go there; none: the conversation is there already. */
	readonly commands: readonly string[];
	/** The prompt that is taken back, to be said anew. */
	readonly prompt?: string;
}

export async function pickInTree(dialogs: Dialogs, client: Client): Promise<Jump | undefined> {
	const { handle, cwd } = client.station().session;
	await handle.sync();
	const files = handle.leaf === null ? [] : await filesOf(handle, cwd);
	let screen = new TreeScreen(nodesOf(files));
	for (;;) {
		const answer: TreeAnswer = await dialogs.open<TreeAnswer>(() => screen);
		if (answer === undefined) return undefined;
		const file = files.find(({ path }) => path === answer.node.path);
		if (!file) return undefined;
		if (answer.is === 'jump') return jumpTo(answer.node, file, handle.path);
		await keepLabel(answer.node.entry, answer.label, file, handle);
		const [own, ...others] = files;
		if (own)
			files.splice(0, files.length, { ...own, session: await openSession(own.path, { subagents: false }) }, ...others);
		screen = answer.then.withNodes(nodesOf(files));
	}
}

function jumpTo({ is, text, entry, path }: TreeNode, { session }: TreeFile, here: string): Jump {
	const isOther = path !== here;
	const isPrompt = is === 'prompt';
	const isEnd = !isPrompt && lastSaid(session) === entry;
	const commands = [...(isOther ? [`/resume ${path}`] : []), ...(isEnd ? [] : [`/rewind ${entry}`])];
	return { commands, ...(isPrompt && { prompt: text }) };
}

function lastSaid(session: Session): EntryId | undefined {
	return history(session).findLast(({ kind }) => kind === 'message')?.id;
}

/** The session's own file first, then those of the project that begin as it does. */
async function filesOf({ path, session: { format } }: SessionHandle, cwd: string): Promise<TreeFile[]> {
	const begins = firstPrompt({ path, format });
	const others = listSessions({ project: projectAt(cwd) })
		.filter((one) => one.path !== path && begins !== undefined && firstPrompt(one) === begins)
		.filter((one) => (statSync(one.path, { throwIfNoEntry: false })?.size ?? 0) <= largestFile)
		.slice(0, mostFiles);
	const files: TreeFile[] = [];
	for (const file of [path, ...others.map((one) => one.path)])
		files.push({ path: file, session: await openSession(file, { subagents: false }) });
	return files;
}

function nodesOf(files: readonly TreeFile[]): readonly TreeNode[] {
	const [own, ...others] = files;
	if (!own) return [];
	const annotations = readAnnotations(thisMachine());
	const labels = new Map(
		files.map(({ path, session }) => [path, labelsOf(session, annotations(session).labels ?? {})]),
	);
	const names = new Map(
		files.map(({ path, session: { format, id } }) => [path, `${agentOf(format, path)} ${id.slice(0, 8)}`]),
	);
	const steps = conversationTree(own, others);
	const paths = new Map(steps.map(({ id, path }) => [id, path]));
	return steps.map((step) => ({ ...step, ...labelOf(step, labels), ...nameOf(step, names, paths) }));
}

/** Where the tree goes on in another file, that file is named. */
function nameOf({ path, parent }: TreeStep, names: ReadonlyMap<string, string>, paths: ReadonlyMap<string, string>) {
	const above = parent === null ? undefined : paths.get(parent);
	const name = above === undefined || above === path ? undefined : names.get(path);
	return name === undefined ? {} : { agent: name };
}

/** An entry may be several steps: the first bears its name. */
function labelOf({ path, entry, id }: TreeStep, labels: ReadonlyMap<string, ReadonlyMap<string, string>>) {
	const label = id.endsWith(' 0') ? labels.get(path)?.get(entry) : undefined;
	return label === undefined ? {} : { label };
}

function labelsOf({ entries }: Session, noted: { readonly [entry: string]: string }): ReadonlyMap<string, string> {
	const found = new Map<string, string>();
	for (const entry of entries) {
		if (entry.kind !== 'label') continue;
		if (entry.text === null) found.delete(entry.target);
		else found.set(entry.target, entry.text);
	}
	for (const [entry, text] of Object.entries(noted)) found.set(entry, text);
	return found;
}

/** In the file where its client knows labels and it is open here; else in our own data. An empty label takes it away. */
async function keepLabel(
	entry: EntryId,
	label: string,
	{ path, session }: TreeFile,
	handle: SessionHandle,
): Promise<void> {
	const isOwn = path === handle.path && codecOf(session.format)?.capabilities.labels === true;
	if (isOwn) {
		await handle.append({ kind: 'label', target: entry, text: label === '' ? null : label });
		await handle.sync();
	}
	await annotate(thisMachine(), [session], ({ labels = {}, ...marks }) => {
		const { [entry]: _, ...rest } = labels;
		return { ...marks, labels: isOwn || label === '' ? rest : { ...rest, [entry]: label } };
	});
}
