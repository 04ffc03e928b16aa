/** What a Tern session is checked for. */
import type { Rule } from '../../../model/index.ts';
import type { FlawEffects } from '../../codec.ts';
import { flawRules } from '../../shared/check/flaws.ts';

const skipped = { severity: 'warning', effect: 'Tern skips the line' } as const;

export const flawEffects: FlawEffects = {
	torn: skipped,
	'not-json': skipped,
	'not-utf8': skipped,
	'not-object': skipped,
	bom: { severity: 'error', effect: 'Tern does not find the first line' },
	'too-long': skipped,
};

const source = 'the client';

export const rules: readonly Rule[] = [
	...flawRules('tern', flawEffects),
	{ id: 'tern/open-first', severity: 'error', about: 'The first line is `open` and names its session.', source },
	{ id: 'tern/kind', severity: 'warning', about: 'Every line has a kind that Tern knows.', source },
	{ id: 'tern/parts', severity: 'error', about: 'A message has `parts`, and each is an object.', source },
	{ id: 'tern/call-unanswered', severity: 'warning', about: 'Every call has a result.', source },
	{ id: 'tern/call-repeated', severity: 'warning', about: 'No two calls share an id.', source },
	{ id: 'tern/result-orphan', severity: 'warning', about: 'Every result answers one call before it.', source },
];
