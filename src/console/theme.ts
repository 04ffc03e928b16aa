/** The console's themes: the colour of each meaning, and which theme a terminal gets. A view says `theme.added(line)`, never a colour. */
// Painters mark their codes as the writer does (`terminal/writer.ts`), so that a row is sent through `rendered` at the end and a code that
// came from outside is shown as text there. Painted parts may be nested.
import { coloursWanted, styled } from '../terminal/writer.ts';

export type Painter = (text: string) => string;

const meanings = [
	'dim',
	'bold',
	'title',
	/** What the eye should find: names, the running sign, the sign of the prompt. */
	'accent',
	'selected',
	/** The sign under the caret of a line of input. */
	'cursor',
	'good',
	'bad',
	'warn',
	'added',
	'removed',
	'code',
	'link',
	'user',
	'thinking',
	'rule',
	/** The mode that changes files without asking, and the one that only plans. */
	'modeEdits',
	'modePlan',
] as const;
export type Meaning = (typeof meanings)[number];

export type Theme = { readonly [meaning in Meaning]: Painter } & { readonly name: ThemeName };

export const themeNames = ['dark', 'light', 'terminal', 'plain'] as const;
export type ThemeName = (typeof themeNames)[number];

type Codes = { readonly [meaning in Meaning]: string };

/** Only what each terminal lets its user choose: it fits any background. */
const terminalCodes: Codes = {
	dim: '2',
	bold: '1',
	title: '1',
	accent: '36',
	selected: '1;36',
	cursor: '7',
	good: '32',
	bad: '31',
	warn: '33',
	added: '32',
	removed: '31',
	code: '36',
	link: '4;34',
	user: '1',
	thinking: '2;3',
	rule: '2',
	modeEdits: '35',
	modePlan: '36',
};

// Numbers of the 256 colours: all terminals that people use know them, those within tmux, too. Each has a contrast of at least 4.5 : 1
// against usual backgrounds (lines 3 : 1), which a test computes.
const darkCodes: Codes = {
	...terminalCodes,
	dim: '38;5;246',
	title: '1;38;5;255',
	accent: '38;5;110',
	selected: '1;38;5;117',
	good: '38;5;114',
	bad: '38;5;210',
	warn: '38;5;222',
	added: '38;5;114',
	removed: '38;5;210',
	code: '38;5;152',
	link: '4;38;5;110',
	user: '1;38;5;255',
	thinking: '3;38;5;246',
	rule: '38;5;243',
	modeEdits: '38;5;183',
	modePlan: '38;5;116',
};

const lightCodes: Codes = {
	...terminalCodes,
	dim: '38;5;242',
	title: '1;38;5;16',
	accent: '38;5;25',
	selected: '1;38;5;25',
	good: '38;5;22',
	bad: '38;5;124',
	warn: '38;5;94',
	added: '38;5;22',
	removed: '38;5;124',
	code: '38;5;24',
	link: '4;38;5;25',
	user: '1;38;5;16',
	thinking: '3;38;5;242',
	rule: '38;5;243',
	modeEdits: '38;5;90',
	modePlan: '38;5;23',
};

function themeOf(name: ThemeName, painter: (meaning: Meaning) => Painter): Theme {
	return { ...Object.fromEntries(meanings.map((meaning) => [meaning, painter(meaning)])), name } as Theme;
}

function coloured(name: ThemeName, codes: Codes): Theme {
	return themeOf(name, (meaning) => (text) => styled(codes[meaning], text));
}

/** Paints nothing: for NO_COLOR, and for tests that look at words. The caret stands where the input ends. */
export const plainTheme: Theme = {
	...themeOf('plain', () => (text) => text),
	cursor: (text) => (text === ' ' ? '_' : text),
};
export const darkTheme = coloured('dark', darkCodes);
export const lightTheme = coloured('light', lightCodes);
export const terminalTheme = coloured('terminal', terminalCodes);

const themes: { readonly [name in ThemeName]: Theme } = {
	dark: darkTheme,
	light: lightTheme,
	terminal: terminalTheme,
	plain: plainTheme,
};

/** The theme of that name, as far as the terminal can show it and its user wants colours. */
export function chosenTheme(name: ThemeName, { colours = coloursWanted(), many = manyColours() } = {}): Theme {
	if (!colours) return plainTheme;
	return many ? themes[name] : name === 'plain' ? plainTheme : terminalTheme;
}

/** A terminal of sixteen colours is one that says so: nearly all know more, and some say nothing. */
function manyColours(): boolean {
	return !/^(linux|vt\d+|ansi|cons25|xterm-16color)$/.test(process.env.TERM ?? '');
}
