/** One word of a shell command: what it is certain to become, as far as the text alone tells. */
import type { DoubleQuotedChild, ParsedScript, Word, WordPart } from 'unbash';

export interface ShellWord {
	/** As it is written, without line continuations. */
	readonly raw: string;
	/** What the program gets; undefined where only the shell will know. */
	readonly value: string | undefined;
	/** Set where the shell may put names of files instead: the value with a backslash before every sign that is only itself. */
	readonly glob?: string;
	/** An allow rule may cover it: nothing in it runs, and nothing in it is decided later. */
	readonly plain: boolean;
	/** The grammar has taken for text what a shell would not: nothing about the word is certain. */
	readonly unsound?: boolean;
	/** A variable stands in it, although its value is known. */
	readonly variable?: boolean;
	/** The beginning that is certain, where the whole is not. */
	readonly start: string;
	/** The whole, with an `x` for whatever only the shell will know. */
	readonly outline?: string;
}

interface Piece {
	readonly text: string | undefined;
	readonly outline?: string;
	readonly glob?: boolean;
	readonly variable?: boolean;
	readonly unsound?: boolean;
	readonly plain: boolean;
}

function asPattern({ text = '', glob }: Piece): string {
	return glob ? text : text.replaceAll(/[\\*?[\]]/g, '\\$&');
}

export function shellWord(word: Word, home: string): ShellWord {
	const raw = word.text.replaceAll('\\\n', '');
	const pieces = word.parts ? word.parts.map((part) => pieceOf(part, home)) : [unquoted(word)];
	const first = pieces[0];
	if (first && raw.startsWith('~')) pieces[0] = tilde(first, raw, home);
	const unknown = pieces.findIndex(({ text }) => text === undefined);
	const open = pieces.findIndex(({ text, glob }) => text === undefined || glob);
	const joined = (to: number): string => (to === -1 ? pieces : pieces.slice(0, to)).map(({ text }) => text).join('');
	return {
		raw,
		value: unknown === -1 ? joined(-1) : undefined,
		...(unknown === -1 && pieces.some(({ glob }) => glob) ? { glob: pieces.map(asPattern).join('') } : {}),
		...(pieces.some(({ variable }) => variable) ? { variable: true } : {}),
		...(pieces.some(({ unsound }) => unsound) ? { unsound: true } : {}),
		plain: pieces.every(({ plain }) => plain) && !isStrange(raw) && !escapedBlank.test(raw),
		start: joined(open),
		...(unknown === -1 ? {} : { outline: outlineOf(pieces) }),
	};
}

function outlineOf(pieces: readonly Piece[]): string {
	return pieces.map(({ text, outline = 'x' }) => text ?? outline).join('');
}

/** A word that is only itself. */
export function literalWord(value: string): ShellWord {
	return { raw: value, value, plain: true, start: value };
}

/** The client asks about `a\\ b`, where another reader of the command may see two words. */
const escapedBlank = /\\\s/;

/** Blanks that are none for the shell, and characters that are not seen: what a person reads is not what runs. */
export function isStrange(text: string): boolean {
	return /[\p{Cc}\p{Cf}\p{Z}]/u.test(text.replaceAll(/[ \n\t]/g, ''));
}

function literal(text: string): Piece {
	return { text, plain: true };
}

/** Signs that mean something to a shell wherever they are not quoted. */
const meaningful = /[<>()&|;`\s]|\$[\w{('"@*#?$!-]/;
const meaningfulInQuotes = /`|\$[\w{(@*#?$!-]/;

function unquoted({ text, value }: { readonly text: string; readonly value: string }): Piece {
	// The shell takes `name=~` for an assignment, and puts the home there.
	if (/^\w+=(.*:)?~/.test(text)) return unknown;
	return meaningful.test(text.replaceAll(/\\./gs, '')) ? unreadable : literal(value);
}

function quotedPiece(part: DoubleQuotedChild, home: string): Piece {
	if (part.type !== 'Literal') return pieceOf(part, home);
	return meaningfulInQuotes.test(part.text.replaceAll(/\\./gs, '')) ? unreadable : literal(part.value);
}

/** `~` is the user's home; another user's is not ours to know. */
function tilde(first: Piece, raw: string, home: string): Piece {
	return /^~(\/|$)/.test(raw) && first.text !== undefined ? literal(home + first.text.slice(1)) : unknown;
}

function pieceOf(part: WordPart, home: string): Piece {
	switch (part.type) {
		case 'Literal':
			return unquoted(part);
		case 'SingleQuoted':
			return literal(part.value);
		case 'Glob':
			return { text: part.value, glob: true, plain: part.kind !== 'bracket' || /^\[[\w^!-]+\]$/.test(part.text) };
		case 'AnsiCQuoted':
			return { text: part.value, plain: false };
		case 'DoubleQuoted':
			return joinedPieces(part.parts, home);
		case 'SimpleExpansion':
			return part.text === '$HOME' ? { text: home, variable: true, plain: true } : unknown;
		case 'ArithmeticExpansion':
			// Names in arithmetic are evaluated again, and an array's index may run a command: only numbers are just numbers.
			return /^\$\(\([\d\s+*/%-]*\)\)$/.test(part.text) ? { text: undefined, plain: true } : unknown;
		default:
			return unknown;
	}
}

const unknown: Piece = { text: undefined, plain: false };
const unreadable: Piece = { text: undefined, unsound: true, plain: false };

function joinedPieces(parts: readonly DoubleQuotedChild[], home: string): Piece {
	const pieces = parts.map((part) =>
		part.type === 'CommandExpansion' && isQuotedText(part.script) ? literal('') : quotedPiece(part, home),
	);
	const text = pieces.some((piece) => piece.text === undefined)
		? undefined
		: pieces.map((piece) => piece.text).join('');
	const variable = pieces.some((piece) => piece.variable);
	const unsound = pieces.some((piece) => piece.unsound);
	return {
		text,
		outline: outlineOf(pieces),
		...(variable ? { variable } : {}),
		...(unsound ? { unsound } : {}),
		plain: pieces.every(({ plain }) => plain),
	};
}

/** `$(cat <<'EOF' … EOF)` is the usual way to write a long text; nothing in it is run. */
export function isQuotedText(script: ParsedScript | undefined): boolean {
	const [only, ...others] = script?.commands ?? [];
	if (!only || others.length > 0 || only.background || script?.errors?.length) return false;
	const { command } = only;
	if (command.type !== 'Command' || command.name?.text !== 'cat') return false;
	if (command.args.length > 0 || command.prefix.length > 0) return false;
	const [redirect, ...more] = command.redirects;
	return more.length === 0 && redirect?.type === 'HereDoc' && redirect.delimiter?.quoted === true;
}
