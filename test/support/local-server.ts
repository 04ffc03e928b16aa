/** Servers on this machine: one that answers until its test ends, and the address of none. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Its address. */
export async function localServer(listener: RequestListener): Promise<string> {
	const listening = createServer(listener);
	await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
	onTestFinished(async () => {
		listening.closeAllConnections();
		await new Promise((done) => listening.close(done));
	});
	return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

/** The address of a port that was in use a moment ago and is free now. */
export async function unusedUrl(): Promise<string> {
	const taken = createServer();
	await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
	const { port } = taken.address() as AddressInfo;
	await new Promise((done) => taken.close(done));
	return `http://127.0.0.1:${port}`;
}
