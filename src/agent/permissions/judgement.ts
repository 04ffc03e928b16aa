/** Makes the three answers of a permission decision, with what decided; and the question about a protected file. */
import type { Rule } from './rule.ts';
import type { Judgement } from './situation.ts';

export function allow(reason: string, rule?: Rule): Judgement {
	return { decision: 'allow', ...(rule ? { rule: rule.text } : {}), reason };
}

export function ask(reason: string, rule?: Rule): Judgement {
	return { decision: 'ask', ...(rule ? { rule: rule.text } : {}), reason };
}

/** Not opened by any rule, nor by a hook. */
export function guard(given: string): Judgement {
	return { decision: 'ask', reason: `${given} is protected: other programs obey it`, protects: true };
}

export function deny(reason: string, rule?: Rule): Judgement {
	return { decision: 'deny', ...(rule ? { rule: rule.text } : {}), reason };
}
