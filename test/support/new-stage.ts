/** A stage for one test, gone when that ends. */
import { onTestFinished } from 'vitest';
import { ClientStage } from './client.ts';

export function newStage(): ClientStage {
	const stage = new ClientStage();
	onTestFinished(() => stage[Symbol.dispose]());
	return stage;
}
