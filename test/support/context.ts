/** A codec's answer when it was given all lines: it has one, and never asks for more. */
import type { Context } from '../../src/codecs/index.ts';

export function whole(found: Context | 'more' | undefined): Context {
	if (found === undefined || found === 'more')
		throw new Error('a codec with a context needs no more than a whole file');
	return found;
}
