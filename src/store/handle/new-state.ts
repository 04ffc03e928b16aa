/** The handle state of a session of which nothing is written yet. */
import { type Codec, decodeBytes } from '../../codecs/index.ts';
import type { Entry, Header, Session } from '../../model/index.ts';
import { emptySession } from '../reader/recent.ts';
import type { HandleState } from './handle-state.ts';

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
		return { ...emptySession(codec), id, dialect, header };
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
