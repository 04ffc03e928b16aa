/** What is drawn while something is answered: the working line, open reply, thinking, how many tasks and queued prompts, and what is cut on a small screen. */
import { clip, oneLine } from '../../terminal/print.ts';
import type { Size } from '../screens/screen.ts';
import type { State } from '../state.ts';
import type { Theme } from '../theme.ts';
import { replyRows } from './block.ts';
import { texted, timeText, tokenText } from './rows.ts';
import { listRows, runningRows } from './tool.ts';

const signs = ['·', '✢', '✳', '✶', '✻', '✽'];
/** A sign, a few words and the brackets around the facts. */
const wordsRoom = 14;
const mostQueued = 5;
const mostTodos = 6;

/** Never more rows than there is room for: of an open block the last rows are shown, and how many are above. */
export function liveRows(state: State, size: Size, theme: Theme): readonly string[] {
	const { width, height } = size;
	const below = [
		...busyRows(state, width, theme),
		...askedTodos(state, width, theme),
		...queueRows(state, width, theme),
	].slice(0, height);
	const room = height - below.length;
	const open = openRows(state, width, theme);
	if (open.length <= room) return [...open, ...below];
	if (room < 2) return below;
	const above = theme.dim(clip(`  … ${open.length - room + 1} rows above`, width));
	return [above, ...open.slice(-(room - 1)), ...below];
}

function openRows({ live, now: clock, asking, showsThinking }: State, width: number, theme: Theme): readonly string[] {
	const now = asking?.since ?? clock;
	const thinking =
		live.thinking === undefined
			? []
			: [
					theme.thinking(clip(`✻ Thinking… ${timeText(now - live.thinkingSince)} (alt+t)`, width)),
					...(showsThinking ? texted(tailOf(live.thinking), width, '  ', theme.thinking) : []),
				];
	const reply = live.reply.trim() === '' ? [] : replyRows(tailOf(live.reply), !live.replyBegun, width, theme);
	const tools = live.tools.map((tool) => runningRows(tool, now, width, theme));
	return [thinking, reply, ...tools].filter((rows) => rows.length > 0).flatMap((rows) => ['', ...rows]);
}

/** More of an open block than this is no screen's worth: parsing all of it for every frame would take longer and longer. */
const longestShown = 8000;

function tailOf(text: string): string {
	if (text.length <= longestShown) return text;
	const fence = /^ {0,3}(?:`{3,}|~{3,})[^\n]*\n/.exec(text)?.[0] ?? '';
	const cut = text.slice(-longestShown);
	return fence + cut.slice(cut.indexOf('\n') + 1);
}

function busyRows(state: State, width: number, theme: Theme): readonly string[] {
	const { busySince, asking, doing, status, outputTokens, todos } = state;
	if (busySince === undefined) return [];
	const now = asking?.since ?? state.now;
	const sign = signs[Math.floor((now - busySince) / 250) % signs.length] ?? '·';
	const item = todos.find((one) => one.state === 'in_progress');
	const active = asking ? 'Waiting for you' : (item?.active ?? item?.text);
	const facts = [
		timeText(now - busySince),
		...(outputTokens > 0 ? [`↓ ${tokenText(outputTokens)} tokens`] : []),
		'esc to interrupt',
	];
	// How to stop it counts more than how much was written.
	const isTight = facts.join(' · ').length + wordsRoom > width;
	const tail = ` (${(isTight ? [facts[0], facts.at(-1)] : facts).join(' · ')})`;
	const words = clip(`${oneLine(doing ?? active ?? 'Working')}…`, Math.max(8, width - tail.length - 2));
	const row = `${theme.accent(sign)} ${words}${theme.dim(clip(tail, Math.max(0, width - words.length - 2)))}`;
	const open = !state.hidesTodos && todos.some((item) => item.state !== 'completed');
	const retry = status.retry === undefined ? [] : texted(retryText(status.retry, state.now), width, '  ', theme.warn);
	return ['', row, ...retry, ...(open ? listRows(aroundActive(todos), width, theme) : [])];
}

function retryText({ text, tries, until }: NonNullable<State['status']['retry']>, now: number): string {
	return `${text} Trying again in ${timeText(until - now + 999)} (${tries}).`;
}

/** The list between two turns, for whoever has asked for it. */
function askedTodos({ busySince, showsTodos, todos }: State, width: number, theme: Theme): readonly string[] {
	return busySince === undefined && showsTodos ? ['', ...listRows(aroundActive(todos), width, theme)] : [];
}

/** The items around the one that is worked on. */
function aroundActive(todos: State['todos']): State['todos'] {
	if (todos.length <= mostTodos) return todos;
	const at = Math.max(0, todos.findIndex((item) => item.state !== 'completed') - 1);
	return todos.slice(Math.min(at, todos.length - mostTodos)).slice(0, mostTodos);
}

function queueRows({ queue }: State, width: number, theme: Theme): readonly string[] {
	if (queue.length === 0) return [];
	const shown = queue.slice(0, mostQueued).map(({ text, after, held }) => {
		const when = held ? '(held) ' : after ? '(after this turn) ' : '';
		return theme.dim(clip(`  ❯ ${when}${oneLine(text)}`, width));
	});
	const more = queue.length > mostQueued ? [theme.dim(`  … ${queue.length - mostQueued} more`)] : [];
	return ['', ...shown, ...more, theme.dim(clip(`    ↑ edits the last${waitText(queue)}`, width))];
}

function waitText(queue: State['queue']): string {
	if (queue.some(({ held }) => held)) return ' · Enter on an empty line sends what is held';
	return queue.some(({ after }) => !after) ? ' · heard at the next step, or after this turn' : '';
}
