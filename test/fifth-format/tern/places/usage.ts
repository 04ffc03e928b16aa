/** What Tern's replies cost: one line each. */
import { dollars, tokens, type UsageRules } from '../../shared/places/usage.ts';

const fields = ['tern', 'id', 'at', 'cwd', 'answer', 'request', 'model', 'by', 'cost'].concat(
	['in', 'out', 'read', 'kept', 'keptLong'].map((name) => `tokens.${name}`),
);
const kind = 0;
const id = 1;
const at = 2;
const cwd = 3;
const answer = 4;
const request = 5;
const model = 6;
const by = 7;
const cost = 8;
const firstCount = 9;

export const usage: UsageRules = {
	fields,
	visitor: (sink) => ({
		visit(row) {
			const folder = row.is(kind, 'open') ? row.text(cwd) : undefined;
			if (folder !== undefined) sink.cwd(folder);
			if (!row.is(kind, 'reply')) return;
			const count = (index: number): number => tokens(row.number(firstCount + index));
			sink.seen({
				key: row.text(answer) ?? `tern ${row.text(id) ?? row.line} ${row.text(at)}`,
				request: row.text(request),
				at: row.at,
				line: row.line,
				time: row.time(at),
				model: row.text(model),
				provider: row.text(by),
				usage: {
					input: count(0),
					output: count(1),
					cacheRead: count(2),
					cacheWrite5m: count(3),
					cacheWrite1h: count(4),
				},
				costUsd: dollars(row.number(cost)),
				responses: 1,
			});
		},
	}),
};
