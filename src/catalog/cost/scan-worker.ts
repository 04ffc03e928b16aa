/** What the other thread of `scan-ahead.ts` does. It loads little: whatever it has to load and compile is time that it does not scan. */
import { workerData } from 'node:worker_threads';
import { type FileSource, openFile } from '../../log/file-source.ts';
import {
	createScanner,
	type LineValues,
	planPaths,
	type Scanner,
	scanSource,
	ValueCollector,
} from '../../scan/index.ts';
import { isFileError } from '../file-error.ts';
import { type AheadFile, type AheadWork, claimed, type Scanned } from './scan-ahead.ts';

/** The values of a whole file are held at once: larger ones are left to the thread that holds none. */
const largest = 1 << 26;
/** Handing over files one by one would take both threads longer. */
const together = 8;

const { files, plans, window, claims, told, port } = workerData as AheadWork;
const scanners = plans.map(({ fields, gate }): Scanner => createScanner(planPaths(fields, gate), { window }));

let ready: Scanned[] = [];
for (let index = files.length - 1; index >= 0; index -= 1) {
	const file = files[index];
	const scanned = file && scan(index, file);
	if (scanned) ready.push(scanned);
	if (ready.length === together) tell();
}
tell();
port.close();

function tell(): void {
	const buffers = ready.flatMap(({ values }) =>
		values ? [values.at.buffer, values.spans.buffer, values.bytes.buffer] : [],
	);
	port.postMessage(ready, buffers);
	ready = [];
	Atomics.add(told, 0, 1);
	Atomics.notify(told, 0);
}

/** Undefined for a file that is left to the other thread. */
function scan(index: number, { path, plan }: AheadFile): Scanned | undefined {
	const scanner = scanners[plan];
	if (scanner === undefined || Atomics.load(claims, index) === claimed) return undefined;
	using source = opened(path);
	if (source === undefined || source.size > largest) return undefined;
	if (Atomics.compareExchange(claims, index, 0, claimed) === claimed) return undefined;
	return { index, values: valuesOf(source, scanner) };
}

/** Whoever else opens the file finds out why it cannot be. */
function opened(path: string): FileSource | undefined {
	try {
		return openFile(path);
	} catch (error) {
		if (isFileError(error)) return undefined;
		throw error;
	}
}

/** Undefined where values do not tell the whole, or it cannot be read. */
function valuesOf(source: FileSource, scanner: Scanner): LineValues | undefined {
	const collector = new ValueCollector();
	let sure = true;
	try {
		scanSource(source, scanner, (lines) => {
			sure &&= collector.add(lines);
		});
	} catch (error) {
		if (isFileError(error)) return undefined;
		throw error;
	}
	return sure ? collector.values() : undefined;
}
