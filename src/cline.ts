/** The cline codec and its native types. */
export * from './codecs/cline/index.ts';
