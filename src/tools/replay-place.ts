/** Where a recorded session is played: a copy of its project. Which tools are run again, and which paths and rules refuse a call; every path is one in the copy. */
import { resolve } from 'node:path';
import type { Host, Tool } from '../agent/contracts.ts';
import { type FormatId, isObject, type Json } from '../model/index.ts';
import { translateCall } from '../move/index.ts';
import { isBelow } from '../store/find/project.ts';
import { builtinTools } from './index.ts';

export interface ReplayPlace {
	readonly format: FormatId;
	/** The project's folder when the session was recorded, and the copy of it that tools work in now. */
	readonly recorded: string;
	readonly scratch: string;
	/** Why the user's rules forbid a call, whatever was answered when the session was recorded. */
	denied(tool: Tool, input: Json, cwd: string): Promise<string | undefined>;
}

export interface RealCall {
	readonly tool: Tool;
	/** With paths of the copy. */
	readonly input: Json;
	/** Why it is not made. */
	readonly refused?: string;
}

/** The call as one of our own tools takes it; undefined where there is none such, so that its recorded result is taken. */
export async function realCall(name: string, input: Json, place: ReplayPlace): Promise<RealCall | undefined> {
	if (!isObject(input)) return undefined;
	// Sessions that Reprise wrote name its own tools, whatever the format.
	const call = translateCall({ name, input }, place.format, 'claude-code') ?? { name, input };
	const tool = builtinTools.find((one) => one.name === call.name);
	if (!tool || !isRepeatable(tool, call.input)) return undefined;
	const real = { tool, input: moved(call.input, place.recorded, place.scratch) };
	// A rule may name the project's own folder or a path in it: it forbids the same in the copy.
	const denied =
		(await place.denied(tool, call.input, place.recorded)) ?? (await place.denied(tool, real.input, place.scratch));
	const refused = denied ?? outsideOf(real, place.scratch);
	return refused === undefined ? real : { ...real, refused };
}

/**
 * The web, people, ids that are made while it runs and the ages of files are others by now: what was answered then is taken. So it is
 * where a command went on in the background.
 */
function isRepeatable({ name }: Tool, input: Json): boolean {
	return repeatable.has(name) && !(isObject(input) && input.run_in_background === true);
}

const repeatable: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit', 'NotebookEdit', 'Bash']);

function outsideOf({ tool, input }: RealCall, scratch: string): string | undefined {
	const path = pathsOf(tool, input, scratch).find((one) => !isBelow(scratch, resolve(scratch, one)));
	return path === undefined ? undefined : `${path} is outside of the project`;
}

/** The absolute paths that a call names; a command names none that could be told. */
function pathsOf(tool: Tool, input: Json, cwd: string): readonly string[] {
	const parsed = tool.parse(input);
	return tool.effect === 'exec' || !parsed.ok ? [] : tool.subjects(parsed.input, cwd);
}

/** Every path of one folder as a path of another, in whatever text it stands. */
export function moved(value: Json, from: string, to: string): Json {
	if (typeof value === 'string') return from === '' || from === '/' ? value : value.replace(folderIn(from), () => to);
	if (Array.isArray(value)) return value.map((item: Json) => moved(item, from, to));
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, item]) => [key, item === undefined ? null : moved(item, from, to)]),
	);
}

/** The folder as a whole name: not the beginning of a longer one, nor the end of another path. */
function folderIn(folder: string): RegExp {
	const name = folder.replace(/[\\/]+$/, '').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
	return new RegExp(`(?<![\\w./-])${name}(?![\\w-]|\\.[\\w-])`, 'g');
}

/** Thrown when a tool reaches for a file outside of the copy, by a link or by any other way. */
export class OutsideError extends Error {}

/** The machine as a replay sees it: files of the copy only, and commands that take the copy for home. */
export function confinedHost(host: Host, scratch: string, hidden: readonly string[]): Host {
	const inside = async (path: string): Promise<string> => {
		if (!isBelow(scratch, await host.files.real(path))) throw new OutsideError(`${path} leads out of the project`);
		return path;
	};
	const { files } = host;
	const env = { ...Object.fromEntries(hidden.map((name) => [name, ''])), HOME: scratch };
	return {
		...host,
		files: {
			...files,
			stat: async (path) => await files.stat(await inside(path)),
			read: async (path) => await files.read(await inside(path)),
			write: async (path, bytes) => await files.write(await inside(path), bytes),
			list: async (path) => await files.list(await inside(path)),
		},
		search: async (request, heard, signal) => {
			await inside(request.path ?? request.folder);
			return await host.search(request, heard, signal);
		},
		fetchPage: async ({ url }) => ({ is: 'failed', why: `${url} is outside of the project` }),
		run: (command, signal) => host.run({ ...command, env: { ...command.env, ...env } }, signal),
	};
}
