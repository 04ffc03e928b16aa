/** `/rewind`: the conversation, the files or both go back, as `reprise rewind` does it. Nobody is asked, so nobody's work is overwritten. */
import { relative } from 'node:path';
import { prompted } from '../../codecs/index.ts';
import { entryText, titleFrom, turns } from '../../model/index.ts';
import { quoted } from '../../model/quoted.ts';
import { carryOut, type RewindDone, rewindConversation } from '../../store/checkpoints/carry-out-rewind.ts';
import { InputError } from '../../store/errors.ts';
import { openSession } from '../../store/reader/session-reader.ts';
import { notCoveredLines } from '../not-covered.ts';
import { orderOf, planRewind, type RewindPlan, rewindPlace } from '../plan-rewind.ts';
import type { Done, Station } from './builtin-command.ts';
import { openAnother } from './builtin-moves.ts';

interface Wanted {
	readonly to?: string;
	readonly files: boolean;
	readonly conversation: boolean;
	readonly undo: boolean;
}

export async function rewind(args: string, at: Station): Promise<Done> {
	const { handle, cwd } = at.session;
	const { to, files, conversation, undo } = wantedIn(args);
	if (handle.leaf === null && !undo) throw new InputError('usage', 'nothing was said yet');
	if (to === undefined && !undo) return { text: await promptList(handle.path), kept: 'The prompts were listed.' };
	await handle.sync();
	const { place: found, pending } = await rewindPlace(handle.path);
	if (pending)
		throw new InputError(
			'usage',
			`a rewind of this session was not finished: reprise rewind ${quoted(handle.path)} finishes it`,
		);
	const place = { ...found, handle };
	if (to !== undefined && !files) {
		const moved = await rewindConversation(place, to);
		return await told({ id: '', restored: [], kept: [], conversation: moved }, undefined, at);
	}
	const plan = await planRewind({ path: handle.path, cwd, files, conversation, ...(to === undefined ? {} : { to }) });
	const order = orderOf(plan, false);
	if (order.to === undefined && order.changes.length === 0)
		return { text: ['Nothing was changed.', ...leftLines(plan, cwd)].join('\n'), kept: 'Nothing was changed.' };
	return await told(await carryOut(place, order), plan, at);
}

function wantedIn(args: string): Wanted {
	const words = args.split(/\s+/).filter((word) => word !== '');
	const flags = new Set(words.filter((word) => word.startsWith('--')));
	const [to, more] = words.filter((word) => !word.startsWith('--'));
	const undo = flags.has('--undo');
	const onlyFiles = flags.has('--only-files');
	const unknown = [...flags].find((flag) => !['--files', '--only-files', '--undo'].includes(flag));
	const isOdd = unknown !== undefined || more !== undefined || (onlyFiles && flags.has('--files'));
	if (isOdd || (to !== undefined && undo) || (to === undefined && flags.size > (undo ? 1 : 0)))
		throw new InputError('usage', 'it is /rewind, /rewind ENTRY [--files|--only-files], or /rewind --undo');
	const files = undo || onlyFiles || flags.has('--files');
	return { ...(to === undefined ? {} : { to }), files, conversation: !onlyFiles, undo };
}

/** What was done, for the user; the session keeps less of it: a prompt that was taken back is not to be read by the model. */
async function told(
	{ restored, kept, conversation }: RewindDone,
	plan: RewindPlan | undefined,
	at: Station,
): Promise<Done> {
	const { handle, cwd, conversation: talk } = at.session;
	const isGone = ({ after }: RewindDone['restored'][number]): boolean => after.is === 'absent';
	const files = [
		...filesLine(
			'restored',
			restored.filter((one) => !isGone(one)),
			cwd,
		),
		...filesLine('removed', restored.filter(isGone), cwd),
	];
	const lines = [...files, ...kept.map(({ path }) => `${relative(cwd, path)} was changed meanwhile: it stays.`)];
	if (plan) lines.push(...leftLines(plan, cwd));
	if (!conversation) return { text: lines.join('\n'), kept: files.join('') };
	const { fork, path, prompt } = conversation;
	const where = await placeIn(path);
	lines.push(
		fork
			? `Its client cannot go back within the file: the conversation goes on ${where} in a copy. /resume ${handle.session.id} goes back to all of it.`
			: `The conversation goes on ${where}. Nothing is removed: what came after it is a branch.`,
	);
	if (prompt) lines.push('Taken back, to be edited and sent again:', prompted(entryText(prompt)).text);
	const done = { text: lines.join('\n'), kept: ['The conversation went back.', ...files].join(' ') };
	if (fork) return { ...done, session: await openAnother(path, at.options, cwd) };
	if (handle.leaf === null) talk.messages.splice(0); // where something is left, the command is recorded behind it, and all is read anew
	return done;
}

/** In words that its user knows. */
async function placeIn(path: string): Promise<string> {
	const session = await openSession(path, { subagents: false });
	const prompt = turns(session).at(-1)?.prompt;
	const words = prompt && titleFrom(prompted(entryText(prompt)).text);
	return prompt ? `from “${words ?? 'a prompt without words'}” and what came of it` : 'from its beginning';
}

function filesLine(what: string, changes: RewindDone['restored'], cwd: string): readonly string[] {
	const names = changes.map(({ path }) => relative(cwd, path));
	if (names.length === 0) return [];
	const more = names.length > mostNamed ? [`and ${names.length - mostNamed} more`] : [];
	return [`These files were ${what}: ${[...names.slice(0, mostNamed), ...more].join(', ')}.`];
}

const mostNamed = 20;

/** What stays as it is: nobody is asked here, so all of it is said. */
function leftLines(plan: RewindPlan, cwd: string): readonly string[] {
	const left = plan.files.filter(({ conflict }) => conflict !== undefined);
	const lines = left.map(({ path, conflict }) => `${relative(cwd, path)} stays as it is: ${conflict}.`);
	return [...lines, ...notCoveredLines(plan)];
}

async function promptList(path: string): Promise<string> {
	const session = await openSession(path, { subagents: false });
	const prompts = turns(session).flatMap(({ prompt }) => prompt ?? []);
	return prompts
		.map(({ id, content }) => {
			const said = content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join(' ');
			return `${id}  ${prompted(said).text.replaceAll(/\s+/g, ' ').slice(0, 80)}`;
		})
		.join('\n');
}
