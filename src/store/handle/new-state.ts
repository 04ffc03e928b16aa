/** A session of which nothing is written yet. */
import { type Codec, decodeBytes } from '../../codecs/index.ts';
import { type Entry, type Header, memorySource, type Session } from '../../model/index.ts';
import type { HandleState } from './handle-state.ts';

const nothing = memorySource(new Uint8Array(0));

export class NewState implements HandleState {
	readonly codec: Codec;
	readonly id: string;
	readonly header: Header;
	readonly isNew = true;
	readonly dialect = 'unknown';
	readonly leaf = null;
	readonly length = 0;
	readonly lost = false;
	readonly lastTime: number;

	constructor(codec: Codec, id: string, header: Header) {
		this.codec = codec;
		this.id = id;
		this.header = header;
		this.lastTime = Date.parse(header.created ?? '') || Number.NEGATIVE_INFINITY;
	}

	has(): boolean {
		return false;
	}

	isTaken(): boolean {
		return false;
	}

	prepare(): void {
		// there is nothing to read
	}

	after(): Session {
		const { id, dialect, header, codec } = this;
		return {
			id,
			format: codec.id,
			dialect,
			header,
			source: nothing,
			records: [],
			entries: [],
			leaf: null,
			issues: [],
			subagents: [],
		};
	}

	session(): Session {
		return this.after();
	}

	state(): undefined {
		return undefined;
	}

	take(bytes: Uint8Array): readonly Entry[] {
		return decodeBytes(this.codec, bytes, this.id).entries;
	}
}
