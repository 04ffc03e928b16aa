/** Programs that run another program (`timeout 5 rm x` is `rm x`), their options, and which of them an allow rule sees through. */
import type { ShellWord } from './shell-words.ts';

interface Wrapper {
	/** Letters of options that take a value, and of those that take none. */
	readonly values?: string;
	readonly flags?: string;
	/** Long options whose value is the next word, and those that take none. */
	readonly longValues?: readonly string[];
	readonly longFlags?: readonly string[];
	/** Words of its own before the program. */
	readonly words?: number;
	/** `NAME=value` may stand before the program. */
	readonly assignments?: boolean;
	/** A single `-` is an option. */
	readonly dash?: boolean;
}

const wrappers: { readonly [name: string]: Wrapper } = {
	timeout: {
		values: 'ks',
		flags: 'v',
		longValues: ['--kill-after', '--signal'],
		longFlags: ['--foreground', '--preserve-status', '--verbose'],
		words: 1,
	},
	nice: { values: 'n', flags: '0123456789', longValues: ['--adjustment'] },
	nohup: {},
	stdbuf: { values: 'ioe', longValues: ['--input', '--output', '--error'] },
	command: { flags: 'p' },
	builtin: {},
	exec: { values: 'a', flags: 'cl' },
	time: { values: 'fo', flags: 'apv' },
	env: {
		values: 'uCS',
		flags: 'i0v',
		longValues: ['--unset', '--chdir', '--split-string'],
		longFlags: ['--ignore-environment', '--null', '--debug'],
		assignments: true,
		dash: true,
	},
	sudo: {
		values: 'ugpCDhRrTtU',
		flags: 'AbEHnPSkKBis',
		longValues: ['--user', '--group', '--prompt', '--chdir', '--chroot', '--host'],
		longFlags: ['--non-interactive', '--preserve-env', '--set-home', '--login', '--shell', '--background', '--stdin'],
		assignments: true,
	},
	doas: { values: 'uC', flags: 'nLs' },
	xargs: {
		values: 'aEILPdns',
		flags: '0rtpxoe',
		longValues: ['--arg-file', '--delimiter', '--max-args', '--max-procs', '--replace', '--max-lines', '--max-chars'],
		longFlags: ['--null', '--no-run-if-empty', '--verbose', '--interactive', '--exit', '--open-tty'],
	},
	flock: {
		values: 'wE',
		flags: 'ensuxoFv',
		longValues: ['--timeout', '--wait', '--conflict-exit-code'],
		longFlags: ['--exclusive', '--shared', '--nonblock', '--nb', '--close', '--no-fork', '--verbose'],
		words: 1,
	},
	parallel: { values: 'jNILna', flags: '0kmXtv' },
	setsid: { flags: 'cfw' },
	ionice: { values: 'cnpPu', flags: 't' },
	chrt: { values: 'pTPD', flags: 'abdfior', words: 1 },
	taskset: { flags: 'ac', words: 1 },
	strace: { values: 'eopsaPEuSIOXb', flags: 'fcrtTvxyqkiChdnwDFzZ' },
	ltrace: { values: 'eonpsalux', flags: 'fcCrtTSihL' },
	unshare: { values: 'RwSG', flags: 'munipUCfrc' },
	chroot: { longValues: [], words: 1 },
	busybox: {},
	watch: { values: 'nq', flags: 'bcdegptwxr' },
	catchsegv: {},
	unbuffer: { flags: 'p' },
	fakeroot: { values: 'lsi', flags: 'hvu' },
};

/** Those that an allow rule sees through. */
const transparent: readonly string[] = ['timeout', 'nice', 'nohup', 'stdbuf', 'command', 'builtin'];
/** Those that a command which is free of itself stays free behind. */
const transparentForFree: readonly string[] = ['timeout', 'command', 'builtin'];

export interface Unwrapped {
	readonly words: readonly ShellWord[];
	/** False: an option in front of it is not known, so that the program may begin at any later word as well. */
	readonly sure: boolean;
}

/** The program behind the wrapper; undefined where the first word is no wrapper. */
export function unwrap(words: readonly ShellWord[]): Unwrapped | undefined {
	const name = programName(words[0]);
	const wrapper = name !== undefined && Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
	if (!wrapper) return undefined;
	let at = 1;
	let sure = true;
	for (; at < words.length; at++) {
		const value = words[at]?.value;
		if (value === undefined) return { words: words.slice(at), sure: false };
		if (value === '--') {
			at++;
			break;
		}
		if (wrapper.assignments && /^\w+=/.test(value)) continue;
		if (wrapper.dash && value === '-') continue;
		if (!/^-./.test(value)) break;
		const option = optionOf(value, wrapper);
		if (option === 'unknown') sure = false;
		if (option === 'takes-next') at++;
	}
	return { words: words.slice(at + (wrapper.words ?? 0)), sure };
}

/**
 * Not `readOptions`, which looks for files and so takes a value from as many words as it can: here a word too many would hide the
 * program. `-iI` of xargs is one option, and what follows is run.
 */
function optionOf(
	text: string,
	{ values = '', flags = '', longValues = [], longFlags = [] }: Wrapper,
): 'whole' | 'takes-next' | 'unknown' {
	if (text.startsWith('--')) {
		if (text.includes('=')) return 'whole';
		if (longValues.includes(text)) return 'takes-next';
		return longFlags.includes(text) ? 'whole' : 'unknown';
	}
	for (let index = 1; index < text.length; index++) {
		const letter = text.charAt(index);
		if (values.includes(letter)) return index === text.length - 1 ? 'takes-next' : 'whole';
		if (!flags.includes(letter)) return 'unknown';
	}
	return 'whole';
}

/** What an allow rule sees: the words themselves, and what is behind each wrapper that changes nothing. */
export function seenThrough(words: readonly ShellWord[], free: boolean): readonly (readonly ShellWord[])[] {
	const known = free ? transparentForFree : transparent;
	const found = [words];
	let now = words;
	while (known.includes(now[0]?.value ?? '') && now.every(({ plain }) => plain)) {
		const inner = unwrap(now);
		if (!inner?.sure || inner.words.length === 0 || !hasOwnWords(now, inner.words)) break;
		now = inner.words;
		found.push(now);
	}
	return found;
}

/** `timeout` is followed by a time, and `command -v` runs nothing. */
function hasOwnWords(words: readonly ShellWord[], inner: readonly ShellWord[]): boolean {
	const [name] = words;
	if (name?.value === 'command' || name?.value === 'builtin' || name?.value === 'nohup')
		return words.length - inner.length === 1;
	const duration = words[words.length - inner.length - 1];
	return name?.value !== 'timeout' || /^\d+(\.\d+)?[smhd]?$/.test(duration?.value ?? '');
}

/** The program's name without its folder. */
export function programName(word: ShellWord | undefined): string | undefined {
	if (word?.value === undefined || word.glob !== undefined) return undefined;
	return word.value.split('/').at(-1);
}
