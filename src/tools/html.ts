/** HTML as Markdown, for a model to read. One pass over the page, whatever its author meant by it: no page takes longer than it is long. */

/** Elements whose content nobody reads. */
const silent: ReadonlySet<string> = new Set([
	'script',
	'style',
	'noscript',
	'template',
	'svg',
	'iframe',
	'object',
	'title',
	'select',
]);
/** Elements that begin and end a line. */
const blocks: ReadonlySet<string> = new Set(
	'address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form header hr html li main nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
		' ',
	),
);
const headings: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
/** Deeper lists are written like this one. */
const deepest = 8;

export function markdownOf(html: string): string {
	const writer = new Writer();
	const title = /<title[^>]{0,200}>([^<]{1,500})/i.exec(html.slice(0, 100_000))?.[1];
	if (title?.trim()) writer.line(`# ${decoded(title).trim().replaceAll(/\s+/g, ' ')}`);
	let at = Math.max(0, html.search(/<body[\s>]/i));
	while (at < html.length) {
		const open = html.indexOf('<', at);
		if (open === -1) {
			writer.text(html.slice(at));
			break;
		}
		if (open > at) writer.text(html.slice(at, open));
		at = tagAt(html, open, writer);
	}
	return writer.done();
}

/** Tells the writer of the tag at this place; where it ends. */
function tagAt(html: string, open: number, writer: Writer): number {
	const next = html[open + 1] ?? '';
	if (html.startsWith('<!--', open)) return after(html, '-->', open + 4);
	if (next === '!' || next === '?') return after(html, '>', open + 1);
	if (!/[a-z/]/i.test(next)) {
		writer.text('<');
		return open + 1;
	}
	const end = endOfTag(html, open + 1);
	const tag = html.slice(open + 1, end);
	const name = /^\/?([a-z][a-z0-9]*)/i.exec(tag.slice(0, 40))?.[1]?.toLowerCase() ?? '';
	if (!tag.startsWith('/') && writer.isSilent(name)) return skipped(html, name, end + 1, writer);
	if (tag.startsWith('/')) writer.close(name);
	else writer.open(name, tag);
	return end + 1;
}

function after(text: string, mark: string, from: number): number {
	const at = text.indexOf(mark, from);
	return at === -1 ? text.length : at + mark.length;
}

/** A quoted value may hold what ends a tag elsewhere. */
function endOfTag(html: string, from: number): number {
	let quote = '';
	for (let at = from; at < html.length; at++) {
		const character = html[at] ?? '';
		if (quote !== '') {
			if (character === quote) quote = '';
		} else if (character === '>') return at;
		else if ((character === '"' || character === "'") && html[at - 1] === '=') quote = character;
	}
	// A quote that is never closed must not swallow the page.
	const plain = html.indexOf('>', from);
	return plain === -1 ? html.length : plain;
}

/** Behind the end of an element that nobody reads. One that is never closed is looked for once: its page is read all the same. */
function skipped(html: string, name: string, from: number, writer: Writer): number {
	const end = new RegExp(`</${name}`, 'gi');
	end.lastIndex = from;
	const found = end.exec(html);
	if (found) return after(html, '>', found.index);
	writer.neverClosed(name);
	return from;
}

class Writer {
	readonly #lines: string[] = [];
	#line = '';
	/** It ends with a blank. Kept, because looking at the end of a text that grows copies it each time. */
	#blank = true;
	#verbatim = false;
	#quotes = 0;
	readonly #lists: { ordered: boolean; count: number }[] = [];
	/** The link that is open: what stands before it on the line, and where it leads. */
	#link: { readonly href: string; readonly before: string } | undefined;
	#cells: string[] | undefined;
	readonly #unclosed = new Set<string>();

	isSilent(name: string): boolean {
		return silent.has(name) && !this.#unclosed.has(name);
	}

	neverClosed(name: string): void {
		this.#unclosed.add(name);
	}

	text(raw: string): void {
		const text = decoded(raw);
		if (this.#verbatim) this.#add(text);
		else {
			const plain = text.replaceAll(/\s+/g, ' ');
			this.#add(this.#blank ? plain.trimStart() : plain);
		}
	}

	#add(text: string): void {
		if (text === '') return;
		this.#line += text;
		this.#blank = text.endsWith(' ');
	}

