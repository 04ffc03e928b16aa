/** The openclaw codec, its native types, and what APIs are asked in. */
export * from './codecs/openclaw/index.ts';
export * from './wires/index.ts';
