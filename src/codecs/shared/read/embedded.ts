/** Texts that an editor sends along with a prompt, as agents for editors write them down: a link among the words, and the text behind them. */

export interface Embedded {
	readonly uri: string;
	readonly text: string;
}

const closing = '\n</context>';
const opening = /(?:^|\n)<context ref="[^"\n]*">\n/;
const between = /(?:^\n?|\n<\/context>\n+)<context ref="([^"\n]*)">\n/;
/** What may stand behind the last text: pictures that were sent along, each read out as `[image: TYPE]`. */
const behind = /^(?:\n\[\w+: [^\]\n]*\])*\s*$/;
/** The link: its label, and the address. */
const link = /\[@((?:[^\]\\\n]|\\.){1,4096})\]\(([^()\s]{1,4096})\)/g;

/** The text as the model gets it. */
export function embeddedText({ uri, text }: Embedded): string {
	return `<context ref="${writable(uri)}">\n${text}${closing}`;
}

/** The link that stands for such a text among the words. The label must have no line break and no bare bracket. */
export function embeddedLink(uri: string, label: string): string {
	return `[@${label}](${writable(uri)})`;
}

/** A prompt split into its words and the texts behind them: everything from the first such text on belongs to those. */
export function splitEmbedded(text: string): { readonly said: string; readonly embedded: readonly Embedded[] } {
	const end = text.lastIndexOf(closing);
	const rest = text.slice(end + closing.length);
	const inner = end === -1 || !behind.test(rest) ? '' : text.slice(0, end);
	const at = inner.search(opening);
	if (at === -1) return { said: text, embedded: [] };
	const [, ...parts] = inner.slice(at).split(between);
	const embedded = parts.flatMap((uri, index) => (index % 2 === 0 ? [{ uri, text: parts[index + 1] ?? '' }] : []));
	return { said: inner.slice(0, at) + rest, embedded };
}

/** The words with labels in the place of links. */
export function withLabels(said: string): string {
	return said.replaceAll(link, (_, label: string) => `@${label.replaceAll(/\\([[\]])/g, '$1')}`);
}

/** Where the links stand. */
export function linksIn(said: string): readonly { readonly uri: string; readonly at: number; readonly end: number }[] {
	return Array.from(said.matchAll(link), ({ 0: whole, 2: uri = '', index: at }) => ({
		uri,
		at,
		end: at + whole.length,
	}));
}

/** The address with everything encoded that would end the attribute or the link that it stands in. */
function writable(uri: string): string {
	return uri
		.replaceAll(/[\s"<>]/g, encodeURIComponent)
		.replaceAll('(', '%28')
		.replaceAll(')', '%29');
}
