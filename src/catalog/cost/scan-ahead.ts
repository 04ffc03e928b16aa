/** Files that another thread scans, from the last one on, while this one goes through them from the first. */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { LineValues, ScanGate } from '../../scan/index.ts';
import { rowWindow } from '../rows.ts';

export interface AheadFile {
	readonly path: string;
	/** Which of the plans it is scanned for. */
	readonly plan: number;
}

export interface AheadPlan {
	readonly fields: readonly string[];
	readonly gate?: ScanGate | undefined;
}

/** What the other thread is given. */
export interface AheadWork {
	/** Undefined for those that it shall leave alone. */
	readonly files: readonly (AheadFile | undefined)[];
	readonly plans: readonly AheadPlan[];
	readonly window: number;
	/** Per file whether one of the two has begun with it. */
	readonly claims: Int32Array<SharedArrayBuffer>;
	/** How often it has told of files. */
	readonly told: Int32Array<SharedArrayBuffer>;
	readonly port: MessagePort;
}

export const claimed = 1;

export interface Scanned {
	/** The number of the file. */
	readonly index: number;
	/** Undefined where it has to be read as if nobody had tried. */
	readonly values: LineValues | undefined;
}

/** Where the command line is bundled: one file, and no module, because a thread starts sooner without a loader of modules. */
declare const bundledScanWorker: string | undefined;

/** Beside the file that this is compiled into, which ends in the same way. */
const program =
	typeof bundledScanWorker === 'string'
		? bundledScanWorker
		: `./scan-worker${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`;

/** Files take a thread much less time than this: one that says nothing for so long is not there any more. */
const patience = 10_000;

export class ScanAhead implements Disposable {
	readonly #worker: Worker;
	readonly #port: MessagePort;
	readonly #claims: Int32Array<SharedArrayBuffer>;
	readonly #told = new Int32Array(new SharedArrayBuffer(4));

	constructor(files: readonly (AheadFile | undefined)[], plans: readonly AheadPlan[]) {
		const { port1, port2: port } = new MessageChannel();
		const claims = new Int32Array(new SharedArrayBuffer(4 * files.length));
		const work: AheadWork = { files, plans, window: rowWindow, claims, told: this.#told, port };
		this.#port = port1;
		this.#claims = claims;
		this.#worker = new Worker(new URL(program, import.meta.url), {
			workerData: work,
			transferList: [port],
			execArgv: [],
		});
		// Whatever becomes of it: what it does not tell of is read here.
		this.#worker.on('error', () => undefined).unref();
	}

	/** True when the file is left to whoever asks. */
	claim(index: number): boolean {
		return Atomics.compareExchange(this.#claims, index, 0, claimed) === 0;
	}

	/** Files that were told of since. */
	take(): readonly Scanned[] | undefined {
		const received: { readonly message: readonly Scanned[] } | undefined = receiveMessageOnPort(this.#port);
		return received?.message;
	}

	/** Waits for the next ones; undefined when none will come. */
	wait(): readonly Scanned[] | undefined {
		for (;;) {
			// Asked for before looking: what is told of afterwards makes it another number.
			const told = Atomics.load(this.#told, 0);
			const scanned = this.take();
			if (scanned !== undefined) return scanned;
			if (Atomics.wait(this.#told, 0, told, patience) === 'timed-out') return undefined;
		}
	}

	[Symbol.dispose](): void {
		this.#port.close();
		void this.#worker.terminate();
		this.#worker.unref(); // which that undoes: the process would wait for an end that nothing depends on
	}
}
