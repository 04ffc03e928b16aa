/** Fetches one page of the web, within limits: which headers are sent, that redirections are told and not followed, and that a name may lead to public addresses only. */
import { lookup as resolve } from 'node:dns';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { FetchPage, Page, PageRequest } from '../agent/contracts.ts';
import { isPublicAddress } from './public-address.ts';

const agentName = 'Reprise (coding agent; fetches pages that its user asks about)';

export const fetchPage: FetchPage = async (request, signal) => {
	const url = new URL(request.url);
	const literal = url.hostname.replace(/^\[|\]$/g, '');
	if (isIP(literal) !== 0 && !request.allowPrivate && !isPublicAddress(literal)) return failed(privateAddress(literal));
	const limit = AbortSignal.timeout(request.timeoutMs);
	try {
		const answer = await opened(url, request, AbortSignal.any([signal, limit]));
		return await read(answer, request);
	} catch (error) {
		if (signal.aborted) return failed('the user interrupted it');
		if (limit.aborted) return failed(`it took longer than ${request.timeoutMs / 1000} seconds`);
		return failed(
			error instanceof Error ? error.message || String('code' in error ? error.code : error) : String(error),
		);
	}
};

function failed(why: string): Page {
	return { is: 'failed', why };
}

function privateAddress(address: string): string {
	return `${address} is not an address of the public network`;
}

type Lookup = NonNullable<RequestOptions['lookup']>;

/** The address that was looked at is the one that is connected to: a name may lead elsewhere when it is asked again. */
const publicOnly: Lookup = (host, options, done) => {
	resolve(host, { ...options, all: true }, (error, found) => {
		const strange = found?.find(({ address }) => !isPublicAddress(address));
		if (error) done(error, '', 0);
		else if (strange)
			done(new Error(`${host} leads to ${strange.address}, which is not an address of the public network`), '', 0);
		else if (options.all) done(null, found);
		else done(null, found[0]?.address ?? '', found[0]?.family);
	});
};

/** Node's HTTP is loaded only here: it takes as long as a sixth of what a prompt needs to start, and few runs fetch anything. */
async function opened(url: URL, { allowPrivate }: PageRequest, signal: AbortSignal): Promise<IncomingMessage> {
	const { request: send } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
	return await new Promise((answered, refused) => {
		const options: RequestOptions = {
			signal,
			agent: false,
			...(allowPrivate ? {} : { lookup: publicOnly }),
			headers: {
				'user-agent': agentName,
				accept: 'text/markdown, text/html;q=0.9, text/*;q=0.8, application/json;q=0.8, */*;q=0.1',
				'accept-encoding': 'gzip, deflate, br',
			},
		};
		send(url, options, answered).on('error', refused).end();
	});
}

async function read(answer: IncomingMessage, { mostBytes }: PageRequest): Promise<Page> {
	const status = answer.statusCode ?? 0;
	const { location } = answer.headers;
	if (status >= 300 && status < 400 && location !== undefined) {
		answer.destroy();
		return { is: 'redirect', status, location };
	}
	const type = answer.headers['content-type'] ?? '';
	const parts: Buffer[] = [];
	let bytes = 0;
	for await (const part of unpacked(answer) as AsyncIterable<Buffer>) {
		bytes += part.length;
		if (bytes > mostBytes) {
			answer.destroy();
			return failed(`it is larger than ${Math.round(mostBytes / 1024 / 1024)} MB`);
		}
		parts.push(part);
	}
	return { is: 'page', status, statusText: answer.statusMessage ?? '', type, bytes: Buffer.concat(parts) };
}

/** What comes out is counted, not what came in: a small page may hold a very large one. */
function unpacked(answer: IncomingMessage): Readable {
	const packing = answer.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
	const unpack = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }[
		packing
	];
	if (!unpack) return answer;
	const plain = unpack();
	// A connection that breaks off ends what is read from it.
	answer.on('error', (error) => plain.destroy(error));
	return answer.pipe(plain);
}
