/** Files that a prompt or a command names go along with it, pictures as pictures: how many, what counts as a path, and the wording for those that do not. */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, extname, resolve } from 'node:path';
import type { Expansion, NamedFile, NamedFiles, ToolOutput } from '../../agent/contracts.ts';
import { textOf } from '../../agent/recording/blocks.ts';
import { readRegular } from '../../log/regular-file.ts';
import type { ImageContent } from '../../model/index.ts';
import { thisMachine } from '../../store/find/folders.ts';
import { pastedPictures } from '../../store/own-data/data-folder.ts';
import { imageType, imageTypes } from '../../tools/binary.ts';
import { mentionedFiles, namedPictures } from './fill.ts';

const mostFiles = 20;
const mostPictures = 10;

export interface Naming {
	/** Names files with an at sign. */
	readonly said: string;
	/** What the user has typed of it: there a picture needs no sign, as terminals write the path of a file that is dropped on them. */
	readonly typed: string;
	readonly cwd: string;
	/** False for files that nobody is asked about. */
	readonly isHere?: (path: string) => boolean;
}

export interface Gathered {
	/** What the model is told of files that are no pictures. */
	readonly texts: readonly string[];
	readonly named: NamedFiles;
}

interface Name {
	readonly written: string;
	readonly path: string;
	/** With an at sign: it was meant as a file, if it looks like one. */
	readonly isMeant: boolean;
}

/** Read by the tool Read, so that the rules, the folders and what a link leads to count as they do for a model. */
export async function gatherNamed(naming: Naming, call: Expansion['call']): Promise<Gathered> {
	const { cwd, isHere = () => true } = naming;
	const texts: string[] = [];
	const along: NamedFile[] = [];
	const left: string[] = [];
	for (const name of namesIn(naming)) {
		const found = factsOf(name.path);
		const pasted = isPasted(name.path) ? pastedPicture(name.path) : undefined;
		if (pasted) {
			along.push({ name: shortName(name), size: Buffer.byteLength(pasted.data, 'base64'), picture: pasted });
			continue;
		}
		const why = whyNot(found, name, cwd, isHere);
		const output = why === undefined ? await call('Read', { file_path: name.path }) : undefined;
		if (output && typeof found !== 'string' && !output.isError) {
			const picture = output.content.find((one): one is ImageContent => one.type === 'image');
			along.push({ name: shortName(name), size: found.size, ...(picture && { picture }) });
			if (!picture) texts.push(reminder(name.path, output));
			continue;
		}
		const reason = output ? firstSentence(output) : why;
		if (reason !== undefined && reason !== '') left.push(`${name.written} was not sent: ${reason}`);
	}
	return { texts, named: { along, left: [...left, ...tooMany(naming)] } };
}

/** Each file once. */
function namesIn({ said, typed, cwd }: Naming): readonly Name[] {
	const pathOf = (written: string): string => resolve(cwd, written.replace(/^~(?=\/)/, homedir()));
	const names = [
		...mentionedFiles(said)
			.slice(0, mostFiles)
			.map((one): Name => ({ written: `@${one}`, path: pathOf(one), isMeant: true })),
		...namedPictures(typed, isPictureName)
			.slice(0, mostPictures)
			.map((one): Name => ({ written: one, path: pathOf(one), isMeant: false })),
	];
	return [...new Map(names.toReversed().map((one) => [one.path, one])).values()].toReversed();
}

function tooMany({ said, typed }: Naming): readonly string[] {
	const files = mentionedFiles(said).length - mostFiles;
	const pictures = namedPictures(typed, isPictureName).length - mostPictures;
	return [
		...(files > 0 ? [`${files} more files were not sent: at most ${mostFiles} go along with a prompt`] : []),
		...(pictures > 0
			? [`${pictures} more pictures were not sent: at most ${mostPictures} go along with a prompt`]
			: []),
	];
}

function isPictureName(name: string): boolean {
	return imageTypes[extname(name).toLowerCase()] !== undefined;
}

/** What is at the path, or the code of the error. */
function factsOf(path: string): Stats | string {
	try {
		return statSync(path);
	} catch (error) {
		if (error instanceof Error && 'code' in error) return String(error.code);
		throw error;
	}
}

/** Why the file is not read; empty where it was hardly meant as one, and nothing is said. */
function whyNot(
	found: Stats | string,
	{ written, path, isMeant }: Name,
	cwd: string,
	isHere: (path: string) => boolean,
): string | undefined {
	if (typeof found === 'string') {
		if (!isMeant || !looksLikePath(written.slice(1), cwd)) return '';
		return found === 'ENOENT' || found === 'ENOTDIR' ? 'there is no such file' : `it cannot be read (${found})`;
	}
	if (!isHere(path))
		return `it is, or leads, outside the folders that are worked in; start with --add-dir ${dirname(path)} to let files from there go along`;
	if (found.isDirectory()) return 'it is a folder; name files in it';
	return found.isFile() ? undefined : 'it is no regular file';
}

const fileEndings =
	/\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|sql|mdx?|txt|log|csv|json[cl]?|ya?ml|toml|xml|html?|css|scss|vue|svelte|ini|cfg|conf|env|lock|ipynb|pdf|svg|png|jpe?g|gif|webp)$/i;

/** `@types/node`, `@app.route` and `@jane` are words of people and programs; nobody is told that these are no files. */
function looksLikePath(name: string, cwd: string): boolean {
	if (/^(?:~|\.{1,2})?\//.test(name) || fileEndings.test(name)) return true;
	const [first = '', ...rest] = name.split('/');
	const folder = rest.length > 0 ? factsOf(resolve(cwd, first)) : '';
	return typeof folder !== 'string' && folder.isDirectory();
}

/** One that the console took from the clipboard: it is ours, and the user has just put it there. */
function isPasted(path: string): boolean {
	if (dirname(path) !== pastedPictures(thisMachine()) || !/^[\da-f]{12}\.png$/.test(basename(path))) return false;
	return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function pastedPicture(path: string): ImageContent | undefined {
	const bytes = readRegular(path);
	const mimeType = imageType(bytes);
	return mimeType === undefined ? undefined : { type: 'image', data: bytes.toString('base64'), mimeType };
}

/** A picture by its file's name: a path that was dropped is long. */
function shortName({ written, isMeant }: Name): string {
	return isMeant ? written.slice(1) : basename(written);
}

function reminder(path: string, { content }: ToolOutput): string {
	const asked = JSON.stringify({ file_path: path });
	return (
		`<system-reminder>\nCalled the Read tool with the following input: ${asked}\n</system-reminder>\n` +
		`<system-reminder>\nResult of calling the Read tool:\n${textOf(content)}\n</system-reminder>`
	);
}

/** The rest of such an output is advice for a model. */
function firstSentence(output: ToolOutput): string {
	const line = firstLine(output);
	return /^.*?[.!](?=\s|$)/.exec(line)?.[0] ?? line;
}

export function firstLine({ content }: ToolOutput): string {
	const lines = textOf(content)
		.replaceAll(/<\/?tool_use_error>/g, '')
		.split('\n')
		.filter((line) => line.trim() !== '');
	return lines.slice(0, 2).join(' ').slice(0, 300);
}
