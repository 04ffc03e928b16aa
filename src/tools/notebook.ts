/** Jupyter notebooks: their cells as a model is shown them, and how much output of a cell. A notebook is somebody's file, so nothing of its shape is believed. */
import {
	errorText,
	type ImageContent,
	isObject,
	type Json,
	type JsonObject,
	type TextContent,
} from '../model/index.ts';
import { imageType } from './binary.ts';

export interface Notebook {
	readonly json: JsonObject;
	readonly cells: readonly Json[];
	/** Of its code cells. */
	readonly language: string;
	/** Its cells have ids of their own. */
	readonly hasIds: boolean;
}

/** The notebook, or in words why it is none. */
export function readNotebook(text: string): Notebook | { readonly problem: string } {
	let json: Json;
	try {
		json = JSON.parse(text) as Json;
	} catch (error) {
		const why = errorText(error);
		return {
			problem: `Notebook file is not valid JSON (it may be truncated, corrupted, or still being written): ${why}`,
		};
	}
	if (!isObject(json) || !Array.isArray(json.cells)) return { problem: 'Notebook file has no list of cells.' };
	const { metadata, nbformat, nbformat_minor: minor } = json;
	const info = isObject(metadata) ? metadata.language_info : undefined;
	const language = isObject(info) && typeof info.name === 'string' ? info.name : 'python';
	const format = typeof nbformat === 'number' ? nbformat : 0;
	const hasIds = format > 4 || (format === 4 && typeof minor === 'number' && minor >= 5);
	return { json, cells: json.cells as readonly Json[], language, hasIds };
}

/** What a cell is called: its own id, or its place. */
export function cellName(cell: Json, index: number): string {
	return isObject(cell) && typeof cell.id === 'string' ? cell.id : `cell-${index}`;
}

/** Where the cell of this name is; -1 where there is none. */
export function findCell({ cells }: Notebook, name: string): number {
	const byId = cells.findIndex((cell) => isObject(cell) && cell.id === name);
	if (byId !== -1) return byId;
	const index = placeIn(name);
	return index !== undefined && index < cells.length ? index : -1;
}

/** The place that a name such as `cell-3` means. */
export function placeIn(name: string): number | undefined {
	const digits = /^cell-(\d{1,9})$/.exec(name)?.[1];
	return digits === undefined ? undefined : Number(digits);
}

/** A text in a notebook is a string or a list of its lines. */
function joinedText(value: Json | undefined): string {
	if (typeof value === 'string') return value;
	return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';
}

interface ShownCell {
	readonly details: JsonObject;
	readonly blocks: readonly (TextContent | ImageContent)[];
}

/** More output of one cell than this is left out: the model is told how to get it. */
const mostOutput = 10_000;

/** All cells, for the model and for the session. Texts that follow each other are one block. */
export function shownNotebook({ cells, language }: Notebook): {
	readonly content: readonly (TextContent | ImageContent)[];
	readonly details: readonly JsonObject[];
} {
	const shown = cells.map((cell, index) => shownCell(isObject(cell) ? cell : {}, index, language));
	const content: (TextContent | ImageContent)[] = [];
	for (const block of shown.flatMap(({ blocks }) => blocks)) {
		const last = content.at(-1);
		if (block.type === 'text' && last?.type === 'text') {
			content[content.length - 1] = { type: 'text', text: `${last.text}\n${block.text}` };
		} else content.push(block);
	}
	return { content, details: shown.map(({ details }) => details) };
}

function shownCell(cell: JsonObject, index: number, language: string): ShownCell {
	const kind = typeof cell.cell_type === 'string' ? cell.cell_type : 'code';
	const isCode = kind === 'code';
	const source = joinedText(cell.source);
	const id = cellName(cell, index);
	const mark = isCode
		? language === 'python'
			? ''
			: `<language>${language}</language>`
		: `<cell_type>${kind}</cell_type>`;
	const outputs = isCode && Array.isArray(cell.outputs) ? shownOutputs(cell.outputs as readonly Json[], index) : [];
	return {
		details: {
			cellType: kind,
			source,
			...(isCode && typeof cell.execution_count === 'number' ? { execution_count: cell.execution_count } : {}),
			cell_id: id,
			...(isCode ? { language } : {}),
			...(outputs.length > 0 ? { outputs: outputs.map(({ details }) => details) } : {}),
		},
		blocks: [
			{ type: 'text', text: `<cell id="${id}">${mark}${source}</cell id="${id}">` },
			...outputs.flatMap(({ blocks }) => blocks),
		],
	};
}

function shownOutputs(outputs: readonly Json[], index: number): readonly ShownCell[] {
	const shown = outputs.map((output) => shownOutput(isObject(output) ? output : {}));
	const size = JSON.stringify(shown.map(({ details }) => details)).length;
	if (size <= mostOutput) return shown;
	const text = `Outputs are too large to include. Use Bash with: cat <notebook_path> | jq '.cells[${index}].outputs'`;
	return [{ details: { output_type: 'stream', text }, blocks: [{ type: 'text', text: `\n${text}` }] }];
}

function shownOutput(output: JsonObject): ShownCell {
	const { output_type: type, data, ename, evalue, traceback } = output;
	const lines = Array.isArray(traceback) ? traceback.filter((line) => typeof line === 'string') : [];
	const rich = isObject(data) ? data : {};
	const text =
		type === 'error'
			? [`${String(ename)}: ${String(evalue)}`, ...lines].join('\n')
			: joinedText(output.text ?? rich['text/plain']);
	const image = imageIn(rich);
	return {
		details: {
			output_type: typeof type === 'string' ? type : 'unknown',
			text,
			...(image ? { image: { image_data: image.data, media_type: image.mimeType } } : {}),
		},
		blocks: [...(text === '' ? [] : [{ type: 'text', text: `\n${text}` } as const]), ...(image ? [image] : [])],
	};
}

function imageIn(data: JsonObject): ImageContent | undefined {
	for (const mimeType of ['image/png', 'image/jpeg']) {
		const found = data[mimeType];
		const base64 = joinedText(found).replaceAll(/\s/g, '');
		// An API that refuses an image refuses the whole conversation from then on.
		if (base64 !== '' && imageType(Buffer.from(base64, 'base64')) === mimeType)
			return { type: 'image', data: base64, mimeType };
	}
	return undefined;
}
