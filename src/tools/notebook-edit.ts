/** NotebookEdit: one cell of a Jupyter notebook replaced, added or taken out. */
import { extname } from 'node:path';
import { z } from 'zod';
import { refused, said } from '../agent/calls/outputs.ts';
import type { ToolContext, ToolOutput } from '../agent/contracts.ts';
import { isObject, type Json, type JsonObject } from '../model/index.ts';
import { defineTool } from './define.ts';
import { absolutePath, type FileContent, openToReplace, writeContent } from './files.ts';
import { cellName, findCell, type Notebook, placeIn, readNotebook } from './notebook.ts';

const input = () =>
	z.strictObject({
		notebook_path: z.string().describe('The notebook, absolute or relative to the working folder'),
		cell_id: z
			.string()
			.optional()
			.describe(
				'The cell: its id, or cell-N for the one at place N from 0. For insert: the one before; none is the start',
			),
		new_source: z.string().describe('What stands in the cell'),
		cell_type: z.enum(['code', 'markdown']).optional().describe('Needed for insert; else the cell keeps its own'),
		edit_mode: z.enum(['replace', 'insert', 'delete']).optional().describe('replace where it is left out'),
	});

/** The tool NotebookEdit: changes a cell of a notebook. */
export const notebookEdit = defineTool({
	name: 'NotebookEdit',
	description:
		'Changes one cell of a Jupyter notebook (.ipynb) that was read before: replaces its source, inserts a cell behind it, or deletes it. Outputs of a code cell that changes are removed.',
	effect: 'write',
	input,
	subjects: ({ notebook_path }, cwd) => [absolutePath(notebook_path, cwd)],
	async check(given, context) {
		const ready = await prepare(given, context);
		return 'fails' in ready ? ready : { change: { before: ready.old.text, after: ready.text } };
	},
	async run(given, context) {
		const ready = await prepare(given, context);
		if ('fails' in ready) return ready.fails;
		const { path, old, text, name, language } = ready;
		const file = await writeContent(path, text, old, context);
		const { new_source, cell_type = 'code', edit_mode = 'replace' } = given;
		const details = {
			...{ new_source, cell_type, language, edit_mode, cell_id: name, error: '', notebook_path: path },
			...{ original_file: old.text, updated_file: text },
		};
		const told = {
			replace: `Updated cell ${name} with ${new_source}`,
			insert: `Inserted cell ${name} with ${new_source}`,
			delete: `Deleted cell ${name}`,
		};
		return { ...said(told[edit_mode], details), file };
	},
});

type Given = z.infer<ReturnType<typeof input>>;

interface Ready extends Changed {
	readonly path: string;
	readonly old: FileContent;
	readonly language: string;
}

async function prepare(given: Given, context: ToolContext): Promise<Ready | { readonly fails: ToolOutput }> {
	const path = absolutePath(given.notebook_path, context.cwd);
	const wrong = wrongRequest(path, given);
	if (wrong !== undefined) return { fails: refused(wrong) };
	const opened = await openToReplace(path, context);
	if ('fails' in opened) return opened;
	const { old } = opened;
	if (!old) return { fails: refused('Notebook file does not exist.') };
	const notebook = readNotebook(old.text);
	if ('problem' in notebook) return { fails: refused(notebook.problem) };
	const changed = change(notebook, given, context);
	return 'why' in changed ? { fails: refused(changed.why) } : { path, old, language: notebook.language, ...changed };
}

function wrongRequest(path: string, { cell_id, cell_type, edit_mode }: Given): string | undefined {
	if (extname(path).toLowerCase() !== '.ipynb')
		return 'File must be a Jupyter notebook (.ipynb file). For editing other file types, use the FileEdit tool.';
	if (edit_mode === 'insert')
		return cell_type === undefined ? 'Cell type is required when using edit_mode=insert.' : undefined;
	return cell_id === undefined ? 'Cell ID must be specified when not inserting a new cell.' : undefined;
}

interface Changed {
	readonly text: string;
	/** What the cell is called. */
	readonly name: string;
}

function change(notebook: Notebook, given: Given, context: ToolContext): Changed | { readonly why: string } {
	const { cell_id: wanted, edit_mode = 'replace' } = given;
	const at = wanted === undefined ? -1 : findCell(notebook, wanted);
	if (wanted !== undefined && at === -1) {
		const place = placeIn(wanted);
		const which =
			place === undefined ? `Cell with ID "${wanted}" not found` : `Cell with index ${place} does not exist`;
		return { why: `${which} in notebook.` };
	}
	const cells = [...notebook.cells];
	if (edit_mode === 'insert') {
		const made = newCell(notebook, given, context);
		cells.splice(at + 1, 0, made);
		return { text: written(notebook, cells), name: cellName(made, at + 1) };
	}
	const before = cells[at] ?? null;
	if (edit_mode === 'delete') cells.splice(at, 1);
	else cells[at] = withSource(isObject(before) ? before : {}, given);
	return { text: written(notebook, cells), name: wanted ?? cellName(before, at) };
}

function newCell({ hasIds }: Notebook, { new_source, cell_type }: Given, { host }: ToolContext): JsonObject {
	const id = hasIds ? { id: host.randomHex(8) } : {};
	const runs = cell_type === 'code' ? { execution_count: null, outputs: [] } : {};
	return { cell_type: cell_type ?? 'code', ...id, source: new_source, metadata: {}, ...runs };
}

/** What a cell printed was printed by its old source. */
function withSource(cell: JsonObject, { new_source, cell_type }: Given): JsonObject {
	const runs = cell.cell_type === 'code' ? { execution_count: null, outputs: [] } : {};
	return { ...cell, source: new_source, ...runs, ...(cell_type === undefined ? {} : { cell_type }) };
}

/** With one blank per level, as Jupyter writes them. */
function written({ json }: Notebook, cells: readonly Json[]): string {
	return JSON.stringify({ ...json, cells }, null, 1);
}