	/** The line so far; the next one begins. */
	#taken(): string {
		const line = this.#link ? this.#link.before + this.#line : this.#line;
		this.#link = undefined;
		this.#line = '';
		this.#blank = true;
		return line;
	}

	open(name: string, tag: string): void {
		if (headings.has(name)) {
			this.#paragraph();
			this.#add(`${'#'.repeat(Number(name[1]))} `);
		} else if (name === 'br') this.#end();
		else if (name === 'hr') this.line('---');
		else if (name === 'a') this.#openLink(attribute(tag, 'href'));
		else if (name === 'img') this.#image(tag);
		else if (name === 'strong' || name === 'b') this.#add('**');
		else if (name === 'code' && !this.#verbatim) this.#add('`');
		else if (blocks.has(name)) this.#openBlock(name);
	}

	#openBlock(name: string): void {
		if (name === 'td' || name === 'th') return;
		if (name === 'tr') {
			this.#end();
			this.#cells = [];
			return;
		}
		if (name === 'li') this.#item();
		else if (name === 'ul' || name === 'ol') {
			this.#end();
			this.#lists.push({ ordered: name === 'ol', count: 0 });
		} else this.#paragraph();
		if (name === 'blockquote') this.#quotes = Math.min(this.#quotes + 1, deepest);
		if (name === 'pre') {
			this.#put('```');
			this.#verbatim = true;
		}
	}

	close(name: string): void {
		if (name === 'a') this.#closeLink();
		else if (name === 'strong' || name === 'b') this.#add('**');
		else if (name === 'code' && !this.#verbatim) this.#add('`');
		else if (headings.has(name)) this.#paragraph();
		else if (blocks.has(name)) this.#closeBlock(name);
	}

	#closeBlock(name: string): void {
		if (name === 'td' || name === 'th') {
			this.#cells?.push(this.#taken().trim().replaceAll('|', '\\|'));
			return;
		}
		if (name === 'tr') this.#row();
		else if (name === 'ul' || name === 'ol') {
			this.#end();
			this.#lists.pop();
			if (this.#lists.length === 0) this.#paragraph();
		} else if (name === 'li') this.#end();
		else if (name === 'pre') this.#closePre();
		else this.#paragraph();
		if (name === 'blockquote') this.#quotes = Math.max(0, this.#quotes - 1);
	}

	line(text: string): void {
		this.#paragraph();
		this.#put(text);
		this.#paragraph();
	}

	done(): string {
		if (this.#verbatim) this.#closePre();
		this.#row();
		this.#end();
		return this.#lines
			.join('\n')
			.replaceAll(/\n{3,}/g, '\n\n')
			.trim();
	}

	#closePre(): void {
		if (!this.#verbatim) return;
		for (const line of this.#taken()
			.replace(/^\n|\n$/g, '')
			.split('\n'))
			this.#put(line);
		this.#verbatim = false;
		this.#put('```');
		this.#paragraph();
	}

	#row(): void {
		const cells = this.#cells;
		this.#cells = undefined;
		if (!cells || cells.length === 0) return;
		this.#put(`| ${cells.join(' | ')} |`);
		const before = this.#lines.at(-2) ?? '';
		if (!before.startsWith('|')) this.#put(`|${' --- |'.repeat(cells.length)}`);
	}

	#item(): void {
		this.#end();
		const list = this.#lists.at(-1) ?? { ordered: false, count: 0 };
		list.count += 1;
		const depth = Math.min(Math.max(0, this.#lists.length - 1), deepest);
		this.#add(`${'  '.repeat(depth)}${list.ordered ? `${list.count}.` : '-'} `);
	}

	#image(tag: string): void {
		const alt = attribute(tag, 'alt').trim();
		if (alt !== '') this.#add(`![${alt}]`);
	}

	#openLink(href: string): void {
		const isBlank = this.#blank;
		const before = this.#taken();
		this.#blank = isBlank;
		this.#link = { href, before };
	}

	/** A link that goes over lines is its text. */
	#closeLink(): void {
		if (!this.#link) return;
		const { href, before } = this.#link;
		const text = this.#line;
		const isNone = href === '' || text.trim() === '' || /^(#|javascript:|data:)/i.test(href);
		const isBlank = this.#blank;
		this.#taken();
		this.#line = before;
		this.#add(isNone ? text : `${/^\s*/.exec(text)?.[0] ?? ''}[${text.trim()}](${href.replaceAll(/\s/g, '%20')})`);
		if (isNone) this.#blank = isBlank;
	}

	/** Ends the line, and leaves one free. */
	#paragraph(): void {
		this.#end();
		if (this.#lines.length > 0 && this.#lines.at(-1) !== '') this.#lines.push('');
	}

	#end(): void {
		if (this.#verbatim) {
			this.#add('\n');
			return;
		}
		const line = this.#taken().trimEnd();
		if (line.trim() !== '') this.#put(line);
	}

	#put(line: string): void {
		this.#lines.push(`${'> '.repeat(this.#quotes)}${line}`);
	}
}

/** The value of an attribute; empty where there is none. */
function attribute(tag: string, name: string): string {
	const found = new RegExp(
		`\\s${name}\\s{0,4}=\\s{0,4}(?:"([^"]{0,4000})"|'([^']{0,4000})'|([^\\s"'>]{1,4000}))`,
		'i',
	).exec(tag);
	return decoded(found?.[1] ?? found?.[2] ?? found?.[3] ?? '');
}

const named: { readonly [name: string]: string } = {
	...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '©', reg: '®', trade: '™', hellip: '…' },
	...{ mdash: '—', ndash: '–', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', bull: '•', middot: '·', times: '×' },
	...{ laquo: '«', raquo: '»', larr: '←', rarr: '→', euro: '€', pound: '£', deg: '°', sect: '§', para: '¶' },
	...{
		auml: 'ä',
		ouml: 'ö',
		uuml: 'ü',
		Auml: 'Ä',
		Ouml: 'Ö',
		Uuml: 'Ü',
		szlig: 'ß',
		eacute: 'é',
		egrave: 'è',
		agrave: 'à',
	},
};

/** Characters that are written as names or numbers. */
function decoded(text: string): string {
	if (!text.includes('&')) return text;
	return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name) => {
		if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
		const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
		return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\ufffd';
	});
}
