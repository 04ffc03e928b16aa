/** The report of `reprise resume --check` in words. */
import { countedText, countText, dollarText } from '../export/count-text.ts';
import type { ResumeCheck } from './resume-check.ts';

const mostNamed = 5;

export function resumeText(check: ResumeCheck): string {
	const { messages, tokens, client, model, provider, refused, cache } = check;
	const who = [provider, model].filter((part) => part !== undefined).join('/') || 'not recorded';
	return [
		`session ${check.session}`,
		...(refused === undefined ? [] : [`its client would refuse it: ${refused}`]),
		`sent      ${countedText(messages.length, 'message')}, about ${countText(tokens)} tokens, by the rules of its client (${client})`,
		`model     ${who}`,
		`cache     ${cache}`,
		`cost      ${costText(check)}`,
		...droppedLines(check),
		...openLines(check),
		...changedLines(check),
	].join('\n');
}

function costText({ costUsd, coldCostUsd, cacheHit }: ResumeCheck): string {
	if (costUsd === null) return 'not known: this model has no known price';
	const first = `${dollarText(costUsd)} for the first request, without the new prompt and the reply`;
	if (!cacheHit || coldCostUsd === null) return first;
	return `${first}; ${dollarText(coldCostUsd)} from a program with another system prompt`;
}

function droppedLines({ dropped }: ResumeCheck): readonly string[] {
	if (dropped.length === 0) return ['not sent  nothing: all that was said is in it'];
	const byReason = new Map<string, { readonly lost: boolean; readonly ids: string[] }>();
	for (const { entry, reason, lost } of dropped) {
		const group = byReason.get(reason) ?? { lost, ids: [] };
		group.ids.push(entry);
		byReason.set(reason, group);
	}
	const groups = [...byReason].sort(([, a], [, b]) => Number(b.lost) - Number(a.lost));
	return groups.map(([reason, { lost, ids }]) => {
		const named = ids.slice(0, mostNamed).map((id) => id.slice(0, 8));
		const list = `${named.join(', ')}${ids.length > mostNamed ? ', …' : ''}`;
		return `${lost ? 'LOST     ' : 'not sent '} ${countedText(ids.length, 'message')}: ${reason} (${list})`;
	});
}

function openLines({ openCalls }: ResumeCheck): readonly string[] {
	if (openCalls.length === 0) return [];
	const names = [...new Set(openCalls.map(({ name }) => name))].slice(0, mostNamed).join(', ');
	const has = openCalls.length === 1 ? 'has' : 'have';
	return [
		`open      ${countedText(openCalls.length, 'call')} (${names}) ${has} no result: the run was ended before one came`,
	];
}

function changedLines({ changedFiles }: ResumeCheck): readonly string[] {
	return changedFiles.map(({ path, change, changed }) => {
		const when = changed === undefined ? '' : ` (${changed})`;
		return `changed   ${path} was ${change} since the session last saw it${when}`;
	});
}
