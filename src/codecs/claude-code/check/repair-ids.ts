/** Mends the ids of Claude Code's files: of lines, of replies, of tool calls, of the session. */
import { isObject, type Json, stringAt } from '../../../model/index.ts';
import { eachRecord, lossNote, type Remedy } from '../../shared/check/repair.ts';
import { blocksIn } from '../../shared/check/repair-blocks.ts';
import { repeatedIds } from '../../shared/check/repair-graph.ts';
import type { Link } from '../../shared/check/repair-links.ts';
import { deriveHex, deriveUuid, isUuid, nativeCallId } from '../../shared/write/derive.ts';
import { allLinks, inMessage } from './repair-thread.ts';

export const uuidRemedy: Remedy = {
	rules: ['claude-code/message-uuid'],
	does: 'Messages without a `uuid` get one, and follow the line before where they name no other.',
	mend(edits, problems) {
		const { file } = edits;
		const links = allLinks(edits);
		const wanted = new Set(problems.map((problem) => problem.index));
		let last: string | null = null;
		for (const { index, line, value } of file.lines) {
			if (!value) continue;
			if (wanted.has(index)) {
				const rule = 'claude-code/message-uuid';
				const uuid = deriveUuid('repaired line', file.options.id, String(line), asKey(value.message));
				edits.set(index, ['uuid'], uuid, lossNote(rule, 'gave the message an id', 'invented', 'the id of the message'));
				if (!links.get(stringAt(value, 'parentUuid'))) {
					edits.set(index, ['parentUuid'], last, { rule, what: 'now follows the line before' });
				}
				last = uuid;
			} else if (value.isSidechain !== true) last = stringAt(value, 'uuid') ?? last;
		}
	},
};

function asKey(value: Json | undefined): string {
	return JSON.stringify(value ?? null).slice(0, 200);
}

export const duplicateRemedy = repeatedIds({
	rule: 'claude-code/duplicate-uuid',
	key: 'uuid',
	linksOf: allLinks,
	freshId: ({ options }, { id, index }) => deriveUuid('repaired line', options.id, id, String(index)),
});

export const replyRemedy: Remedy = {
	rules: ['claude-code/message-id'],
	does: 'Each reply without a `message.id` gets one; its lines share it.',
	mend(edits, problems) {
		const { file } = edits;
		const links = allLinks(edits);
		let before:
			| { readonly link: Link | undefined; readonly id: string; readonly request: Json | undefined }
			| undefined;
		for (const { index, rule } of problems) {
			const value = file.lines[index]?.value;
			if (!value) continue;
			const link = links.at(index);
			const follows = before?.link?.id !== undefined && link?.parent === before.link.id;
			const joined = follows && before?.request === value.requestId;
			const own = `msg_${deriveHex(24, 'repaired reply', file.options.id, link?.id ?? String(index))}`;
			const id: string = joined ? (before?.id ?? own) : own;
			const what = joined ? 'gave the line the id of its reply' : 'gave the reply an id';
			edits.set(index, ['message', 'id'], id, lossNote(rule, what, 'invented', 'the id of the reply'));
			before = { link, id, request: value.requestId };
		}
	},
};

export const callIdRemedy: Remedy = {
	rules: ['claude-code/tool-id'],
	does: 'A tool call id that the API rejects is replaced, in the call and in its result.',
	mend: eachRecord((edits, { index, rule }) => {
		blocksIn(edits.value(index), inMessage).forEach((block, at) => {
			const key = callIdKeys.get(isObject(block) ? block.type : undefined);
			const id = key && isObject(block) ? stringAt(block, key) : undefined;
			if (!key || id === undefined || nativeCallId(id) === id) return;
			const what = 'gave the tool call an id that the API takes';
			edits.set(
				index,
				[...inMessage, at, key],
				nativeCallId(id),
				lossNote(rule, what, 'approximated', `the id was ${id}`),
			);
		});
	}),
};

const callIdKeys = new Map<Json | undefined, string>([
	['tool_use', 'id'],
	['tool_result', 'tool_use_id'],
]);

export const sidechainRemedy: Remedy = {
	rules: ['claude-code/all-sidechain'],
	does: 'Where all messages are marked as a sub-agent’s and none says whose, the mark goes.',
	mend(edits) {
		const marked = edits.file.lines.filter(({ value }) => value?.isSidechain === true);
		if (marked.some(({ value }) => typeof value?.agentId === 'string')) return;
		for (const { index } of marked) {
			edits.set(index, ['isSidechain'], false, {
				rule: 'claude-code/all-sidechain',
				what: 'the line is of the session itself, not of a sub-agent',
			});
		}
	},
};

export const sessionRemedy: Remedy = {
	rules: ['claude-code/session-uuid'],
	does: 'A session id that is no UUID becomes one, and the file is written under that name.',
	mend(edits, problems) {
		const { file } = edits;
		const old = stringAt(file.lines[problems[0]?.index ?? -1]?.value ?? {}, 'sessionId') ?? '';
		const id = isUuid(file.options.id) ? file.options.id : deriveUuid('repaired session', old);
		const name = `${id}.jsonl`;
		for (const { index, value } of file.lines) {
			if (value?.sessionId !== old) continue;
			edits.set(index, ['sessionId'], id, { rule: 'claude-code/session-uuid', what: `the session is ${id} now`, name });
		}
	},
};
