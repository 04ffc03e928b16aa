/** What is wrong with Tern's files. */
import { isObject, stringAt } from '../../../model/index.ts';
import type { CheckPart } from '../../codec.ts';
import { reportFlaws } from '../../shared/check/flaws.ts';
import { pairs } from '../../shared/check/pairs.ts';
import { kindOf, partsOf } from '../lines.ts';
import { flawEffects, rules } from './rules.ts';

export const check: CheckPart = {
	rules,
	validator(report) {
		let first = true;
		const calls = pairs({
			unanswered: (id, at, path) => report('tern/call-unanswered', `the call ${id} has no result`, { at, path }),
			repeatedCall: (id, at, path) => report('tern/call-repeated', `another call is ${id} too`, { at, path }),
			orphan: (id, at, path) => report('tern/result-orphan', `no call before is ${id}`, { at, path }),
			repeatedResult: (id, at, path) => report('tern/result-orphan', `${id} has a result already`, { at, path }),
		});
		return {
			visit(line) {
				reportFlaws('tern', flawEffects, line, report);
				const { value } = line;
				if (!value) return;
				const kind = kindOf(value);
				if (kind === undefined) report('tern/kind', 'Tern knows no such line and skips it', { path: 'tern' });
				if (first && (kind !== 'open' || typeof value.session !== 'string'))
					report('tern/open-first', 'the session does not begin with an `open` line: Tern does not list it');
				first = false;
				if (kind !== 'say' && kind !== 'reply') return;
				if (!Array.isArray(value.parts) || !value.parts.every(isObject))
					report('tern/parts', '`parts` is no array of objects: Tern refuses the session', { path: 'parts' });
				for (const [index, part] of partsOf(value).entries()) {
					const [call, result] = [stringAt(part, 'call'), stringAt(part, 'result')];
					if (call !== undefined) calls.call(call, line, `parts[${index}]`);
					else if (result !== undefined) calls.result(result, line, `parts[${index}]`);
				}
			},
			end: () => calls.end(),
		};
	},
};
