/** Decides about fetching pages by the host's name: rules, the mode, and the documentation that is read without a question. */
import { fitsText } from './command-rules.ts';
import { allow, ask, deny } from './judgement.ts';
import type { Rule } from './rule.ts';
import type { Circumstances, Judgement } from './situation.ts';

/** Documentation that is read so often that the client does not ask. */
const documentation: readonly string[] = [
	'docs.python.org',
	'react.dev',
	'developer.mozilla.org',
	'modelcontextprotocol.io',
	'platform.claude.com',
	'code.claude.com',
];

export function decideFetch(address: unknown, { rules, mode }: Circumstances): Judgement {
	const url = urlOf(address);
	if (!url) return ask('it is not the address of a page');
	const host = hostOf(url);
	const named = (list: readonly Rule[]): Rule | undefined =>
		list.find(({ tool, content }) => tool === 'WebFetch' && (content === undefined || fitsHost(content, host)));
	const denied = named(rules.deny);
	if (denied) return deny('a rule denies this host', denied);
	const asked = named(rules.ask);
	if (asked) return ask('a rule asks about this host', asked);
	if (mode === 'bypassPermissions') return allow('the mode allows everything that no rule names');
	const allowed = named(rules.allow);
	if (allowed) return allow('a rule allows this host', allowed);
	if (isDocumentation(url, host)) return allow('it is public documentation');
	return ask(`no rule allows ${host}`);
}

/** A rule allows this very host, as whoever wrote it: not one for many, and none of the client's own. */
export function allowsHost(host: string, { rules }: Circumstances): boolean {
	const name = host.toLowerCase().replace(/\.$/, '');
	return rules.allow.some(({ tool, content }) => tool === 'WebFetch' && content?.toLowerCase() === `domain:${name}`);
}

function urlOf(address: unknown): URL | undefined {
	const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined;
	return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

export function hostOf({ hostname }: URL): string {
	return hostname.toLowerCase().replace(/\.$/, '');
}

/** `*` stands for any part of a name: `*.example.com` is every host below it, and not itself. */
function fitsHost(content: string, host: string): boolean {
	const wanted = content.slice('domain:'.length).toLowerCase().replace(/\.$/, '');
	return fitsText({ parts: wanted.split(/\*+/), open: false }, host);
}

function isDocumentation({ pathname, port, username }: URL, host: string): boolean {
	if (port !== '' || username !== '') return false;
	return documentation.includes(host) || (host === 'github.com' && pathname.startsWith('/anthropics/'));
}
