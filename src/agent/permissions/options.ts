/** Reads the options of a command the way programs do (getopt), by a table of the options that are known. */
import { literalWord, type ShellWord } from './shell-words.ts';

/**
 * `short` and `long` are lists with blanks between. A sign behind a name tells of its value: `=` a text, `<` a file that is read, `>` a file
 * that is written, `/` a folder that is written into, `?` a text that is only there when it is attached. `'abc n= o>'`: a, b, c have no value.
 */
export interface OptionTable {
	readonly short?: string;
	readonly long?: string;
	/** `-5` is an option as well. */
	readonly digits?: boolean;
	/** The first word that is no option ends them: what follows belongs to another program. */
	readonly endsAtWord?: boolean;
}

export type OptionKind = 'flag' | 'text' | 'read' | 'write' | 'into' | 'attached';

export interface GivenOption {
	/** As the table has it: `n`, `lines`. */
	readonly name: string;
	readonly kind: OptionKind;
	readonly value?: ShellWord;
}

export interface ReadOptions {
	readonly options: readonly GivenOption[];
	/** What is no option and no value of one. */
	readonly words: readonly ShellWord[];
	/** May be a file: the value of an option that is not known, or that only some systems take for one. */
	readonly maybe: readonly ShellWord[];
	/** Every option is one of the table, written in full. */
	readonly exact: boolean;
}

const kinds: { readonly [sign: string]: OptionKind } = {
	'=': 'text',
	'<': 'read',
	'>': 'write',
	'/': 'into',
	'?': 'attached',
};
/** Of two options that an abbreviation may stand for, the one that matters more. */
const weight: readonly OptionKind[] = ['flag', 'attached', 'text', 'read', 'into', 'write'];

export function readOptions(given: readonly ShellWord[], table: OptionTable): ReadOptions {
	const reader = new OptionReader(given, table);
	reader.read();
	return reader;
}

class OptionReader implements ReadOptions {
	readonly options: GivenOption[] = [];
	readonly words: ShellWord[] = [];
	readonly maybe: ShellWord[] = [];
	exact = true;
	readonly #given: readonly ShellWord[];
	readonly #short: ReadonlyMap<string, OptionKind>;
	readonly #long: ReadonlyMap<string, OptionKind>;
	readonly #digits: boolean;
	readonly #endsAtWord: boolean;
	#at = 0;

	constructor(given: readonly ShellWord[], { short = '', long = '', digits = false, endsAtWord = false }: OptionTable) {
		this.#given = given;
		this.#short = new Map(entries(short).flatMap(([names, kind]) => [...names].map((name) => [name, kind] as const)));
		this.#long = new Map([...entries(long), ['help', 'flag'], ['version', 'flag']]);
		this.#digits = digits;
		this.#endsAtWord = endsAtWord;
	}

	read(): void {
		for (; this.#at < this.#given.length; this.#at++) {
			const word = this.#given[this.#at];
			if (!word) continue;
			const ended = this.#endsAtWord && this.words.length > 0;
			if (word.value === '--' || ended) {
				this.words.push(...this.#given.slice(ended ? this.#at : this.#at + 1));
				return;
			}
			const known = word.value ?? word.start;
			if (known === '' && word.value === undefined) this.exact = false;
			if (known.startsWith('--')) this.#longOption(word, known);
			else if (known.startsWith('-') && known !== '-') this.#cluster(word, known);
			else this.words.push(word);
		}
	}

	#longOption(word: ShellWord, known: string): void {
		const end = known.indexOf('=');
		const written = known.slice(2, end === -1 ? undefined : end);
		const attached = end === -1 ? undefined : restOf(word, end + 1);
		const found = end === -1 && word.value === undefined ? undefined : this.#longNamed(written);
		if (!found) {
			this.exact = false;
			if (attached || word.value === undefined) this.maybe.push(attached ?? word);
			return;
		}
		const { name, kind } = found;
		if (kind === 'flag' && attached) this.exact = false;
		this.#add(name, kind, attached);
	}

	#longNamed(written: string): { readonly name: string; readonly kind: OptionKind } | undefined {
		const whole = this.#long.get(written);
		if (whole) return { name: written, kind: whole };
		const begun = [...this.#long].filter(([name]) => name.startsWith(written));
		begun.sort(([, a], [, b]) => weight.indexOf(b) - weight.indexOf(a));
		this.exact = false;
		return begun[0] && { name: begun[0][0], kind: begun[0][1] };
	}

	#cluster(word: ShellWord, known: string): void {
		if (this.#digits && word.value !== undefined && /^-\d+$/.test(known)) {
			this.options.push({ name: 'number', kind: 'flag' });
			return;
		}
		for (let index = 1; index < known.length; index++) {
			const name = known.charAt(index);
			const kind = this.#short.get(name);
			if (kind === undefined) {
				this.exact = false;
				if (index < known.length - 1) this.maybe.push(restOf(word, index + 1));
				continue;
			}
			if (kind === 'flag') {
				this.options.push({ name, kind });
				continue;
			}
			const last = index === known.length - 1 && word.value !== undefined;
			this.#add(name, kind, last ? undefined : restOf(word, index + 1));
			return;
		}
		if (word.value === undefined) this.exact = false;
	}

	/** The value is attached, or the next word. */
	#add(name: string, kind: OptionKind, attached: ShellWord | undefined): void {
		const separate = attached === undefined && kind !== 'flag' && kind !== 'attached';
		const next = separate ? this.#given[this.#at + 1] : undefined;
		if (separate && !next) this.exact = false;
		if (next) this.#at++;
		// Where options end with the first other word, as on macOS, it is a word like those before it.
		if (next && this.words.length > 0) this.maybe.push(next);
		const value = attached ?? next;
		this.options.push({ name, kind, ...(value ? { value } : {}) });
	}
}

function entries(list: string): readonly (readonly [string, OptionKind])[] {
	return list
		.split(' ')
		.filter((one) => one !== '')
		.map((one) => {
			const kind = kinds[one.charAt(one.length - 1)];
			return kind ? [one.slice(0, -1), kind] : [one, 'flag'];
		});
}

function restOf(word: ShellWord, from: number): ShellWord {
	if (word.value !== undefined) return literalWord(word.value.slice(from));
	return { raw: word.raw, value: undefined, plain: word.plain, start: word.start.slice(from) };
}
