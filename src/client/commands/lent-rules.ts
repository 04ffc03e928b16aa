/** Rules that a command brings (`allowed-tools`): they hold until the next prompt, and for how long any rule holds that no file has. */
import type { Rule } from '../../agent/permissions/rule.ts';

const lent = new WeakSet<Rule>();

export function lend(rules: readonly Rule[], granted: Rule[]): void {
	for (const rule of rules) lent.add(rule);
	granted.push(...rules);
}

export function takeBack(granted: Rule[]): void {
	const kept = granted.filter((rule) => !lent.has(rule));
	granted.splice(0, granted.length, ...kept);
}

export function heldUntil(rule: Rule): string {
	return lent.has(rule) ? 'until the next prompt' : 'until the session is left';
}
