/** How little memory Node is to take for commands that read sessions of gigabytes: flags of its garbage collection, and how far the heap may grow. */
import { setFlagsFromString } from 'node:v8';

/** What reading one holds at a time. */
export const usualGrowth = 20;

/**
 * What such a command reads is garbage a moment later. The engine would let its nursery grow to tens of megabytes for
 * it, which only makes the process larger: kept small, a session of a gigabyte is read in two thirds of the memory.
 */
export function staySmall(growth = usualGrowth): void {
	setFlagsFromString('--semi-space-growth-factor=1');
	// Long texts are garbage that only a full collection finds: it comes when the heap has grown by so many percent.
	// A command that holds much for a while asks for a larger share: else the collector goes through all of that again and again.
	setFlagsFromString(`--heap-growing-percent=${growth}`);
}

/** What writing a session in another format holds at a time. */
export const convertGrowth = 100;
