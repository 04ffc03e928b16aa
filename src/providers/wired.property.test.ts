/** However often a conversation was sent before, it is sent as if for the first time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyConversation, models } from '../../test/support/model-server-conversations.ts';
import { assistant, call, result, text, user } from '../../test/support/openclaw-lines.ts';
import type { AgentMessage } from '../model/index.ts';
import { newestRules, type Target, type Wire, type WireApi, wires } from '../wires/index.ts';
import { Prepared } from './prepare.ts';
import { wired } from './wired.ts';

const rules = newestRules;
const apis = Object.keys(wires) as readonly WireApi[];
const claude = models['anthropic-messages'];

const anyMessage: fc.Arbitrary<AgentMessage> = anyConversation.map(
	([first]) => first ?? { role: 'user', content: 'hi', timestamp: 0 },
);

/** The messages converted in one piece. */
function whole(wire: Wire<unknown>, messages: readonly AgentMessage[], target: Target): readonly unknown[] {
	return wire(new Prepared(target).end(messages), target, rules).messages;
}

/** A wire that counts the messages it converts. */
function counted(wire: Wire<unknown>): { readonly wire: Wire<unknown>; taken(): number } {
	let count = 0;
	return {
		wire(messages, ...rest) {
			count += messages.length;
			return wire(messages, ...rest);
		},
		taken() {
			const taken = count;
			count = 0;
			return taken;
		},
	};
}

/** A conversation of so many calls, each with its result. */
function calls(count: number): AgentMessage[] {
	const steps = Array.from({ length: count }, (_, at) => [
		assistant([text('next'), call(`c${at}`)], { ...claude, stopReason: 'toolUse' }),
		result(`c${at}`),
	]);
	return [user(), ...steps.flat()] as unknown as AgentMessage[];
}

describe.each(apis)('%s', (api) => {
	const wire: Wire<unknown> = wires[api];
	const target: Target = models[api];

	it('a conversation that grows is sent as in one piece, whatever it was at each request', () => {
		fc.assert(
			fc.property(anyConversation, fc.array(fc.nat(3)), (messages, steps) => {
				const list: AgentMessage[] = [];
				for (const step of [...steps, messages.length]) {
					list.push(...messages.slice(list.length, list.length + step));
					expect(wired(wire, list, target)).toEqual(whole(wire, list, target));
				}
			}),
			{ numRuns: 1000 },
		);
	});

	it('a conversation that is cut, changed or sent to another model is sent as it is now', () => {
		const change = fc.record({
			at: fc.nat(13),
			how: fc.constantFrom('cut', 'replace', 'add', 'model'),
			by: anyMessage,
		});
		fc.assert(
			fc.property(anyConversation, fc.array(change, { maxLength: 5 }), (messages, changes) => {
				const list = [...messages];
				let asked: Target = target;
				wired(wire, list, target);
				for (const { at, how, by } of changes) {
					if (how === 'cut') list.length = Math.min(at, list.length);
					else if (how === 'replace' && at < list.length) list[at] = by;
					else if (how === 'add') list.push(by);
					else asked = { ...target, model: `${target.model}-${at}` };
					expect(wired(wire, list, asked)).toEqual(whole(wire, list, asked));
				}
			}),
		);
	});
});

describe('what is new', () => {
	it('of a long conversation only the last step and what is new are converted', () => {
		const { wire, taken } = counted(wires['anthropic-messages']);
		const list = calls(200);
		wired(wire, list, claude);
		expect(taken()).toBe(401);
		list.push(...calls(1).slice(1));
		wired(wire, list, claude);
		expect(taken()).toBe(4);
	});

	it('a call that nobody answered holds nothing up', () => {
		const { wire, taken } = counted(wires['anthropic-messages']);
		const list = calls(200);
		list.splice(2, 1);
		wired(wire, list, claude);
		taken();
		list.push({ role: 'user', content: 'go on', timestamp: 1 });
		wired(wire, list, claude);
		expect(taken()).toBe(3);
	});

	it('a result that comes late changes what was settled', () => {
		const list = calls(3);
		const [late] = list.splice(2, 1);
		wired(wires['anthropic-messages'], list, claude);
		list.push(late as AgentMessage);
		expect(JSON.stringify(wired(wires['anthropic-messages'], list, claude))).not.toContain('No result provided');
	});

	it('a message that got another content is looked at again', () => {
		const list = calls(3);
		wired(wires['anthropic-messages'], list, claude);
		Object.assign(list[0] as object, { content: 'changed' });
		expect(JSON.stringify(wired(wires['anthropic-messages'], list, claude))).toContain('changed');
	});
});
