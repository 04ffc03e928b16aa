/** What a run notes of hooks, permissions and pull requests: in a file that takes data of applications, or in our own data beside it. */
import {
	type ApplicationEvent,
	arrayAt,
	compact,
	type HookEvent,
	isObject,
	type Json,
	type JsonObject,
	numberAt,
	objectAt,
	type PrLinkEvent,
	stringAt,
} from '../../model/index.ts';
import type { PermissionFacts } from './live.ts';

export type Noted =
	/** Who let a call run, or not. */
	| { readonly what: 'permission'; readonly call: string; readonly tool: string; readonly facts: PermissionFacts }
	/** Somebody is asked about a call. Where the answer is missing, the run has ended before it came. */
	| {
			readonly what: 'asked';
			readonly call: string;
			readonly tool: string;
			readonly reason: string;
			readonly agent?: string;
	  }
	/** A hook that ran. */
	| { readonly what: 'hook'; readonly hook: HookEvent }
	/** A call that a hook has put off: whoever goes on with the session runs it. */
	| { readonly what: 'deferred'; readonly call: string; readonly tool: string; readonly input: Json }
	/** A pull request that a call has made. */
	| { readonly what: 'pr_link'; readonly link: PrLinkEvent }
	/** The permission mode from here on. */
	| { readonly what: 'mode'; readonly mode: string }
	/** The user has interrupted the run here, and the format has no words for that. */
	| { readonly what: 'interrupted' }
	/** Commands in the background that were ended with their run, as the model is told of them; none: it has been told. */
	| { readonly what: 'ended'; readonly told: readonly string[] };

const name = 'reprise.note';

/** The note as data of an application. */
export function notedEvent(noted: Noted): ApplicationEvent {
	return { type: 'custom', of: name, data: noted as unknown as JsonObject };
}

export function isNoted({ of }: ApplicationEvent): boolean {
	return of === name;
}

/** The note in a value that anybody may have written; undefined where it is none. */
export function notedFrom(value: Json | undefined): Noted | undefined {
	if (!isObject(value)) return undefined;
	const call = stringAt(value, 'call');
	const tool = stringAt(value, 'tool');
	switch (value.what) {
		case 'permission': {
			const facts = factsIn(objectAt(value, 'facts') ?? {});
			return call === undefined || tool === undefined || !facts ? undefined : { what: 'permission', call, tool, facts };
		}
		case 'asked':
			return call === undefined || tool === undefined
				? undefined
				: {
						...{ what: 'asked', call, tool, reason: stringAt(value, 'reason') ?? '' },
						...compact({ agent: stringAt(value, 'agent') }),
					};
		case 'hook': {
			const hook = objectAt(value, 'hook');
			return hook && { what: 'hook', hook: hookIn(hook) };
		}
		case 'deferred':
			return call === undefined || tool === undefined
				? undefined
				: { what: 'deferred', call, tool, input: value.input ?? null };
		case 'pr_link': {
			const link = linkIn(objectAt(value, 'link') ?? {});
			return link && { what: 'pr_link', link };
		}
		case 'mode': {
			const mode = stringAt(value, 'mode');
			return mode === undefined ? undefined : { what: 'mode', mode };
		}
		case 'interrupted':
			return { what: 'interrupted' };
		case 'ended':
			return { what: 'ended', told: (arrayAt(value, 'told') ?? []).filter((one) => typeof one === 'string') };
		default:
			return undefined;
	}
}

function factsIn(value: JsonObject): PermissionFacts | undefined {
	const { decision, source, scope } = value;
	if (decision !== 'accept' && decision !== 'reject') return undefined;
	if (source !== 'config' && source !== 'hook' && source !== 'user') return undefined;
	return {
		decision,
		source,
		...compact({
			reasonType: stringAt(value, 'reasonType'),
			rule: stringAt(value, 'rule'),
			reason: stringAt(value, 'reason'),
			scope: scope === 'once' || scope === 'session' ? (scope as 'once' | 'session') : undefined,
			agent: stringAt(value, 'agent'),
			input: objectAt(value, 'input'),
		}),
	};
}

function linkIn(value: JsonObject): PrLinkEvent | undefined {
	const number = numberAt(value, 'number');
	const url = stringAt(value, 'url');
	if (number === undefined || url === undefined) return undefined;
	return { type: 'pr_link', number, url, ...compact({ repository: stringAt(value, 'repository') }) };
}

function hookIn(value: JsonObject): HookEvent {
	const told = compact({
		event: stringAt(value, 'event'),
		name: stringAt(value, 'name'),
		output: stringAt(value, 'output'),
	});
	return { type: 'hook', ...told, data: objectAt(value, 'data') ?? {} };
}
