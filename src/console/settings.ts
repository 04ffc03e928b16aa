/** The console's settings (`console.json`): names, defaults, what is said of a wrong field, and how they are saved. The screen: screens/config.ts. */
import { join } from 'node:path';
import { z } from 'zod';
import type { Machine } from '../codecs/index.ts';
import { readIfThere } from '../log/regular-file.ts';
import { isObject, type Json, type JsonObject, parsedJson } from '../model/index.ts';
import { closeDataFolder, dataFolder } from '../store/own-data/data-folder.ts';
import { changeOwn } from '../store/own-data/own-data.ts';
import { actionNames, bindings, type KeySettings } from './keys.ts';
import { themeNames } from './theme.ts';

/** What the status line can show, in the order in which it shows it. */
export const statusParts = [
	'model',
	'background',
	'context',
	'cost',
	'mode',
	'branch',
	'format',
	'folder',
	'title',
] as const;
export type StatusPart = (typeof statusParts)[number];

/** How somebody who looks elsewhere hears that a dialog waits or a run has ended. */
export const notifyWays = ['off', 'bell', 'desktop'] as const;
export type NotifyWay = (typeof notifyWays)[number];

const keys = z.strictObject(
	Object.fromEntries(
		actionNames.map((action) => [action, z.union([z.string(), z.array(z.string())]).optional()] as const),
	),
);

/** The schema of `console.json`. */
const settingsSchema = z.strictObject({
	theme: z.enum(themeNames).default('dark').describe('The colours: plain has none, terminal has those of the terminal'),
	statusLine: z
		.array(z.enum(statusParts))
		.default(['model', 'background', 'context', 'cost', 'mode', 'branch', 'format'])
		.describe('What the status line shows'),
	notify: z.enum(notifyWays).default('bell').describe('How to tell that a dialog waits or a run has ended'),
	accessible: z.boolean().default(false).describe('Plain lines and numbered choices, for screen readers'),
	keys: keys.default({}).describe('Other keys for actions'),
});

export interface ConsoleSettings {
	readonly theme: (typeof themeNames)[number];
	readonly statusLine: readonly StatusPart[];
	readonly notify: NotifyWay;
	readonly accessible: boolean;
	readonly keys: KeySettings;
}

export interface ReadSettings {
	readonly settings: ConsoleSettings;
	/** What did not count and why: one line each, with the file and the field. */
	readonly notes: readonly string[];
}

export function settingsFile(machine: Machine): string {
	return join(dataFolder(machine), 'console.json');
}

export const defaultSettings: ConsoleSettings = read({}, '').settings;

/** What the file says. A bad file or field is told, and its default counts. */
export function readConsoleSettings(machine: Machine): ReadSettings {
	const path = settingsFile(machine);
	let bytes: Buffer | undefined;
	try {
		bytes = readIfThere(path, 1 << 20);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error)) throw error;
		return { settings: defaultSettings, notes: [`${path} cannot be read (${String(error.code)}): the defaults count`] };
	}
	if (bytes === undefined) return { settings: defaultSettings, notes: [] };
	const value = parsedJson(bytes.toString('utf8').replace(/^\uFEFF/, ''));
	if (!isObject(value))
		return { settings: defaultSettings, notes: [`${path} is not a JSON object: the defaults count`] };
	return read(value, path);
}

function read(value: JsonObject, path: string): ReadSettings {
	const notes: string[] = [];
	const fields = settingsSchema.shape;
	const found: { [field: string]: unknown } = {};
	for (const [field, schema] of Object.entries(fields)) {
		const parsed = schema.safeParse(Object.hasOwn(value, field) ? value[field] : undefined);
		if (!parsed.success) notes.push(`${path}: ${problemOf(field, parsed.error)}: its default counts`);
		found[field] = parsed.success ? parsed.data : schema.parse(undefined);
	}
	for (const field of Object.keys(value))
		if (!Object.hasOwn(fields, field) && field !== '$schema') notes.push(`${path}: ${field}: there is no such setting`);
	const settings = { ...(found as unknown as ConsoleSettings), keys: listed(found.keys) };
	return { settings, notes: [...notes, ...bindings(settings.keys).notes.map((note) => `${path}: ${note}`)] };
}

/** `theme: Invalid option: expected one of …`, with the way to the field. */
function problemOf(field: string, { issues }: z.ZodError): string {
	const [issue] = issues;
	return `${[field, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'it is not understood'}`;
}

/** One key may be written without a list. */
function listed(given: unknown): KeySettings {
	if (!isObject(given)) return {};
	return Object.fromEntries(
		Object.entries(given).map(([action, keys]) => [action, typeof keys === 'string' ? [keys] : keys]),
	) as KeySettings;
}

/** Writes what differs from the defaults, whole or not at all. What else the file has stays. A damaged file is not written over. */
export async function saveConsoleSettings(settings: ConsoleSettings, machine: Machine): Promise<void> {
	closeDataFolder(machine);
	await changeOwn(machine, settingsFile(machine), (before = {}) => {
		const next: { [field: string]: Json | undefined } = { ...before };
		for (const field of Object.keys(settingsSchema.shape) as (keyof ConsoleSettings)[]) {
			const value = settings[field] as Json;
			if (JSON.stringify(value) === JSON.stringify(defaultSettings[field])) delete next[field];
			else next[field] = value;
		}
		return next;
	});
}
