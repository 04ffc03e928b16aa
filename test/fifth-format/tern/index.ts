/** The codec of Tern, an agent that does not exist. */

import { quoted } from '../../model/quoted.ts';
import type { Codec } from '../codec.ts';
import { defineCodec } from '../shared/define.ts';
import { check } from './check/index.ts';
import { places } from './places/index.ts';
import { read } from './read/index.ts';
import { write } from './write/index.ts';

export const tern: Codec = defineCodec({
	id: 'tern',
	name: 'Tern',
	agents: [{ name: 'tern', resume: ({ id }) => `tern --resume ${quoted(id)}`, anyFolder: true }],
	capabilities: { thinking: true, times: true, ids: true, model: true, usage: true, cost: true, titles: true },
	read,
	write,
	check,
	places,
});
